import { drinkOptions } from '#demo/options-drinks.ts';
import { holds, option } from '#demo/make.ts';
import { mealOptions } from '#demo/options-meals.ts';
import { pizzaOptions } from '#demo/options-pizza.ts';

const sauces = [
  option({
    key: 'sauce-garlic-mayo',
    name: 'Garlic mayo',
    price: 60,
    allergens: holds(['eggs', 'mustard'], ['celery']),
  }),
  option({ key: 'sauce-chilli', name: 'Chilli sauce', price: 60, allergens: holds([], ['celery', 'mustard']) }),
  option({ key: 'sauce-mint', name: 'Mint yoghurt', price: 60, allergens: holds(['milk']) }),
  option({ key: 'sauce-burger', name: 'Burger sauce', price: 60, allergens: holds(['eggs', 'mustard'], ['celery']) }),
  option({ key: 'sauce-bbq', name: 'Smoked BBQ', price: 60, allergens: holds(['mustard', 'celery'], ['soya']) }),
  option({ key: 'sauce-lemon-herb', name: 'Lemon and herb', price: 60 }),
  option({ key: 'sauce-piri', name: 'Bird’s eye hot', price: 60 }),
  option({ key: 'sauce-tahini', name: 'Tahini', price: 60, allergens: holds(['sesame']) }),
  option({ key: 'sauce-mango', name: 'Mango chutney', price: 60, allergens: holds([], ['mustard', 'sulphites']) }),
  option({ key: 'sauce-vegan-garlic', name: 'Vegan garlic sauce', price: 60, allergens: holds(['mustard'], ['soya']) }),
  option({
    key: 'sauce-ranch',
    name: 'Ranch',
    price: 60,
    is_available: false,
    allergens: holds(['eggs', 'milk', 'mustard']),
  }),
];

const burgers = [
  option({ key: 'patty-single', name: 'Single', is_default: true }),
  option({ key: 'patty-double', name: 'Double', price: 250 }),
  option({ key: 'patty-triple', name: 'Triple', price: 450 }),
  option({
    key: 'bun-brioche',
    name: 'Brioche bun',
    is_default: true,
    allergens: holds(['gluten', 'milk', 'eggs'], ['sesame', 'soya']),
  }),
  option({ key: 'bun-seeded', name: 'Seeded vegan bun', allergens: holds(['gluten', 'sesame'], ['soya']) }),
  option({ key: 'bun-lettuce', name: 'Lettuce leaves, no bun' }),
  option({ key: 'extra-cheddar', name: 'Cheddar', price: 80, allergens: holds(['milk']) }),
  option({ key: 'extra-rasher', name: 'Turkey rasher', price: 130, allergens: holds([], ['mustard']) }),
  option({ key: 'extra-halloumi', name: 'Halloumi', price: 170, allergens: holds(['milk']) }),
  option({ key: 'extra-egg', name: 'Fried egg', price: 110, allergens: holds(['eggs']) }),
  option({ key: 'extra-hash-brown', name: 'Hash brown', price: 110, allergens: holds([], ['gluten']) }),
  option({
    key: 'extra-onion-rings',
    name: 'Onion rings',
    price: 120,
    allergens: holds(['gluten'], ['lupin', 'milk']),
  }),
  option({ key: 'extra-jalapenos', name: 'Jalapeños', price: 60 }),
  option({ key: 'extra-slaw', name: 'Slaw', price: 70, allergens: holds(['eggs', 'mustard']) }),
  option({ key: 'meal-no', name: 'Just the burger', is_default: true }),
  option({ key: 'meal-yes', name: 'Make it a meal with a side and a drink', price: 380 }),
];

const grill = [
  option({ key: 'heat-lemon', name: 'Lemon and herb, no heat' }),
  option({ key: 'heat-medium', name: 'Medium', is_default: true }),
  option({ key: 'heat-hot', name: 'Hot' }),
  option({ key: 'heat-bird', name: 'Bird’s eye, very hot' }),
  option({ key: 'glaze-hot-honey', name: 'Hot honey', allergens: holds([], ['mustard']) }),
  option({ key: 'glaze-buffalo', name: 'Buffalo', allergens: holds(['milk'], ['celery']) }),
  option({ key: 'glaze-bbq', name: 'Smoked BBQ', allergens: holds(['mustard', 'celery'], ['soya']) }),
  option({ key: 'glaze-lemon-pepper', name: 'Lemon pepper', allergens: holds(['milk']) }),
  option({ key: 'glaze-soy-ginger', name: 'Soy, ginger and sesame', allergens: holds(['soya', 'gluten', 'sesame']) }),
  option({ key: 'wings-6', name: '6 wings', is_default: true }),
  option({ key: 'wings-10', name: '10 wings', price: 340 }),
  option({ key: 'wings-16', name: '16 wings', price: 780 }),
  option({ key: 'salad-lettuce', name: 'Lettuce', is_default: true }),
  option({ key: 'salad-onion', name: 'Red onion', is_default: true }),
  option({ key: 'salad-tomato', name: 'Tomato', is_default: true }),
  option({ key: 'salad-cabbage', name: 'Red cabbage' }),
  option({ key: 'salad-cucumber', name: 'Cucumber' }),
  option({ key: 'salad-chillies', name: 'Pickled chillies', allergens: holds([], ['sulphites']) }),
  option({
    key: 'bread-naan',
    name: 'Naan',
    is_default: true,
    allergens: holds(['gluten', 'milk'], ['sesame', 'nuts']),
  }),
  option({ key: 'bread-pitta', name: 'Warm pitta', allergens: holds(['gluten'], ['sesame']) }),
  option({ key: 'bread-rice', name: 'Pilau rice instead', price: 80, allergens: holds([], ['milk']) }),
  option({ key: 'bread-none', name: 'No bread, more salad' }),
];

const curries = [
  option({ key: 'protein-chicken', name: 'Chicken', is_default: true }),
  option({ key: 'protein-tikka', name: 'Chicken tikka', price: 80, allergens: holds(['milk', 'mustard']) }),
  option({ key: 'protein-lamb', name: 'Lamb', price: 150 }),
  option({ key: 'protein-prawn', name: 'King prawn', price: 300, allergens: holds(['crustaceans'], ['sulphites']) }),
  option({ key: 'protein-paneer', name: 'Paneer', price: 50, allergens: holds(['milk']) }),
  option({ key: 'protein-vegetable', name: 'Mixed vegetables', allergens: holds([], ['celery']) }),
  option({ key: 'spice-milder', name: 'Milder' }),
  option({ key: 'spice-as-is', name: 'As it comes', is_default: true }),
  option({ key: 'spice-hotter', name: 'Hotter' }),
  option({ key: 'leave-coriander', name: 'No coriander' }),
  option({ key: 'leave-onion', name: 'No onion' }),
  option({ key: 'leave-tomato', name: 'No tomato' }),
  option({ key: 'leave-sauce', name: 'No sauce' }),
  option({ key: 'leave-pickles', name: 'No pickles' }),
  option({ key: 'leave-salad', name: 'No salad' }),
  option({ key: 'leave-cheese', name: 'No cheese' }),
];

export const options = [...sauces, ...burgers, ...grill, ...curries, ...pizzaOptions, ...mealOptions, ...drinkOptions];
