import type { DemoCategory, DemoItem } from '#demo/demo-parts.ts';
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

export const categories: readonly DemoCategory[] = [
  category('deals', 'Meals and sharing', 'A whole dinner at one price. Choose what goes in.', deals),
  category('small-plates', 'Small plates', 'To start, or three of them for dinner.', smallPlates),
  category(
    'grill',
    'Charcoal grill',
    'Marinated overnight and cooked over real charcoal, with bread, salad and two sauces.',
    grill,
  ),
  category('burgers', 'Burgers', 'British beef pressed each morning, smashed to order.', burgers),
  category('pizza', 'Stone-baked pizza', 'Sourdough proved for two days. Prices are for ten inches.', pizzas),
  category('wraps', 'Naan rolls and wraps', 'Rolled to order, easy to eat on the way home.', wraps),
  category('curries', 'Curries', 'Cooked through the day. Rice and bread are separate.', curries),
  category(
    'rice-and-bread',
    'Biryani, rice and bread',
    'Biryanis come with raita; naans come from the tandoor.',
    riceAndBread,
  ),
  category('sides', 'Chips, sides and dips', 'Chips cut here every morning.', sides),
  category('salads', 'Salads and bowls', 'Chopped to order.', salads),
  category('desserts', 'Desserts', 'Something sweet to finish.', desserts),
  category('drinks', 'Drinks', 'Made here, or cold from the fridge.', drinks),
];

function category(key: string, name: string, description: string, contents: readonly DemoItem[]): DemoCategory {
  return { key, name, description, is_active: true, items: contents.map((item) => item.key) };
}
