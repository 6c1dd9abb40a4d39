import type { DemoCategory } from '#demo/demo-parts.ts';

/** The categories of the demo menu; their dishes are in `dishes.csv`. */
export const demoCategories: readonly Omit<DemoCategory, 'items'>[] = [
  category('deals', 'Meals and sharing', 'A whole dinner at one price. Choose what goes in.'),
  category('small-plates', 'Small plates', 'To start, or three of them for dinner.'),
  category(
    'grill',
    'Charcoal grill',
    'Marinated overnight and cooked over real charcoal, with bread, salad and two sauces.',
  ),
  category('burgers', 'Burgers', 'British beef pressed each morning, smashed to order.'),
  category('pizza', 'Stone-baked pizza', 'Sourdough proved for two days. Prices are for ten inches.'),
  category('wraps', 'Naan rolls and wraps', 'Rolled to order, easy to eat on the way home.'),
  category('curries', 'Curries', 'Cooked through the day. Rice and bread are separate.'),
  category('rice-and-bread', 'Biryani, rice and bread', 'Biryanis come with raita; naans come from the tandoor.'),
  category('sides', 'Chips, sides and dips', 'Chips cut here every morning.'),
  category('salads', 'Salads and bowls', 'Chopped to order.'),
  category('desserts', 'Desserts', 'Something sweet to finish.'),
  category('drinks', 'Drinks', 'Made here, or cold from the fridge.'),
];

function category(key: string, name: string, description: string) {
  return { key, name, description, is_active: true };
}
