import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { erasePeopleFromOrders } from '#ordering/server/erase-guests.ts';
import type { Order } from '#ordering/order.ts';
import { addPrinter, fakePrinters } from '#testing/fake-printers.ts';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

let app: TestApp;
let admin: string;
let cook: string;
beforeAll(async () => {
  app = await startTestApp({ vat_number: 'GB 1' }, { PAYMENT_SANDBOX: '1' }, undefined, {
    transports: fakePrinters().transports,
  });
  await addPrinter(app);
  [admin, cook] = await Promise.all([app.signIn('admin'), app.signIn('store_admin', [app.shop.storeId])]);
});
afterAll(() => app.close());

/** Two small pizzas with olives at £10.50 and one chips at £3.00, in cash: £24.00. */
async function place(change: Record<string, unknown> = {}): Promise<Order> {
  const { pizza, chips, size, topping } = app.shop;
  const lines = [
    {
      item_id: pizza,
      quantity: 2,
      note: 'well done',
      options: [
        { option_group_id: size.group, option_id: size.small, quantity: 1 },
        { option_group_id: topping.group, option_id: topping.olives, quantity: 1 },
      ],
    },
    { item_id: chips, quantity: 1, note: '', options: [] },
  ];
  const { status, body } = await app.request('POST', '/v1/orders', { body: app.orderBody({ lines, ...change }) });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.data;
}
const remove = (
  id: string,
  lines: unknown,
  { reason = 'sold_out', token = cook, key }: { reason?: unknown; token?: string; key?: string } = {},
) =>
  app.request('POST', `/v1/orders/${id}/lines/remove`, {
    body: { lines, reason },
    token,
    headers: key === undefined ? {} : { 'idempotency-key': key },
  });
const step = async (id: string, call: string, body: object = {}) => {
  expect((await app.request('POST', `/v1/orders/${id}/${call}`, { body, token: admin })).status).toBe(200);
};
const read = async (id: string, options: { token?: string; headers?: Record<string, string> } = { token: admin }) =>
  (await app.request('GET', `/v1/orders/${id}`, options)).body.data as Order;
const first = ({ lines }: Order) => lines[0]?.id ?? '';
const second = ({ lines }: Order) => lines[1]?.id ?? '';

