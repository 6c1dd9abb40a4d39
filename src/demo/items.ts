import { burgers } from '#demo/items/burgers.ts';
import { curries } from '#demo/items/curries.ts';
import { deals } from '#demo/items/deals.ts';
import { desserts } from '#demo/items/desserts.ts';
import { drinks } from '#demo/items/drinks.ts';
import { grill } from '#demo/items/grill.ts';
import { pizzas } from '#demo/items/pizzas.ts';
import { riceAndBread } from '#demo/items/rice-and-bread.ts';
import { salads } from '#demo/items/salads.ts';
import { sides } from '#demo/items/sides.ts';
import { smallPlates } from '#demo/items/small-plates.ts';
import { wraps } from '#demo/items/wraps.ts';

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
