import { burgers } from '#menu/demo/items/burgers.ts';
import { curries } from '#menu/demo/items/curries.ts';
import { deals } from '#menu/demo/items/deals.ts';
import { desserts } from '#menu/demo/items/desserts.ts';
import { drinks } from '#menu/demo/items/drinks.ts';
import { grill } from '#menu/demo/items/grill.ts';
import { pizzas } from '#menu/demo/items/pizzas.ts';
import { riceAndBread } from '#menu/demo/items/rice-and-bread.ts';
import { salads } from '#menu/demo/items/salads.ts';
import { sides } from '#menu/demo/items/sides.ts';
import { smallPlates } from '#menu/demo/items/small-plates.ts';
import { wraps } from '#menu/demo/items/wraps.ts';

export const items = [
  ...deals,
  ...smallPlates,
  ...grill,
  ...burgers,
  ...pizzas,
  ...wraps,
  ...curries,
  ...riceAndBread,
  ...sides,
  ...salads,
  ...desserts,
  ...drinks,
];
