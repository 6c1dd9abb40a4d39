import { drinkOptions } from '#demo/options-drinks.ts';
import { statedAllergens, demoOption } from '#demo/make-options.ts';
import { mealOptions } from '#demo/options-meals.ts';
import { pizzaOptions } from '#demo/options-pizza.ts';

const sauces = [
  demoOption({
    key: 'sauce-garlic-mayo',
    name: 'Garlic mayo',
    price: 60,
    allergens: statedAllergens(['eggs', 'mustard'], ['celery']),
  }),
  demoOption({
    key: 'sauce-chilli',
    name: 'Chilli sauce',
    price: 60,
    allergens: statedAllergens([], ['celery', 'mustard']),
  }),
  demoOption({ key: 'sauce-mint', name: 'Mint yoghurt', price: 60, allergens: statedAllergens(['milk']) }),
  demoOption({
    key: 'sauce-burger',
    name: 'Burger sauce',
    price: 60,
    allergens: statedAllergens(['eggs', 'mustard'], ['celery']),
  }),
  demoOption({
    key: 'sauce-bbq',
    name: 'Smoked BBQ',
    price: 60,
    allergens: statedAllergens(['mustard', 'celery'], ['soya']),
  }),
  demoOption({ key: 'sauce-lemon-herb', name: 'Lemon and herb', price: 60 }),
  demoOption({ key: 'sauce-piri', name: 'Bird’s eye hot', price: 60 }),
  demoOption({ key: 'sauce-tahini', name: 'Tahini', price: 60, allergens: statedAllergens(['sesame']) }),
  demoOption({
    key: 'sauce-mango',
    name: 'Mango chutney',
    price: 60,
    allergens: statedAllergens([], ['mustard', 'sulphites']),
  }),
  demoOption({
    key: 'sauce-vegan-garlic',
    name: 'Vegan garlic sauce',
    price: 60,
    allergens: statedAllergens(['mustard'], ['soya']),
  }),
  demoOption({
    key: 'sauce-ranch',
    name: 'Ranch',
    price: 60,
    is_available: false,
    allergens: statedAllergens(['eggs', 'milk', 'mustard']),
  }),
];

const burgers = [
  demoOption({ key: 'patty-single', name: 'Single', is_default: true }),
  demoOption({ key: 'patty-double', name: 'Double', price: 250 }),
  demoOption({ key: 'patty-triple', name: 'Triple', price: 450 }),
  demoOption({
    key: 'bun-brioche',
    name: 'Brioche bun',
    is_default: true,
    allergens: statedAllergens(['gluten', 'milk', 'eggs'], ['sesame', 'soya']),
  }),
  demoOption({
    key: 'bun-seeded',
    name: 'Seeded vegan bun',
    allergens: statedAllergens(['gluten', 'sesame'], ['soya']),
  }),
  demoOption({ key: 'bun-lettuce', name: 'Lettuce leaves, no bun' }),
  demoOption({ key: 'extra-cheddar', name: 'Cheddar', price: 80, allergens: statedAllergens(['milk']) }),
  demoOption({ key: 'extra-rasher', name: 'Turkey rasher', price: 130, allergens: statedAllergens([], ['mustard']) }),
  demoOption({ key: 'extra-halloumi', name: 'Halloumi', price: 170, allergens: statedAllergens(['milk']) }),
  demoOption({ key: 'extra-egg', name: 'Fried egg', price: 110, allergens: statedAllergens(['eggs']) }),
  demoOption({ key: 'extra-hash-brown', name: 'Hash brown', price: 110, allergens: statedAllergens([], ['gluten']) }),
  demoOption({
    key: 'extra-onion-rings',
    name: 'Onion rings',
    price: 120,
    allergens: statedAllergens(['gluten'], ['lupin', 'milk']),
  }),
  demoOption({ key: 'extra-jalapenos', name: 'Jalapeños', price: 60 }),
  demoOption({ key: 'extra-slaw', name: 'Slaw', price: 70, allergens: statedAllergens(['eggs', 'mustard']) }),
  demoOption({ key: 'meal-no', name: 'Just the burger', is_default: true }),
  demoOption({ key: 'meal-yes', name: 'Make it a meal with a side and a drink', price: 380 }),
];

