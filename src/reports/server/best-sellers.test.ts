import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from 'kysely';
import { bestSellersWork } from '#reports/server/best-sellers.ts';
import { updateTakingsSums } from '#reports/server/sum-days.ts';
import { writeOrders } from '#reports/testing/samples.ts';
import { startAppOn, startTestApp, type TestApp } from '#testing/test-app.ts';

let app: TestApp;
let other: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  other = await startAppOn(app.database, app.shop);
});
afterAll(async () => {
  await other.stop();
  await app.close();
});

const pizza = '01990000-0000-7000-8000-000000000001';
const chips = '01990000-0000-7000-8000-000000000002';
const soup = '01990000-0000-7000-8000-000000000003';
const order = (day: string, quantities: Record<string, number>, count: number, isTest = false) =>
  Array.from({ length: count }, () => ({
    day,
    lines: Object.entries(quantities).map(([item_id, quantity]) => ({ item_id, name: 'Dish', quantity, total: 100 })),
    subtotal: 100,
    vat: [{ rate: 2000, net: 83, vat: 17 }],
    is_test: isTest,
  }));
const write = async (orders: ReturnType<typeof order>) => {
  await writeOrders(app.database.db, app.shop.storeId, orders);
  await updateTakingsSums(app.database.db);
};
/** Both instances look at `time`. Returns the best sellers and the version that each shows. */
const look = async (time: string) => {
  await Promise.all(
    [app, other].map(async ({ services, database }) => {
      const { due, work } = bestSellersWork(services);
      const { rows } = await sql<{ due: Parameters<typeof work>[0] | null }>`
        select (${due(new Date(time))}) as due`.execute(database.db);
      if (rows[0]?.due) await work(rows[0].due);
    }),
  );
  const read = async ({ request, shop }: TestApp) =>
    (await request('GET', `/v1/stores/${shop.storeId}`)).body.data as { best_sellers?: string[]; version: number };
  const { version } = await app.database.db.selectFrom('stores').select('version').executeTakeFirstOrThrow();
  // The instance that did not do the work hears of it a moment later.
  await expect
    .poll(async () => (await Promise.all([read(app), read(other)])).map((store) => store.version))
    .toEqual([version, version]);
  const [here, there] = await Promise.all([read(app), read(other)]);
  expect(there).toEqual(here);
  return { dishes: here.best_sellers, version: here.version };
};

test('the best sellers of thirty days are counted once a day, and a shop with few or test orders has none', async () => {
  await write([...order('2026-11-20', { [soup]: 9 }, 29), ...order('2026-11-20', { [soup]: 9 }, 10, true)]);
  const none = await look('2026-11-21T12:00:00Z');
  expect(none.dishes).toBeUndefined();

  await write([...order('2026-11-21', { [chips]: 2 }, 20), ...order('2026-11-21', { [pizza]: 1 }, 4)]);
  expect(await look('2026-11-21T13:00:00Z'), 'the day has not ended').toEqual(none);
  const first = await look('2026-11-22T12:00:00Z');
  expect(first).toEqual({ dishes: [soup, chips], version: none.version + 1 });
  expect(await look('2026-11-23T12:00:00Z'), 'the same list is no change').toEqual(first);

  await write(order('2026-12-01', { [pizza]: 3 }, 30));
  expect((await look('2026-12-02T12:00:00Z')).dishes).toEqual([soup, pizza, chips]);
  expect((await look('2026-12-21T12:00:00Z')).dishes).toEqual([pizza, chips]);
  expect((await look('2027-02-01T12:00:00Z')).dishes).toBeUndefined();
});
