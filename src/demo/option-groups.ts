import { demoOptionGroup } from '#demo/make-options.ts';
import { demoMealGroups } from '#demo/option-groups-meals.ts';

const dips = [
  'sauce-garlic-mayo',
  'sauce-chilli',
  'sauce-mint',
  'sauce-burger',
  'sauce-bbq',
  'sauce-mango',
  'sauce-vegan-garlic',
  'sauce-ranch',
] as const;

const vegetableToppings = [
  'mushroom',
  'pepper',
  'onion',
  'sweetcorn',
  'olives',
  'jalapenos',
  'pineapple',
  'rocket',
] as const;
const meatToppings = ['pepperoni', 'chicken', 'tikka', 'keema'] as const;
const cheeseToppings = ['mozzarella', 'vegan-cheese', 'goats-cheese'] as const;

/**
 * The group of toppings for one size. Each size has its own group of the same options, because toppings cost more on
 * larger pizzas.
 */
function toppings(inches: number, vegetable: number, meat: number, cheese: number) {
  return demoOptionGroup({
    key: `toppings-${inches}`,
    name: 'Extra toppings',
    max_select: 6,
    max_per_option: 2,
    options: [
      ...cheeseToppings.map((name) => [`top-${name}`, cheese] as const),
      ...meatToppings.map((name) => [`top-${name}`, meat] as const),
      ...vegetableToppings.map((name) => [`top-${name}`, vegetable] as const),
      'top-green-chilli',
      'top-anchovies',
    ],
  });
}

const pizza = [
  demoOptionGroup({ key: 'size-pizza', name: 'Size', min_select: 1, options: ['size-10', 'size-12', 'size-14'] }),
  demoOptionGroup({
    key: 'base-pizza-10',
    name: 'Base',
    min_select: 1,
    options: ['base-classic', 'base-thin', 'base-stuffed', 'base-gluten-free'],
  }),
  demoOptionGroup({
    key: 'base-pizza-12',
    name: 'Base',
    min_select: 1,
    options: ['base-classic', 'base-thin', ['base-stuffed', 275]],
  }),
  demoOptionGroup({
    key: 'base-pizza-14',
    name: 'Base',
    min_select: 1,
    options: ['base-classic', 'base-thin', ['base-stuffed', 325]],
  }),
  toppings(10, 100, 150, 140),
  toppings(12, 130, 190, 180),
  toppings(14, 160, 230, 220),
  demoOptionGroup({
    key: 'own-toppings',
    name: 'Your three toppings',
    min_select: 1,
    max_select: 3,
    options: [...meatToppings, ...vegetableToppings, 'goats-cheese'].map((name) => [`top-${name}`, 0] as const),
  }),
  demoOptionGroup({
    key: 'leave-out-pizza',
    name: 'Leave out',
    max_select: 5,
    options: ['leave-mozzarella', 'leave-onion', 'leave-mushroom', 'leave-olives', 'leave-peppers'],
  }),
];

const burgers = [
  demoOptionGroup({
    key: 'patties',
    name: 'Patties',
    min_select: 1,
    options: ['patty-single', 'patty-double', 'patty-triple'],
  }),
  demoOptionGroup({ key: 'bun', name: 'Bun', min_select: 1, options: ['bun-brioche', 'bun-seeded', 'bun-lettuce'] }),
  demoOptionGroup({ key: 'bun-vegan', name: 'Bun', min_select: 1, options: ['bun-seeded', 'bun-lettuce'] }),
  demoOptionGroup({
    key: 'burger-extras',
    name: 'Extras',
    max_select: 4,
    options: [
      'extra-cheddar',
      'extra-rasher',
      'extra-halloumi',
      'extra-egg',
      'extra-hash-brown',
      'extra-onion-rings',
      'extra-jalapenos',
      'extra-slaw',
    ],
  }),
  demoOptionGroup({
    key: 'leave-out-burger',
    name: 'Leave out',
    max_select: 5,
    options: ['leave-sauce', 'leave-salad', 'leave-onion', 'leave-pickles', 'leave-cheese'],
  }),
  demoOptionGroup({ key: 'meal', name: 'Meal', min_select: 1, options: ['meal-no', 'meal-yes'] }),
];

