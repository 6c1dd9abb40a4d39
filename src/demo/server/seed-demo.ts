import { randomUUIDv7 } from 'node:crypto';
import type { Db, Tx } from '#database/schema.ts';
import { inTransaction } from '#database/transaction.ts';
import type { DemoShop } from '#demo/demo-parts.ts';
import { insertNewMenu } from '#menu/server/editing/write-difference.ts';
import { addOutboxEntry } from '#realtime/server/outbox.ts';
import { createStore, lockFirstStoreCreation, setOnboarding } from '#store/server/change-store.ts';
import { hasEverHadStore } from '#store/server/store-views.ts';
import { demoPictureUrl } from '#demo/server/pictures.ts';

/** Fills an empty database with the demo takeaway. Returns false if the database has ever had a store. */
export async function seedDemo(db: Db, now: Date): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    await lockFirstStoreCreation(tx);
    if (await hasEverHadStore(tx)) return false;
    // The demo menu's module is loaded only if a demo shop is created.
    const { demoShop } = await import('#demo/demo-shop.ts');
    const store = { ...storeRow(demoShop), created_at: now };
    const call = { db: tx, afterCommit() {} };
    await createStore(nobodyYet, call, store, () => fill(tx, store.id, demoShop));
    // A demo shop is for trying out, so the guided set-up is hidden.
    const announced = new Set([`store ${store.id}`]);
    await setOnboarding(nobodyYet, { ...call, announced }, store.id, { is_shown: false });
    return true;
  });
}

/** Services that do nothing. The application has not started yet, so there are no caches and workers to inform. */
const nobodyYet: Parameters<typeof createStore>[0] = {
  keySets: { cards: () => ({ card_provider: null, has_card_keys: false }) },
  menus: { forget() {} },
  outbox: { add: addOutboxEntry, wake() {} },
};

async function fill(tx: Tx, storeId: string, demoShop: DemoShop): Promise<void> {
  const optionIds = await insertOptions(tx, storeId, demoShop);
  const groupIds = await insertGroups(tx, storeId, optionIds, demoShop);
  const itemIds = await insertItems(tx, storeId, groupIds, optionIds, demoShop);
  await insertCategories(tx, storeId, itemIds, demoShop);
}

function storeRow(demoShop: DemoShop) {
  const { location, address, operational_hours, closures, delivery_zones, payment_methods, ...plain } = demoShop.store;
  return {
    ...plain,
    id: randomUUIDv7(),
    latitude: location.latitude,
    longitude: location.longitude,
    address: JSON.stringify(address),
    operational_hours: JSON.stringify(operational_hours),
    closures: JSON.stringify(closures),
    delivery_zones: JSON.stringify(delivery_zones),
    payment_methods: JSON.stringify(payment_methods),
    logo: null,
    is_demo: true,
  };
}

/** Gives every part a new id; returns the ids by key. */
function giveIds(things: readonly { key: string }[]): Map<string, string> {
  return new Map(things.map(({ key }) => [key, randomUUIDv7()]));
}

function idOf(ids: Map<string, string>, key: string): string {
  const id = ids.get(key);
  if (id === undefined) throw new Error(`The demo shop names "${key}", which it does not have.`);
  return id;
}

async function insertOptions(tx: Tx, storeId: string, demoShop: DemoShop): Promise<Map<string, string>> {
  const ids = giveIds(demoShop.options);
  await insertNewMenu(tx, {
    options: demoShop.options.map(({ key, allergens, ...option }) => ({
      ...option,
      id: idOf(ids, key),
      store_id: storeId,
      allergens: allergens && JSON.stringify(allergens),
    })),
  });
  return ids;
}

async function insertGroups(
  tx: Tx,
  storeId: string,
  optionIds: Map<string, string>,
  demoShop: DemoShop,
): Promise<Map<string, string>> {
  const ids = giveIds(demoShop.option_groups);
  await insertNewMenu(tx, {
    option_groups: demoShop.option_groups.map(({ key, options: _options, ...group }) => ({
      ...group,
      id: idOf(ids, key),
      store_id: storeId,
    })),
    option_group_options: demoShop.option_groups.flatMap(({ key, options }) =>
      options.map(({ option, price }, position) => ({
        option_group_id: idOf(ids, key),
        option_id: idOf(optionIds, option),
        position,
        price,
      })),
    ),
  });
  return ids;
}

async function insertItems(
  tx: Tx,
  storeId: string,
  groupIds: Map<string, string>,
  optionIds: Map<string, string>,
  demoShop: DemoShop,
): Promise<Map<string, string>> {
  const ids = giveIds(demoShop.items);
  await insertNewMenu(tx, {
    items: demoShop.items.map(({ key, picture, allergens, dietary, option_groups: _groups, ...item }) => ({
      ...item,
      id: idOf(ids, key),
      store_id: storeId,
      image: demoPictureUrl(picture),
      dietary: [...dietary],
      allergens: allergens && JSON.stringify(allergens),
    })),
    item_option_groups: demoShop.items.flatMap(({ key, option_groups: groups }) =>
      groups.map(({ option_group: group, shown_when_option_id: shownWhen }, position) => ({
        item_id: idOf(ids, key),
        option_group_id: idOf(groupIds, group),
        position,
        shown_when_option_id: shownWhen === null ? null : idOf(optionIds, shownWhen),
      })),
    ),
  });
  return ids;
}

async function insertCategories(
  tx: Tx,
  storeId: string,
  itemIds: Map<string, string>,
  demoShop: DemoShop,
): Promise<void> {
  const menuId = randomUUIDv7();
  const { availability, ...menu } = demoShop.menu;
  await insertNewMenu(tx, {
    menus: [
      {
        ...menu,
        id: menuId,
        store_id: storeId,
        position: 0,
        availability: availability && JSON.stringify(availability),
      },
    ],
  });
  const ids = giveIds(demoShop.categories);
  await insertNewMenu(tx, {
    categories: demoShop.categories.map(({ key, items: _items, ...category }, position) => ({
      ...category,
      id: idOf(ids, key),
      menu_id: menuId,
      image: null,
      position,
    })),
    category_items: demoShop.categories.flatMap(({ key, items }) =>
      items.map((item, position) => ({ category_id: idOf(ids, key), item_id: idOf(itemIds, item), position })),
    ),
  });
}
