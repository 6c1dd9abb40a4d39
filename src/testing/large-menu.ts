import { randomUUIDv7 } from 'node:crypto';
import type { Shop } from '#testing/running-shop.ts';

const adjectives = ['Crispy', 'Smoked', 'Grilled', 'Hot', 'Sweet', 'Sour', 'Fresh', 'Roast', 'Braised', 'Golden'];
const mains = ['chicken', 'lamb', 'tofu', 'prawn', 'beef', 'paneer', 'duck', 'aubergine', 'cod', 'mushroom', 'pork'];
const styles = ['curry', 'wrap', 'noodles', 'rice bowl', 'burger', 'soup', 'salad', 'skewers', 'pie', 'stir-fry'];
const extras = ['ginger', 'lime', 'chilli', 'garlic', 'coconut', 'coriander', 'sesame', 'lemongrass', 'mint', 'honey'];
const allergens = ['gluten', 'milk', 'eggs', 'soya', 'fish', 'sesame'];

/** Replaces the shop's menus by one of this size; every third dish has sizes. Returns the categories' names. */
export async function replaceWithLargeMenu(shop: Shop, categories: number, dishes: number): Promise<string[]> {
  const call = async (path: string, body: unknown, method = 'POST') => {
    const answer = await shop.api(method, path, body, shop.adminToken);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body['data'];
  };
  const { menus } = (await call(`/v1/menus/store/${shop.storeId}/parts`, undefined, 'GET')) as {
    menus: { id: string }[];
  };
  const menuId = randomUUIDv7();
  const changes: { call: string; id?: string; body: object }[] = [
    ...menus.map(({ id }) => ({ call: 'DELETE /v1/menus/{id}', id, body: {} })),
    { call: 'POST /v1/menus', body: { id: menuId, name: 'Everything', store_id: shop.storeId } },
  ];
  const none = { contains: [], may_contain: [] };
  const sizes = {
    group: randomUUIDv7(),
    options: ['Small', 'Regular', 'Large'].map((name) => ({ id: randomUUIDv7(), name })),
  };
  const optionIds = sizes.options.map(({ id }) => id);
  for (const [at, option] of sizes.options.entries()) {
    const body = { ...option, store_id: shop.storeId, price: at * 100, is_default: at === 1, allergens: none };
    changes.push({ call: 'POST /v1/options', body });
  }
  const choice = { name: 'Size', min_select: 1, max_select: 1, store_id: shop.storeId };
  changes.push({ call: 'POST /v1/option-groups', body: { id: sizes.group, ...choice } });
  changes.push({ call: 'POST /v1/option-groups/{id}/options/add', id: sizes.group, body: { options: optionIds } });
  const names = Array.from({ length: categories }, (_, at) => `${styles[at % 10]} ${Math.floor(at / 10) + 1}`);
  const ids = names.map(() => randomUUIDv7());
  names.forEach((name, at) =>
    changes.push({ call: 'POST /v1/categories', body: { id: ids[at], name, menu_id: menuId } }),
  );
  for (let at = 0; at < dishes; at += 1) {
    const pick = (from: readonly string[], step: number) => from[Math.floor(at / step) % from.length] ?? '';
    const [main, first, second] = [pick(mains, 1), pick(extras, 3), pick(extras, 7)];
    const id = randomUUIDv7();
    const body = {
      id,
      store_id: shop.storeId,
      name: `${pick(adjectives, 11)} ${main} ${pick(styles, 2)} no. ${at + 1}`,
      description: `Slow-cooked ${main} with ${first} and ${second}, served with ${pick(styles, 5)} and ${pick(extras, 13)} on the side.`,
      price: 450 + ((at * 37) % 1200),
      allergens: {
        contains: [pick(allergens, 1), pick(allergens, 4)].filter((each, i, all) => all.indexOf(each) === i),
        may_contain: [],
      },
    };
    changes.push({ call: 'POST /v1/items', body });
    if (at % 3 === 0) {
      changes.push({ call: 'POST /v1/items/{id}/option-groups/add', id, body: { option_groups: [sizes.group] } });
    }
    changes.push({ call: 'POST /v1/categories/{id}/items/add', id: ids[at % categories] ?? '', body: { items: [id] } });
  }
  while (changes.length > 0) await call('/v1/menus/changes', { changes: changes.splice(0, 1000) });
  return names;
}
