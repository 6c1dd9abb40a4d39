import type { DishRecipe, VesselSpec } from '#demo/pictures/dish-recipe.ts';
import type { Pizza } from '#demo/pictures/dishes/pizza.ts';
import type { Sprinkle } from '#demo/pictures/morsels.ts';
import type { SurfaceName } from '#demo/pictures/surfaces.ts';

type Given = Omit<Pizza, 'kind'> & { on?: VesselSpec; strewn?: readonly Sprinkle[] };

function pizza(key: string, surface: SurfaceName, given: Given): DishRecipe {
  const { on, strewn, ...dish } = given;
  return {
    key,
    surface,
    ...(strewn && { strewn }),
    parts: [{ ...(on && { vessel: on }), layers: [{ kind: 'pizza', ...dish }] }],
  };
}

export const pizzaRecipes: readonly DishRecipe[] = [
  pizza('margherita', 'slate', {
    on: ['peel', 'oak'],
    sauce: 'tomato',
    cheese: 'fresh',
    toppings: [['basil', 9, 1.1]],
    strewn: [['basil', 2]],
  }),
  pizza('marinara', 'cream', {
    on: ['peel', 'walnut', 180],
    sauce: 'tomato',
    cheese: 'none',
    toppings: [
      ['almond', 12, 1.1],
      ['cherry-tomato', 8, 1.1],
      ['parsley', 10],
    ],
    strewn: [['cherry-tomato', 2]],
  }),
  pizza('pepperoni', 'forest', {
    on: ['peel', 'oak'],
    sauce: 'tomato',
    cheese: 'melted',
    toppings: [['pepperoni', 19, 1.1]],
  }),
  pizza('hot-honey-pepperoni', 'marigold', {
    on: ['peel', 'walnut', -90],
    sauce: 'tomato',
    cheese: 'melted',
    toppings: [
      ['pepperoni', 13, 1.1],
      ['jalapeno', 11],
    ],
    drizzle: '#f2a51e',
    strewn: [['chilli', 1, 0.8]],
  }),
  pizza('bbq-chicken', 'teal', {
    on: ['peel', 'olive'],
    sauce: 'bbq',
    cheese: 'melted',
    toppings: [
      ['chicken', 9, 0.9],
      ['green-pepper', 5, 0.8],
      ['red-onion', 5],
      ['sweetcorn', 14],
    ],
    drizzle: '#4a170b',
  }),
  pizza('tikka-pizza', 'slate', {
    on: ['peel', 'oak', 90],
    sauce: 'masala',
    cheese: 'melted',
    toppings: [
      ['tikka', 11, 0.9],
      ['onion-ring', 6, 0.8],
      ['green-chilli', 6],
      ['coriander', 6, 0.8],
    ],
  }),
  pizza('keema-pizza', 'berry', {
    on: ['peel', 'olive', 180],
    sauce: 'tomato',
    cheese: 'melted',
    toppings: [
      ['keema', 18, 1.1],
      ['red-pepper', 5, 0.8],
      ['red-onion', 5],
      ['mint', 6, 0.8],
    ],
    drizzle: '#fff8ea',
  }),
  pizza('meat-feast', 'walnut', {
    on: ['plate', 'charcoal', 136],
    sauce: 'tomato',
    cheese: 'melted',
    toppings: [
      ['pepperoni', 9, 1.1],
      ['rasher', 5, 0.9],
      ['chicken', 5, 0.9],
      ['meatball', 7],
    ],
  }),
  pizza('funghi', 'sage', {
    on: ['peel', 'walnut', -90],
    sauce: 'white',
    cheese: 'melted',
    toppings: [
      ['mushroom', 12, 1.05],
      ['parmesan', 6],
      ['dill', 9, 0.8],
    ],
    strewn: [['mushroom', 2, 1.2]],
  }),
  pizza('garden', 'clay', {
    on: ['plate', 'cream', 136],
    sauce: 'tomato',
    cheese: 'melted',
    toppings: [
      ['red-pepper', 4, 0.9],
      ['yellow-pepper', 3, 0.9],
      ['mushroom', 5, 0.9],
      ['onion-ring', 4, 0.8],
      ['olive', 9],
      ['sweetcorn', 8],
    ],
  }),
  pizza('goats-cheese', 'rose', {
    on: ['peel', 'walnut', 90],
    sauce: 'tomato',
    cheese: 'melted',
    toppings: [
      ['spinach', 6, 0.8],
      ['red-onion', 9, 1.1],
      ['goats', 11, 1.1],
      ['cherry-tomato', 4],
    ],
  }),
  pizza('pineapple-jalapeno', 'forest', {
    on: ['peel', 'olive', -90],
    sauce: 'tomato',
    cheese: 'melted',
    toppings: [
      ['chicken', 6, 0.85],
      ['pineapple', 10],
      ['jalapeno', 9],
    ],
  }),
  pizza('vegan-roast', 'oak', {
    on: ['plate', 'blue', 136],
    sauce: 'pesto',
    cheese: 'fresh',
    toppings: [
      ['cauliflower', 5, 0.9],
      ['red-pepper', 5, 0.9],
      ['cherry-tomato', 5],
      ['rocket', 7, 0.8],
    ],
  }),
  pizza('own-pizza', 'cream', {
    on: ['peel', 'oak', 90],
    sauce: 'tomato',
    cheese: 'melted',
    toppings: [
      ['mushroom', 5],
      ['pepperoni', 6],
      ['green-pepper', 4, 0.9],
      ['olive', 6],
      ['basil', 3],
    ],
    strewn: [
      ['olive', 2, 1.1],
      ['mushroom', 1, 1.2],
      ['basil', 1, 1.1],
    ],
  }),
];
