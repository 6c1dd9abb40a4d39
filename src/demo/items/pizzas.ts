import type { AllergenCode, Dietary } from '#menu/menu-shapes.ts';
import { holds, item } from '#demo/make.ts';

const bySize = [
  ['base-pizza-10', 'size-10'],
  ['base-pizza-12', 'size-12'],
  ['base-pizza-14', 'size-14'],
] as const;
const toppingsBySize = [
  ['toppings-10', 'size-10'],
  ['toppings-12', 'size-12'],
  ['toppings-14', 'size-14'],
] as const;
const groups = ['size-pizza', ...bySize, ...toppingsBySize, 'leave-out-pizza', 'extra-dips'] as const;

type Given = {
  key: string;
  name: string;
  kitchen_name: string;
  description: string;
  price: number;
  contains: AllergenCode[];
  may_contain?: AllergenCode[];
  dietary?: Dietary[];
  spice_level?: number;
  is_available?: boolean;
};

/** The base's gluten belongs to the chosen base. */
function pizza({ contains, may_contain = ['soya'], ...given }: Given) {
  return item({ ...given, allergens: holds(contains, may_contain), station: 'oven', option_groups: groups });
}

export const pizzas = [
  pizza({
    key: 'margherita',
    name: 'Margherita',
    kitchen_name: 'Marg',
    description: 'Crushed tomato, torn mozzarella, basil and olive oil.',
    price: 895,
    contains: ['milk'],
    dietary: ['vegetarian'],
  }),
  pizza({
    key: 'marinara',
    name: 'Marinara',
    kitchen_name: 'Marinara VG',
    description: 'No cheese: tomato, sliced garlic, oregano, cherry tomatoes and good oil.',
    price: 795,
    contains: [],
    may_contain: ['milk', 'soya'],
    dietary: ['vegetarian', 'vegan'],
  }),
  pizza({
    key: 'pepperoni',
    name: 'Pepperoni',
    kitchen_name: 'Pepperoni',
    description: 'Beef pepperoni to the edge, mozzarella and tomato.',
    price: 1050,
    contains: ['milk'],
    may_contain: ['soya', 'mustard', 'sulphites'],
    dietary: ['halal'],
  }),
  pizza({
    key: 'hot-honey-pepperoni',
    name: 'Hot honey pepperoni',
    kitchen_name: 'Hot honey pep',
    description: 'Beef pepperoni, pickled jalapeños and mozzarella, with hot honey from the oven’s mouth.',
    price: 1150,
    contains: ['milk'],
    may_contain: ['soya', 'mustard', 'sulphites'],
    dietary: ['halal'],
    spice_level: 2,
  }),
  pizza({
    key: 'bbq-chicken',
    name: 'BBQ chicken',
    kitchen_name: 'BBQ chx pizza',
    description: 'Charcoal chicken, red onion, sweetcorn and green pepper on smoked BBQ sauce.',
    price: 1125,
    contains: ['milk', 'mustard', 'celery'],
    dietary: ['halal'],
  }),
  pizza({
    key: 'tikka-pizza',
    name: 'Chicken tikka',
    kitchen_name: 'Tikka pizza',
    description: 'Chicken tikka, green chillies, red onion and coriander on makhani sauce.',
    price: 1150,
    contains: ['milk', 'mustard'],
    may_contain: ['soya', 'nuts'],
    dietary: ['halal'],
    spice_level: 2,
  }),
  pizza({
    key: 'keema-pizza',
    name: 'Lamb keema',
    kitchen_name: 'Keema pizza',
    description: 'Spiced minced lamb, peppers, red onion and mint, with a drizzle of yoghurt.',
    price: 1175,
    contains: ['milk'],
    dietary: ['halal'],
    spice_level: 2,
  }),
  pizza({
    key: 'meat-feast',
    name: 'Meat feast',
    kitchen_name: 'Meat feast',
    description: 'Beef pepperoni, charcoal chicken, meatballs and turkey rasher.',
    price: 1250,
    contains: ['milk', 'mustard'],
    may_contain: ['soya', 'gluten', 'sulphites'],
    dietary: ['halal'],
  }),
  pizza({
    key: 'funghi',
    name: 'Mushroom and thyme',
    kitchen_name: 'Funghi',
    description: 'Chestnut mushrooms, garlic cream, mozzarella, thyme and parmesan-style shavings.',
    price: 1050,
    contains: ['milk'],
    may_contain: ['soya', 'eggs'],
    dietary: ['vegetarian'],
  }),
  pizza({
    key: 'garden',
    name: 'Garden',
    kitchen_name: 'Garden veg',
    description: 'Roast peppers, mushrooms, sweetcorn, red onion and black olives.',
    price: 1050,
    contains: ['milk'],
    may_contain: ['soya', 'sulphites'],
    dietary: ['vegetarian'],
  }),
  pizza({
    key: 'goats-cheese',
    name: 'Goat’s cheese and red onion',
    kitchen_name: 'Goats cheese',
    description: 'Goat’s cheese, slow-cooked red onion, spinach and cherry tomatoes.',
    price: 1125,
    contains: ['milk', 'sulphites'],
    dietary: ['vegetarian'],
    is_available: false,
  }),
  pizza({
    key: 'pineapple-jalapeno',
    name: 'Chicken, pineapple and jalapeño',
    kitchen_name: 'Pine jalapeno',
    description: 'Charcoal chicken, pineapple, pickled jalapeños and mozzarella. Sweet, then not.',
    price: 1095,
    contains: ['milk'],
    may_contain: ['soya', 'sulphites'],
    dietary: ['halal'],
    spice_level: 1,
  }),
  pizza({
    key: 'vegan-roast',
    name: 'Roast vegetable and pesto',
    kitchen_name: 'Roast veg VG',
    description: 'Vegan pesto, cauliflower, peppers, cherry tomatoes, vegan cheese and rocket.',
    price: 1075,
    contains: ['nuts'],
    may_contain: ['milk', 'soya'],
    dietary: ['vegetarian', 'vegan'],
  }),
  item({
    key: 'own-pizza',
    name: 'Your own three-topping pizza',
    kitchen_name: 'OWN 3-top pizza',
    description: 'Tomato, mozzarella and any three toppings you like. Price shown is for ten inches.',
    price: 1125,
    allergens: holds(['milk'], ['soya']),
    station: 'oven',
    option_groups: ['size-pizza', ...bySize, 'own-toppings', 'extra-dips'],
  }),
];