const grill = [
  demoOption({ key: 'heat-lemon', name: 'Lemon and herb, no heat' }),
  demoOption({ key: 'heat-medium', name: 'Medium', is_default: true }),
  demoOption({ key: 'heat-hot', name: 'Hot' }),
  demoOption({ key: 'heat-bird', name: 'Bird’s eye, very hot' }),
  demoOption({ key: 'glaze-hot-honey', name: 'Hot honey', allergens: statedAllergens([], ['mustard']) }),
  demoOption({ key: 'glaze-buffalo', name: 'Buffalo', allergens: statedAllergens(['milk'], ['celery']) }),
  demoOption({ key: 'glaze-bbq', name: 'Smoked BBQ', allergens: statedAllergens(['mustard', 'celery'], ['soya']) }),
  demoOption({ key: 'glaze-lemon-pepper', name: 'Lemon pepper', allergens: statedAllergens(['milk']) }),
  demoOption({
    key: 'glaze-soy-ginger',
    name: 'Soy, ginger and sesame',
    allergens: statedAllergens(['soya', 'gluten', 'sesame']),
  }),
  demoOption({ key: 'wings-6', name: '6 wings', is_default: true }),
  demoOption({ key: 'wings-10', name: '10 wings', price: 340 }),
  demoOption({ key: 'wings-16', name: '16 wings', price: 780 }),
  demoOption({ key: 'salad-lettuce', name: 'Lettuce', is_default: true }),
  demoOption({ key: 'salad-onion', name: 'Red onion', is_default: true }),
  demoOption({ key: 'salad-tomato', name: 'Tomato', is_default: true }),
  demoOption({ key: 'salad-cabbage', name: 'Red cabbage' }),
  demoOption({ key: 'salad-cucumber', name: 'Cucumber' }),
  demoOption({ key: 'salad-chillies', name: 'Pickled chillies', allergens: statedAllergens([], ['sulphites']) }),
  demoOption({
    key: 'bread-naan',
    name: 'Naan',
    is_default: true,
    allergens: statedAllergens(['gluten', 'milk'], ['sesame', 'nuts']),
  }),
  demoOption({ key: 'bread-pitta', name: 'Warm pitta', allergens: statedAllergens(['gluten'], ['sesame']) }),
  demoOption({ key: 'bread-rice', name: 'Pilau rice instead', price: 80, allergens: statedAllergens([], ['milk']) }),
  demoOption({ key: 'bread-none', name: 'No bread, more salad' }),
];

const curries = [
  demoOption({ key: 'protein-chicken', name: 'Chicken', is_default: true }),
  demoOption({
    key: 'protein-tikka',
    name: 'Chicken tikka',
    price: 80,
    allergens: statedAllergens(['milk', 'mustard']),
  }),
  demoOption({ key: 'protein-lamb', name: 'Lamb', price: 150 }),
  demoOption({
    key: 'protein-prawn',
    name: 'King prawn',
    price: 300,
    allergens: statedAllergens(['crustaceans'], ['sulphites']),
  }),
  demoOption({ key: 'protein-paneer', name: 'Paneer', price: 50, allergens: statedAllergens(['milk']) }),
  demoOption({ key: 'protein-vegetable', name: 'Mixed vegetables', allergens: statedAllergens([], ['celery']) }),
  demoOption({ key: 'spice-milder', name: 'Milder' }),
  demoOption({ key: 'spice-as-is', name: 'As it comes', is_default: true }),
  demoOption({ key: 'spice-hotter', name: 'Hotter' }),
  demoOption({ key: 'leave-coriander', name: 'No coriander' }),
  demoOption({ key: 'leave-onion', name: 'No onion' }),
  demoOption({ key: 'leave-tomato', name: 'No tomato' }),
  demoOption({ key: 'leave-sauce', name: 'No sauce' }),
  demoOption({ key: 'leave-pickles', name: 'No pickles' }),
  demoOption({ key: 'leave-salad', name: 'No salad' }),
  demoOption({ key: 'leave-cheese', name: 'No cheese' }),
];

export const demoOptions = [
  ...sauces,
  ...burgers,
  ...grill,
  ...curries,
  ...pizzaOptions,
  ...mealOptions,
  ...drinkOptions,
];
