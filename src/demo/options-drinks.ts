import { holds, option } from '#demo/make.ts';

/** Drinks within a meal, and the flavours and scoops of drinks and puddings. */
export const drinkOptions = [
  option({ key: 'drink-cola', name: 'Cola, 330 ml can', vat_rate: 2000 }),
  option({ key: 'drink-cola-zero', name: 'Cola zero, 330 ml can', vat_rate: 2000 }),
  option({ key: 'drink-lemonade', name: 'Cloudy lemonade, 330 ml can', vat_rate: 2000 }),
  option({ key: 'drink-orange', name: 'Orange, 330 ml can', vat_rate: 2000 }),
  option({ key: 'drink-water', name: 'Still water, 500 ml', vat_rate: 2000 }),
  option({ key: 'drink-ginger-beer', name: 'Ginger beer, 275 ml bottle', price: 60, vat_rate: 2000 }),
  option({ key: 'drink-apple-juice', name: 'Apple juice carton', vat_rate: 2000 }),
  option({ key: 'bottle-cola', name: 'Cola, 1.5 litres', vat_rate: 2000 }),
  option({ key: 'bottle-cola-zero', name: 'Cola zero, 1.5 litres', vat_rate: 2000 }),
  option({ key: 'bottle-lemonade', name: 'Cloudy lemonade, 1.5 litres', vat_rate: 2000 }),
  option({ key: 'shake-strawberry', name: 'Strawberry' }),
  option({ key: 'shake-chocolate', name: 'Chocolate', allergens: holds(['soya']) }),
  option({ key: 'shake-biscuit', name: 'Caramel biscuit', price: 40, allergens: holds(['gluten', 'soya']) }),
  option({ key: 'shake-pistachio', name: 'Pistachio', price: 60, allergens: holds(['nuts']) }),
  option({ key: 'scoop-vanilla', name: 'Vanilla', allergens: holds(['milk'], ['eggs']) }),
  option({ key: 'scoop-chocolate', name: 'Chocolate', allergens: holds(['milk', 'soya'], ['eggs']) }),
  option({ key: 'scoop-strawberry', name: 'Strawberry', allergens: holds(['milk'], ['eggs']) }),
  option({ key: 'scoop-pistachio', name: 'Pistachio', allergens: holds(['milk', 'nuts'], ['eggs']) }),
  option({ key: 'scoop-mango', name: 'Mango sorbet' }),
  option({
    key: 'add-ice-cream',
    name: 'Scoop of vanilla ice cream',
    price: 150,
    vat_rate: 2000,
    allergens: holds(['milk'], ['eggs']),
  }),
  option({ key: 'add-custard', name: 'Warm custard', price: 120, allergens: holds(['milk', 'eggs']) }),
  option({ key: 'add-cream', name: 'Pouring cream', price: 90, allergens: holds(['milk']) }),
  option({
    key: 'add-chocolate-sauce',
    name: 'Chocolate sauce',
    price: 70,
    allergens: holds(['milk', 'soya'], ['nuts']),
  }),
];