describe('a ticked dish', () => {
  const tick = (id: string, lines: unknown, done: unknown = true, token = cook, key?: string) =>
    app.request('POST', `/v1/orders/${id}/lines/done`, {
      body: { lines, done },
      token,
      headers: key === undefined ? {} : { 'idempotency-key': key },
    });
  const ticks = ({ lines }: Order) => lines.map(({ done_at: doneAt = null }) => doneAt);
  const accepted = async () => {
    const order = await place();
    await step(order.id, 'accept', { minutes: 20 });
    return order;
  };

  test('is seen by staff until the tick is cleared, and leaves the order as open as before', async () => {
    const order = await accepted();
    const { status, body } = await tick(order.id, [first(order)]);
    expect(status).toBe(200);
    expect(ticks(body.data)).toEqual([app.clock.now.toISOString(), null]);
    expect(body.data).toMatchObject({ status: 'accepted', version: order.version + 2 });
    expect(body.data.actions).toContain('packed');
    expect(body.data.history).toHaveLength(2);
    const cleared = await tick(order.id, [first(order)], false);
    expect(ticks(cleared.body.data)).toEqual([null, null]);
    expect(ticks(await read(order.id))).toEqual([null, null]);
    await step(order.id, 'packed');
  });

  test('of two boards counts once, with the time of the first', async () => {
    const order = await accepted();
    const at = app.clock.now.toISOString();
    const both = await Promise.all([tick(order.id, [first(order)]), tick(order.id, [first(order)])]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    app.clock.now = new Date(app.clock.now.getTime() + 60_000);
    const late = (await tick(order.id, [first(order), second(order)])).body.data as Order;
    expect(ticks(late)).toEqual([at, app.clock.now.toISOString()]);
    expect(late.version).toBe(order.version + 3);
    await step(order.id, 'packed');
    expect(ticks((await tick(order.id, [second(order)], false)).body.data)).toEqual([at, null]);
  });

  test('keeps its tick when a piece is taken off; a tablet that slept may tick one that is gone', async () => {
    const order = await accepted();
    await tick(order.id, [first(order)]);
    await remove(order.id, [
      { line_id: first(order), quantity: 1 },
      { line_id: second(order), quantity: 1 },
    ]);
    const { status, body } = await tick(order.id, [second(order)]);
    expect([status, body.data.lines.length]).toEqual([200, 1]);
    expect(ticks(body.data)).toEqual([app.clock.now.toISOString()]);
  });

  test('is refused unless the kitchen has the order, its line is known, and the caller works there', async () => {
    const order = await place();
    const early = await tick(order.id, [first(order)]);
    expect([early.status, early.body.code]).toEqual([409, 'illegal_transition']);
    await step(order.id, 'accept', { minutes: 20 });
    const unknown = await tick(order.id, [first(order), randomUUID()]);
    expect([unknown.status, Object.keys(unknown.body.errors)]).toEqual([422, ['lines.1']]);
    const stranger = await app.signIn('store_admin', []);
    expect((await tick(order.id, [first(order)], true, stranger)).status).toBe(403);
    expect(ticks(await read(order.id))).toEqual([null, null]);
    const key = randomUUID();
    expect((await tick(order.id, [first(order)], true, cook, key)).status).toBe(200);
    expect((await tick(order.id, [first(order)], false, cook, key)).body.code).toBe('idempotency_conflict');
    await step(order.id, 'collected-by-customer');
    const late = await tick(order.id, [second(order)]);
    expect([late.status, late.body.code]).toEqual([409, 'illegal_transition']);
  });

  test('is no matter of the customer, whose view has no ticks', async () => {
    const order = await accepted();
    await tick(order.id, [first(order)]);
    const { lines } = await read(order.id, {});
    expect(lines.map((line) => 'done_at' in line)).toEqual([false, false]);
  });
});

describe('a dish taken off', () => {
  test('is gone from lines, sums and VAT, and stands among what was removed', async () => {
    const order = await place();
    const { status, body } = await remove(order.id, [{ line_id: first(order), quantity: 1 }]);
    expect(status).toBe(200);
    const { data } = body;
    expect(data).toMatchObject({
      status: 'placed',
      version: order.version + 1,
      subtotal: order.subtotal - 1050,
      total: order.total - 1050,
      removed_refunded: 0,
      refunded: 0,
      removed: [
        {
          line_id: first(order),
          name: 'Margherita',
          quantity: 1,
          amount: 1050,
          reason: 'sold_out',
          options: [{ quantity: 1 }, { name: 'Olives', quantity: 1 }],
        },
      ],
    });
    expect(data.lines.map(({ quantity, total }: { quantity: number; total: number }) => [quantity, total])).toEqual([
      [1, 1050],
      [1, 300],
    ]);
    const taxed = data.vat.reduce((sum: number, row: { net: number; vat: number }) => sum + row.net + row.vat, 0);
    expect(taxed).toBe(data.total);
    expect(data.history.at(-1)).toMatchObject({
      from: 'placed',
      to: 'placed',
      note: {
        kind: 'lines_removed',
        lines: [{ name: 'Margherita', quantity: 1 }],
        amount: 1050,
        currency: 'GBP',
        reason: 'sold_out',
      },
      reason: 'Taken off: 1 × Margherita, £10.50 less. Sold out',
    });
  });

  test.each(['accept', 'packed'])('may go after %s', async (last) => {
    const order = await place();
    await step(order.id, 'accept');
    if (last === 'packed') await step(order.id, 'packed');
    expect((await remove(order.id, [{ line_id: second(order), quantity: 1 }])).status).toBe(200);
  });

  test.each([
    ['collected-by-customer', {}],
    ['cancel', { reason: 'x' }],
  ])('may not go after %s: 409 with the calls that are open', async (last, body) => {
    const order = await place();
    await step(order.id, 'accept');
    await step(order.id, last, body);
    const answer = await remove(order.id, [{ line_id: second(order), quantity: 1 }]);
    expect([answer.status, answer.body.code]).toEqual([409, 'illegal_transition']);
    expect(answer.body.open_calls).toEqual(last === 'cancel' ? [] : ['undo']);
  });

  test('may not go while its card has not paid', async () => {
    const order = await place({ payment_method: 'card' });
    expect((await remove(order.id, [{ line_id: second(order), quantity: 1 }])).body.code).toBe('illegal_transition');
  });

  test('that is the last cancels the order, with its lines kept and the reason as a code', async () => {
    const order = await place();
    await step(order.id, 'accept');
    const { body } = await remove(order.id, [
      { line_id: first(order), quantity: 2 },
      { line_id: second(order), quantity: 1 },
    ]);
    expect(body.data).toMatchObject({ status: 'cancelled', total: order.total, removed: [], lines: order.lines });
    expect(body.data.history.at(-1)).toMatchObject({ to: 'cancelled', reason: 'sold_out' });
  });
});

describe('who may', () => {
  test('staff of the shop and the owner; nobody else', async () => {
    const order = await place();
    const lines = [{ line_id: second(order), quantity: 1 }];
    const stranger = await app.signIn('store_admin', [randomUUID()]);
    const customer = await app.signIn('customer');
    expect((await remove(order.id, lines, { token: stranger })).status).toBe(403);
    expect((await remove(order.id, lines, { token: customer })).status).toBe(403);
    const bySession = await app.request('POST', `/v1/orders/${order.id}/lines/remove`, {
      body: { lines, reason: 'x' },
      headers: { 'x-order-session': order.session ?? '' },
    });
    expect(bySession.status).toBe(401);
    expect((await remove(randomUUID(), lines)).status).toBe(404);
    expect((await remove(order.id, lines, { token: admin })).status).toBe(200);
  });

  test('the customer sees what went and what it cost, not who did it', async () => {
    const order = await place();
    await remove(order.id, [{ line_id: second(order), quantity: 1 }], { reason: 'Mrs Smith dropped it' });
    const guest = await read(order.id, {});
    expect(guest.removed).toEqual([expect.objectContaining({ name: 'Chips', quantity: 1, amount: 300 })]);
    expect(JSON.stringify(guest)).not.toContain('Smith');
    const own = await read(order.id, { headers: { 'x-order-session': order.session ?? '' } });
    expect(own.removed[0]?.reason).toBe('Mrs Smith dropped it');
    await app.database.db.transaction().execute((tx) => erasePeopleFromOrders(tx, app.services, [order.id]));
    expect((await read(order.id)).removed).toEqual([
      expect.objectContaining({ name: 'Chips', quantity: 1, amount: 300, reason: '' }),
    ]);
  });
});

describe('a bad request changes nothing', () => {
  test.each<[name: string, lines: (order: Order) => unknown, reason: unknown, path: string]>([
    ['no lines', () => [], 'x', 'lines'],
    ['no reason', (order) => [{ line_id: first(order), quantity: 1 }], ' ', 'reason'],
    ['a long reason', (order) => [{ line_id: first(order), quantity: 1 }], 'x'.repeat(301), 'reason'],
    ['nothing of a line', (order) => [{ line_id: first(order), quantity: 0 }], 'x', 'lines.0.quantity'],
    ['half a dish', (order) => [{ line_id: first(order), quantity: 0.5 }], 'x', 'lines.0.quantity'],
    ['more than there are', (order) => [{ line_id: first(order), quantity: 3 }], 'x', 'lines.0.quantity'],
    ['a line of no order', () => [{ line_id: randomUUID(), quantity: 1 }], 'x', 'lines.0.line_id'],
    [
      'a line twice',
      (order) => [
        { line_id: first(order), quantity: 1 },
        { line_id: first(order), quantity: 1 },
      ],
      'x',
      'lines.1.line_id',
    ],
  ])('%s', async (_name, lines, reason, path) => {
    const order = await place();
    const { status, body } = await remove(order.id, lines(order), { reason });
    expect([status, Object.keys(body.errors)]).toEqual([422, [path]]);
    expect((await read(order.id)).version).toBe(order.version);
  });
});

describe('the same call twice', () => {
  test('with its key takes one dish off', async () => {
    const order = await place();
    const lines = [{ line_id: first(order), quantity: 1 }];
    const [one, two] = await Promise.all([
      remove(order.id, lines, { key: 'k' }),
      remove(order.id, lines, { key: 'k' }),
    ]);
    expect([one.status, two.status]).toEqual([200, 200]);
    expect((await read(order.id)).total).toBe(order.total - 1050);
    const other = await remove(order.id, [{ line_id: second(order), quantity: 1 }], { key: 'k' });
    expect([other.status, other.body.code]).toEqual([409, 'idempotency_conflict']);
  });

  test('by two members of staff who saw the same order takes one dish off; the other is told', async () => {
    const order = await place();
    const lines = [{ line_id: first(order), quantity: 1, was: 2 }];
    const both = await Promise.all([remove(order.id, lines), remove(order.id, lines, { token: admin })]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(both.find(({ status }) => status === 409)?.body.code).toBe('conflict');
    expect((await read(order.id)).total).toBe(order.total - 1050);
  });

  test('of a line that is gone is a conflict, not an unknown line', async () => {
    const order = await place();
    const lines = [{ line_id: second(order), quantity: 1 }];
    await remove(order.id, lines);
    const again = await remove(order.id, lines);
    expect([again.status, again.body.code]).toEqual([409, 'conflict']);
  });
});

test('what is on paper is printed again, marked as changed; a packed order prints only the customer receipt', async () => {
  const order = await place();
  await step(order.id, 'accept');
  const copies = async () =>
    (await app.request('GET', `/v1/orders/${order.id}/prints`, { token: admin })).body.data as {
      copy: string;
      status: string;
      text: string;
    }[];
  const printed = (count: number) =>
    expect.poll(async () => (await copies()).filter(({ status }) => status === 'printed').length).toBe(count);
  await printed(2);
  await remove(order.id, [{ line_id: first(order), quantity: 1 }]);
  await printed(4);
  const kitchen = (await copies()).findLast(({ copy }) => copy === 'kitchen')?.text ?? '';
  expect(kitchen).toContain('CHANGED');
  expect(kitchen).toMatch(/TAKEN OFF, DO NOT MAKE\n *1× +Margherita/);
  await step(order.id, 'packed');
  await remove(order.id, [{ line_id: second(order), quantity: 1 }]);
  await printed(5);
  expect((await copies()).map(({ copy }) => copy).toSorted()).toEqual([
    'customer',
    'customer',
    'customer',
    'kitchen',
    'kitchen',
  ]);
});

test('only the stations that had the dish are told that it was taken off', async () => {
  const { pizza, chips } = app.shop;
  for (const { id } of (await app.request('GET', '/v1/printers', { token: admin })).body.data) {
    await app.request('DELETE', `/v1/printers/${id}`, { token: admin });
  }
  const stations = { oven: pizza, fryer: chips };
  for (const [station, id] of Object.entries(stations)) {
    await app.request('PATCH', `/v1/items/${id}`, { body: { station }, token: admin });
    await addPrinter(app, { name: station, receipts: ['kitchen'], stations: [station] }, admin);
  }
  const order = await place();
  await step(order.id, 'accept');
  const papersOf = async (station: string): Promise<string[]> => {
    const { body } = await app.request('GET', `/v1/orders/${order.id}/prints`, { token: admin });
    const own = body.data.filter((print: { printer: string; status: string }) => print.printer === station);
    return own.map(({ text }: { text: string | null }) => text ?? '');
  };
  await expect.poll(async () => (await papersOf('oven'))[0]).toContain('and 1 more dish (fryer)');
  await expect.poll(async () => (await papersOf('fryer'))[0]).toContain('and 2 more dishes (oven)');
  await remove(order.id, [{ line_id: first(order), quantity: 1 }]);
  await expect.poll(async () => (await papersOf('oven'))[1]).toMatch(/TAKEN OFF, DO NOT MAKE\n *1× +Margherita/);
  expect(await papersOf('fryer')).toHaveLength(1);
  await remove(order.id, [{ line_id: second(order), quantity: 1 }]);
  await expect.poll(async () => (await papersOf('fryer'))[1]).toMatch(/TAKEN OFF, DO NOT MAKE\n *1× +Chips/);
  expect((await papersOf('fryer'))[1]).not.toContain('Margherita');
  expect(await papersOf('oven')).toHaveLength(2);
});
