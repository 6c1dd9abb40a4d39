import { afterAll, beforeAll, expect, test } from 'vitest';
import { countVersionUp } from '#testing/count-version-up.ts';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

let app: TestApp;
let admin: string;
beforeAll(async () => {
  app = await startTestApp();
  admin = await app.signIn('admin');
  const { db } = app.database;
  await db.updateTable('options').set({ allergens: null }).where('id', '=', app.shop.topping.chilli).execute();
  const mayHaveNuts = JSON.stringify({ contains: [], may_contain: ['nuts'] });
  await db.updateTable('items').set({ allergens: mayHaveNuts }).where('id', '=', app.shop.chips).execute();
  await countVersionUp(db);
});
afterAll(() => app.close());

/** A pizza with milk and an unstated topping, and chips that may contain nuts. */
const bodyWith = (change: Record<string, unknown> = {}) => {
  const { shop } = app;
  return app.orderBody({
    lines: [
      {
        item_id: shop.pizza,
        quantity: 1,
        options: [
          { option_group_id: shop.size.group, option_id: shop.size.large },
          { option_group_id: shop.topping.group, option_id: shop.topping.chilli },
        ],
      },
      { item_id: shop.chips, quantity: 1 },
    ],
    ...change,
  });
};
const place = (change?: Record<string, unknown>) => app.request('POST', '/v1/orders', { body: bodyWith(change) });
interface WithConflicts {
  lines: { allergen_conflicts?: unknown }[];
}
const conflictsIn = ({ lines }: WithConflicts) => lines.map(({ allergen_conflicts }) => allergen_conflicts);

const allergies = ['nuts', 'milk', 'nuts'];
const conflicts = [
  [
    { code: 'milk', kind: 'contains' },
    { code: 'nuts', kind: 'not_stated' },
  ],
  [{ code: 'nuts', kind: 'may_contain' }],
];

test('a quote says which lines have what the customer avoids; nothing is refused for it', async () => {
  const { status, body } = await app.request('POST', '/v1/orders/quote', { body: bodyWith({ allergies }) });
  expect(status).toBe(200);
  expect(conflictsIn(body.data)).toEqual(conflicts);
  expect(body.data.problems).toEqual([]);
});

test('an order carries what its customer confirmed, for staff, its session and its account, and for nobody else', async () => {
  const customer = await app.signIn('customer');
  const placed = await app.request('POST', '/v1/orders', { body: bodyWith({ allergies }), token: customer });
  expect(placed.status).toBe(201);
  const { id, session } = placed.body.data;
  const path = `/v1/orders/${id}`;
  const readers = [
    placed,
    await app.request('GET', path, { token: admin }),
    await app.request('GET', path, { token: customer }),
    await app.request('GET', path, { headers: { 'x-order-session': session } }),
  ];
  for (const { body } of readers) {
    expect(body.data.allergies).toEqual(['milk', 'nuts']);
    expect(conflictsIn(body.data)).toEqual(conflicts);
  }
  const stranger = (await app.request('GET', path)).body.data;
  expect(stranger).not.toHaveProperty('allergies');
  expect(conflictsIn(stranger)).toEqual([undefined, undefined]);
});

test('a guest’s order is answered as it is stored', async () => {
  const { body } = await place({ allergies });
  const read = await app.request('GET', `/v1/orders/${body.data.id}`, { token: admin });
  expect([read.body.data.allergies, conflictsIn(read.body.data)]).toEqual([body.data.allergies, conflicts]);
});

test('an order without any has none, and so has one from before there were any', async () => {
  const { body } = await place();
  expect([body.data.allergies, conflictsIn(body.data)]).toEqual([[], [[], []]]);
  const { db } = app.database;
  const lines = body.data.lines.map(({ allergen_conflicts: _conflicts, ...line }: Record<string, unknown>) => line);
  await db
    .updateTable('orders')
    .set({ lines: JSON.stringify(lines) })
    .where('id', '=', body.data.id)
    .execute();
  const read = await app.request('GET', `/v1/orders/${body.data.id}`, { token: admin });
  expect(conflictsIn(read.body.data)).toEqual([[], []]);
});

test.each([[['kryptonite']], ['nuts'], [Array.from({ length: 15 }, () => 'nuts')]])(
  'what is no list of the 14 is refused in words: %j',
  async (wrong) => {
    const { status, body } = await place({ allergies: wrong });
    expect(status).toBe(422);
    expect(Object.keys(body.errors)[0]).toMatch(/^allergies/);
  },
);
