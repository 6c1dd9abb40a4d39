import { randomUUIDv7 } from 'node:crypto';
import type { Db } from '#database/schema.ts';
import { inTransaction } from '#database/transaction.ts';
import { weekdays } from '#database/page-values.ts';

/** Saturday, 21 November 2026, 18:00 in London: the small shop is open. The tests' clock begins here. */
export const saturdayEvening = new Date('2026-11-21T18:00:00Z');

/** The ids of a shop that is small enough to remember. */
export interface SmallShop {
  storeId: string;
  menuId: string;
  categoryId: string;
  /** £9.50, requires one size and allows up to three toppings. */
  pizza: string;
  /** £3.00, without options. */
  chips: string;
  size: { group: string; small: string; large: string };
  topping: { group: string; olives: string; chilli: string; cheese: string };
}

/** Most tests place many orders as one person, from one address. */
const unlimited = { max_open_orders_per_person: null, max_orders_per_address_hour: null };

/**
 * `limits`: none in a database that does not know them. Open daily from 12:00 to 23:00 in Europe/London; delivers to
 * CV21 for £2.50 from £12.00, and to CV22 for £4.00.
 */
export async function seedSmallShop(
  db: Db,
  store: Record<string, unknown> = {},
  limits: Partial<typeof unlimited> = unlimited,
): Promise<SmallShop> {
  const id = () => randomUUIDv7();
  const shop: SmallShop = {
    storeId: id(),
    menuId: id(),
    categoryId: id(),
    pizza: id(),
    chips: id(),
    size: { group: id(), small: id(), large: id() },
    topping: { group: id(), olives: id(), chilli: id(), cheese: id() },
  };
  // At once: a running application reads new stores by itself, and would keep this one without its menu.
  await inTransaction(db, async (tx) => {
    await insertStore(tx, shop.storeId, { ...limits, ...store });
    await insertMenu(tx, shop);
    await insertOptions(tx, shop);
  });
  return shop;
}

async function insertStore(db: Db, storeId: string, store: Record<string, unknown>): Promise<void> {
  await db
    .insertInto('stores')
    .values({
      id: storeId,
      name: `Shop ${storeId}`,
      slug: `shop-${storeId}`,
      legal_name: 'Small Shop Ltd',
      phone: '01632 960001',
      address: JSON.stringify({ line1: '1 High Street', line2: '', city: 'Rugby', postcode: 'CV21 1AA' }),
      operational_hours: JSON.stringify(weekdays.map((day) => ({ day, open: '12:00', close: '23:00' }))),
      closures: '[]',
      delivery_enabled: true,
      delivery_zones: JSON.stringify([
        {
          name: 'Near',
          postcode_prefixes: ['CV21'],
          fee: 250,
          minimum_order: 1200,
          free_over: 3000,
          extra_minutes: 15,
        },
        { name: 'Far', postcode_prefixes: ['CV22'], fee: 400, minimum_order: 2000, free_over: null, extra_minutes: 25 },
      ]),
      payment_methods: JSON.stringify({ collection: ['cash', 'card'], delivery: ['cash', 'card'] }),
      guest_checkout: true,
      is_demo: true,
      created_at: saturdayEvening,
      ...store,
    })
    .execute();
}

async function insertMenu(db: Db, shop: SmallShop): Promise<void> {
  const { storeId } = shop;
  await db.insertInto('menus').values({ id: shop.menuId, store_id: storeId, name: 'Menu', position: 0 }).execute();
  await db
    .insertInto('categories')
    .values({ id: shop.categoryId, menu_id: shop.menuId, name: 'Food', position: 0 })
    .execute();
  await db
    .insertInto('items')
    .values([
      {
        id: shop.pizza,
        store_id: storeId,
        name: 'Margherita',
        price: 950,
        vat_rate: 2000,
        allergens: JSON.stringify({ contains: ['gluten', 'milk'], may_contain: [] }),
      },
      {
        id: shop.chips,
        store_id: storeId,
        name: 'Chips',
        price: 300,
        vat_rate: 2000,
        allergens: JSON.stringify({ contains: [], may_contain: [] }),
      },
    ])
    .execute();
  await db
    .insertInto('category_items')
    .values([shop.pizza, shop.chips].map((item_id, position) => ({ category_id: shop.categoryId, item_id, position })))
    .execute();
}

async function insertOptions(db: Db, shop: SmallShop): Promise<void> {
  const { storeId } = shop;
  await db
    .insertInto('option_groups')
    .values([
      { id: shop.size.group, store_id: storeId, name: 'Size', min_select: 1, max_select: 1 },
      { id: shop.topping.group, store_id: storeId, name: 'Toppings', min_select: 0, max_select: 3 },
    ])
    .execute();
  const options = [
    { id: shop.size.small, group: shop.size.group, name: 'Small', price: 0 },
    { id: shop.size.large, group: shop.size.group, name: 'Large', price: 300 },
    { id: shop.topping.olives, group: shop.topping.group, name: 'Olives', price: 100 },
    { id: shop.topping.chilli, group: shop.topping.group, name: 'Chilli', price: 80 },
    { id: shop.topping.cheese, group: shop.topping.group, name: 'Extra cheese', price: 150 },
  ];
  await db
    .insertInto('options')
    .values(
      options.map(({ group: _group, ...option }) => ({
        ...option,
        store_id: storeId,
        allergens: JSON.stringify({ contains: [], may_contain: [] }),
      })),
    )
    .execute();
  await db
    .insertInto('option_group_options')
    .values(options.map(({ id: option_id, group }, position) => ({ option_group_id: group, option_id, position })))
    .execute();
  await db
    .insertInto('item_option_groups')
    .values(
      [shop.size.group, shop.topping.group].map((option_group_id, position) => ({
        item_id: shop.pizza,
        option_group_id,
        position,
      })),
    )
    .execute();
}