const grill = [
  demoOptionGroup({
    key: 'heat',
    name: 'Heat',
    min_select: 1,
    options: ['heat-lemon', 'heat-medium', 'heat-hot', 'heat-bird'],
  }),
  demoOptionGroup({ key: 'wing-count', name: 'How many', min_select: 1, options: ['wings-6', 'wings-10', 'wings-16'] }),
  demoOptionGroup({
    key: 'wing-glaze',
    name: 'Glaze',
    min_select: 1,
    options: ['glaze-hot-honey', 'glaze-buffalo', 'glaze-bbq', 'glaze-lemon-pepper', 'glaze-soy-ginger'],
  }),
  demoOptionGroup({
    key: 'grill-bread',
    name: 'Served with',
    min_select: 1,
    options: ['bread-naan', 'bread-pitta', 'bread-rice', 'bread-none'],
  }),
  demoOptionGroup({
    key: 'kebab-salad',
    name: 'Salad',
    max_select: 6,
    options: ['salad-lettuce', 'salad-onion', 'salad-tomato', 'salad-cabbage', 'salad-cucumber', 'salad-chillies'],
  }),
  demoOptionGroup({
    key: 'sauces-two-free',
    name: 'Sauces, the first two on us',
    max_select: 5,
    free_select: 2,
    max_per_option: 2,
    options: [
      'sauce-garlic-mayo',
      'sauce-chilli',
      'sauce-mint',
      'sauce-bbq',
      'sauce-lemon-herb',
      'sauce-piri',
      'sauce-tahini',
      'sauce-vegan-garlic',
    ],
  }),
  demoOptionGroup({
    key: 'extra-dips',
    name: 'Extra dips',
    max_select: 9,
    max_per_option: 3,
    options: dips.map((key) => [key, 95] as const),
  }),
  demoOptionGroup({
    key: 'three-dips',
    name: 'Your three dips',
    min_select: 3,
    max_select: 3,
    max_per_option: 3,
    options: dips.map((key) => [key, 0] as const),
  }),
];

const curries = [
  demoOptionGroup({
    key: 'protein',
    name: 'Made with',
    min_select: 1,
    options: [
      'protein-chicken',
      'protein-tikka',
      'protein-lamb',
      'protein-prawn',
      'protein-paneer',
      'protein-vegetable',
    ],
  }),
  demoOptionGroup({
    key: 'spice',
    name: 'Spice',
    min_select: 1,
    options: ['spice-milder', 'spice-as-is', 'spice-hotter'],
  }),
  demoOptionGroup({
    key: 'leave-out-curry',
    name: 'Leave out',
    max_select: 3,
    options: ['leave-coriander', 'leave-onion', 'leave-tomato'],
  }),
  demoOptionGroup({
    key: 'curry-sides',
    name: 'Add rice or bread',
    max_select: 4,
    max_per_option: 2,
    options: [
      ['deal-basmati', 325],
      ['deal-pilau', 375],
      ['deal-mushroom-rice', 425],
      ['deal-naan', 295],
      ['deal-garlic-naan', 350],
      ['deal-roti', 225],
    ],
  }),
];

export const demoOptionGroups = [...pizza, ...burgers, ...grill, ...curries, ...demoMealGroups];

/**
 * Maps a group's key to the key of its trigger option: the group is shown once that option is chosen. `dishes.csv` has
 * no column for these links.
 */
export const triggerOptionByGroup: Readonly<Record<string, string>> = {
  'meal-side': 'meal-yes',
  'meal-drink': 'meal-yes',
  'base-pizza-10': 'size-10',
  'base-pizza-12': 'size-12',
  'base-pizza-14': 'size-14',
  'toppings-10': 'size-10',
  'toppings-12': 'size-12',
  'toppings-14': 'size-14',
};
