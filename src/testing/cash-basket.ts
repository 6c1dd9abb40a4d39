import type { Shop } from '#testing/running-shop.ts';

interface ShownItem {
  id: string;
  is_available: boolean;
  option_groups: { min_select: number }[];
}

/** The body that orders one dish for collection and cash, without the order's session. */
export async function cashBasket({ api, storeId }: Pick<Shop, 'api' | 'storeId'>): Promise<Record<string, unknown>> {
  const { body: menus } = await api('GET', `/v1/menus/store/${storeId}?include=categories.items.option_groups`);
  const [menu] = menus['data'] as { categories: { items: ShownItem[] }[] }[];
  const item = menu?.categories
    .flatMap(({ items }) => items)
    .find((one) => one.is_available && one.option_groups.every(({ min_select: least }) => least === 0));
  return {
    store_id: storeId,
    fulfilment_type: 'collection',
    contact: { name: 'Ada Byron', phone: '07700 900123' },
    payment_method: 'cash',
    lines: [{ item_id: item?.id, quantity: 1 }],
  };
}
