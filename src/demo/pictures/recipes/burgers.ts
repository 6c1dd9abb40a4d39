import type { DishRecipe, Layer } from '#demo/pictures/dish-recipe.ts';
import type { Burger } from '#demo/pictures/dishes/burger.ts';
import type { SurfaceName } from '#demo/pictures/surfaces.ts';

/** `beside` is in front of the burger on its board. */
function burger(
  key: string,
  surface: SurfaceName,
  given: Omit<Burger, 'kind'>,
  beside: readonly Layer[] = [],
): DishRecipe {
  return { key, surface, parts: [{ layers: [{ kind: 'burger', at: [0, -6], ...given }, ...beside] }] };
}

const onBoard = (...pieces: Extract<Layer, { kind: 'lay' }>['pieces']): Layer[] => [{ kind: 'lay', pieces }];

export const burgerRecipes: readonly DishRecipe[] = [
  burger(
    'classic-cheese',
    'clay',
    { bun: 'seeded', board: 'oak', layers: ['burger-sauce', 'lettuce', 'beef', 'cheddar', 'onion', 'pickle'] },
    onBoard(['pickle', -104, 96, 0, 0.9], ['pickle', -88, 104, 0, 0.9]),
  ),
  burger('coalfinch-burger', 'marigold', {
    bun: 'brioche',
    board: 'slate',
    layers: ['lettuce', 'beef', 'american', 'beef', 'cheddar', 'rasher', 'onion', 'hot'],
  }),
  burger('bbq-stack', 'teal', {
    bun: 'seeded',
    board: 'walnut',
    layers: ['bbq', 'beef', 'cheddar', 'rasher', 'onion-rings', 'bbq'],
  }),
  burger(
    'sunrise-burger',
    'rose',
    { bun: 'brioche', board: 'walnut', layers: ['ketchup', 'beef', 'american', 'hash-brown', 'egg'] },
    onBoard(['parsley', 108, 98], ['parsley', 94, 104, 40]),
  ),
  burger(
    'buttermilk-chicken',
    'sage',
    { bun: 'brioche', board: 'oak', layers: ['mayo', 'lettuce', 'chicken', 'mayo', 'pickle'] },
    onBoard(['pickle', 100, 98], ['pickle', 84, 104]),
  ),
  burger(
    'hot-honey-chicken',
    'berry',
    { bun: 'brioche', board: 'oak', layers: ['slaw', 'chicken', 'american', 'hot', 'jalapeno'] },
    onBoard(['chilli', -98, 98, -6, 0.75]),
  ),
  burger(
    'tandoori-burger',
    'forest',
    { bun: 'seeded', board: 'walnut', layers: ['mayo', 'lettuce', 'tomato', 'tandoori', 'mango', 'onion'] },
    onBoard(['lime-wedge', 104, 96, -10, 0.8]),
  ),
  burger(
    'fish-burger',
    'teal',
    { bun: 'brioche', board: 'cream', layers: ['lettuce', 'fish', 'mayo', 'pickle'] },
    onBoard(['lemon-wedge', -104, 96, 12, 0.85]),
  ),
  burger(
    'halloumi-burger',
    'clay',
    { bun: 'seeded', board: 'slate', layers: ['mayo', 'rocket', 'tomato', 'halloumi', 'hot'] },
    onBoard(['cherry-tomato', -104, 98], ['rocket', 100, 100, 10, 0.8]),
  ),
  burger('plant-smash', 'sage', {
    bun: 'seeded',
    board: 'walnut',
    layers: ['lettuce', 'tomato', 'plant', 'swiss', 'mayo', 'pickle'],
  }),
  burger(
    'falafel-burger',
    'oak',
    { bun: 'beetroot', board: 'cream', layers: ['rocket', 'tomato', 'falafel', 'mayo', 'onion'] },
    onBoard(['chickpea', -108, 96], ['chickpea', -94, 104, 60], ['chickpea', 104, 102, 20]),
  ),
];
