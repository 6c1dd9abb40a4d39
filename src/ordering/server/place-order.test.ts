import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { countVersionUp } from '#testing/count-version-up.ts';
import { hashSession } from '#ordering/server/order-sessions.ts';
import { saturdayEvening } from '#testing/small-shop.ts';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(() => {
  app.clock.now = saturdayEvening;
});
afterAll(() => app.close());

const place = (change: Record<string, unknown> = {}) =>
  app.request('POST', '/v1/orders', { body: app.orderBody(change) });
const countOrders = async (session: unknown) =>
  (
    await app.database.db
      .selectFrom('orders')
      .select('id')
      .where('session_hash', '=', hashSession(String(session)))
      .execute()
  ).length;
const pizzaLine = (change: Record<string, unknown> = {}) => ({
  item_id: app.shop.pizza,
  quantity: 1,
  options: [{ option_group_id: app.shop.size.group, option_id: app.shop.size.large, quantity: 1 }],
  ...change,
});

async function priceChips(price: number): Promise<void> {
  const { db } = app.database;
  await db.updateTable('items').set({ price }).where('id', '=', app.shop.chips).execute();
  await countVersionUp(db);
}

describe('placing an order', () => {
  test('a cash order is placed, priced by the server and answered whole', async () => {
    const { status, body } = await place({ tip: 100, expected_total: 1350 });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      status: 'placed',
      payment_status: 'unpaid',
      subtotal: 1250,
      tip: 100,
      total: 1350,
      contact: { name: 'Ada Byron' },
      payment: { method: 'cash', redirect_url: null },
      history: [{ from: null, to: 'placed', actor: 'guest' }],
    });
    expect(body.data.answer_by).toBe('2026-11-21T18:10:00.000Z');
  });

  test('a size that is the price is charged instead of the price of the dish, on the receipts too', async () => {
    const token = await app.signIn('admin');
    const { pizza, size, topping } = app.shop;
    const set = (fields: object) => app.request('PATCH', `/v1/option-groups/${size.group}`, { token, body: fields });
    const prices = [size.small, size.large].map((id, at) => ({ id, price_override: at === 0 ? 700 : 1000 }));
    expect((await set({ pricing: 'is_price', options: prices })).status).toBe(200);
    const cheese = { option_group_id: topping.group, option_id: topping.cheese, quantity: 1 };
    const sized = pizzaLine({ quantity: 2 });
    const lines = [{ ...sized, options: [...sized.options, cheese] }];
    const { session: _session, contact: _contact, payment_method: _method, ...basket } = app.orderBody({ lines });
    const quoted = await app.request('POST', '/v1/orders/quote', { body: basket });
    expect(quoted.body.data).toMatchObject({ total: 2300, problems: [] });
    const { status, body } = await place({ lines, expected_total: 2300 });
    expect([status, body.data.lines]).toMatchObject([
      201,
      [{ item_id: pizza, unit_price: 1150, total: 2300, options: [{ name: 'Large', price: 1000 }, { price: 150 }] }],
    ]);
    const drawn = await app.request('GET', `/v1/orders/${body.data.id}/receipts`, { token });
    expect(drawn.body.data.find(({ copy }: { copy: string }) => copy === 'customer').text).toMatch(/11\.50[^]*23\.00/);
    const none = await place({ lines: [pizzaLine({ options: [] })] });
    expect(none.body).toMatchObject({ code: 'order_refused', problems: [{ code: 'option_group_min' }] });
    await set({ pricing: 'adds', options: prices.map(({ id }) => ({ id, price_override: null })) });
  });

  test.each(['card', 'cash'])('an order that costs nothing is placed and paid at once, by %s', async (method) => {
    const { db } = app.database;
    await priceChips(0);
    const lines = [{ item_id: app.shop.chips, quantity: 1, options: [] }];
    const { status, body } = await place({ lines, payment_method: method });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({ total: 0, status: 'placed', payment_status: 'paid' });
    expect(body.data.payment).toMatchObject({ redirect_url: null, held_until: null });
    expect(await db.selectFrom('payments').select('id').where('order_id', '=', body.data.id).execute()).toEqual([]);
    await priceChips(300);
  });

  test('a card is refused below the least amount of its provider, in words beside its field', async () => {
    await priceChips(29);
    const lines = [{ item_id: app.shop.chips, quantity: 1, options: [] }];
    const { status, body } = await place({ lines, payment_method: 'card' });
    expect(status).toBe(422);
    expect(body).toMatchObject({
      code: 'order_refused',
      errors: { payment_method: ['Cards are taken from £0.30. Please choose another way to pay.'] },
    });
    expect((await place({ lines, payment_method: 'cash' })).body.data).toMatchObject({ total: 29, status: 'placed' });
    await priceChips(300);
  });

  test('what is answered is what is stored', async () => {
    const session = randomUUID();
    const placed = await place({ session, note: 'Ring twice', allergy_note: 'Nuts' });
    const read = await app.request('GET', `/v1/orders/${placed.body.data.id}`, {
      headers: { 'x-order-session': session },
    });
    expect(read.body.data).toEqual(placed.body.data);
  });

  test('order numbers of a trading day count up and start again on the next one', async () => {
    const first = await place();
    const second = await place();
    expect(Number(second.body.data.number)).toBe(Number(first.body.data.number) + 1);
    app.clock.now = new Date('2026-11-22T18:00:00Z');
    expect((await place()).body.data.number).toBe('1');
  });

  test('the same session again answers the one order', async () => {
    const body = app.orderBody();
    const first = await app.request('POST', '/v1/orders', { body });
    const second = await app.request('POST', '/v1/orders', { body });
    expect([first.status, second.status]).toEqual([201, 200]);
    expect(second.body.data.id).toBe(first.body.data.id);
  });

  test.each([
    ['on a break', { paused_until: '2026-11-21T18:30:00Z' }, 'shop_paused'],
    ['after last orders', { last_order_minutes: 310 }, 'shop_closed'],
  ])('as soon as possible is refused %s, and never taken for a time ahead', async (_when, store, code) => {
    const change = async (to: Record<string, unknown>) => {
      await app.database.db.updateTable('stores').set(to).execute();
      await countVersionUp(app.database.db);
    };
    await change(store);
    try {
      const session = randomUUID();
      const refused = await place({ session });
      expect([refused.status, refused.body.code]).toEqual([422, 'order_refused']);
      expect(refused.body.problems).toMatchObject([{ code, path: 'requested_for' }]);
      expect(await countOrders(session)).toBe(0);
      const { session: _s, contact: _c, payment_method: _p, ...basket } = app.orderBody();
      const { body } = await app.request('POST', '/v1/orders/quote', { body: basket });
      const ahead = await place({ requested_for: body.data.earliest_at });
      expect([ahead.status, ahead.body.data.requested_for]).toEqual([201, body.data.earliest_at]);
    } finally {
      await change({ paused_until: null, last_order_minutes: 0 });
    }
  });

  test('the wishes are the defaults unless they are sent, and part of the request', async () => {
    const plain = app.orderBody();
    const byDefault = await app.request('POST', '/v1/orders', { body: plain });
    expect(byDefault.body.data).toMatchObject({ if_sold_out: 'ring', cutlery: false });
    const body = app.orderBody({ if_sold_out: 'remove', cutlery: true });
    const placed = await app.request('POST', '/v1/orders', { body });
    expect(placed.body.data).toMatchObject({ if_sold_out: 'remove', cutlery: true });
    const headers = { 'X-Order-Session': String(body['session']) };
    const read = await app.request('GET', `/v1/orders/${placed.body.data.id}`, { headers });
    expect(read.body.data).toMatchObject({ if_sold_out: 'remove', cutlery: true });
    const guest = await app.request('GET', `/v1/orders/${placed.body.data.id}`);
    expect(Object.keys(guest.body.data)).not.toContain('if_sold_out');
    const changed = await app.request('POST', '/v1/orders', { body: { ...body, cutlery: false } });
    expect([changed.status, changed.body.code]).toEqual([409, 'session_reused']);
    const wrong = await app.request('POST', '/v1/orders', { body: app.orderBody({ if_sold_out: 'swap', cutlery: 1 }) });
    expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([422, ['if_sold_out', 'cutlery']]);
  });

  test('the same session with another body is refused', async () => {
    const body = app.orderBody();
    await app.request('POST', '/v1/orders', { body });
    const second = await app.request('POST', '/v1/orders', { body: { ...body, note: 'changed' } });
    expect([second.status, second.body.code]).toEqual([409, 'session_reused']);
  });

  test('a retry after closing time still gets its order', async () => {
    const body = app.orderBody();
    const first = await app.request('POST', '/v1/orders', { body });
    app.clock.now = new Date('2026-11-22T02:00:00Z');
    const second = await app.request('POST', '/v1/orders', { body });
    expect([second.status, second.body.data.id]).toEqual([200, first.body.data.id]);
  });

  test('50 simultaneous posts of one session make exactly one order', async () => {
    const body = app.orderBody();
    const answers = await Promise.all(Array.from({ length: 50 }, () => app.request('POST', '/v1/orders', { body })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(49);
    expect(new Set(answers.map((answer) => answer.body.data.id)).size).toBe(1);
    expect(await countOrders(body['session'])).toBe(1);
  });

  test('simultaneous orders of different sessions each get a number of their own', async () => {
    const answers = await Promise.all(Array.from({ length: 40 }, () => place()));
    expect(answers.every(({ status }) => status === 201)).toBe(true);
    expect(new Set(answers.map((answer) => answer.body.data.number)).size).toBe(40);
  });
});

describe('an order is refused, with nothing written', () => {
  const refusal = async (change: Record<string, unknown>) => {
    const session = randomUUID();
    const { status, body } = await place({ session, ...change });
    expect(await countOrders(session)).toBe(0);
    return {
      status,
      code: body.code,
      paths: Object.keys(body.errors ?? {}),
      codes: (body.problems ?? []).map((p: { code: string }) => p.code),
      body,
    };
  };

  test('while the shop is closed', async () => {
    app.clock.now = new Date('2026-11-21T23:30:00Z');
    expect(await refusal({})).toMatchObject({ status: 422, code: 'order_refused', codes: ['shop_closed'] });
  });

  test('for a total that the basket no longer has, with the new quote', async () => {
    const answer = await refusal({ expected_total: 1 });
    expect(answer).toMatchObject({ status: 409, code: 'price_changed' });
    expect(answer.body.quote.total).toBe(1250);
  });

  test('with a required option group left out', async () => {
    expect(await refusal({ lines: [pizzaLine({ options: [] })] })).toMatchObject({
      status: 422,
      paths: ['lines.0.options'],
      codes: ['option_group_min'],
    });
  });

  test('with two sizes', async () => {
    const options = [app.shop.size.small, app.shop.size.large].map((option_id) => ({
      option_group_id: app.shop.size.group,
      option_id,
      quantity: 1,
    }));
    expect(await refusal({ lines: [pizzaLine({ options })] })).toMatchObject({
      status: 422,
      codes: ['option_group_max'],
    });
  });

  test('with an option of another group', async () => {
    const options = [{ option_group_id: app.shop.size.group, option_id: app.shop.topping.olives, quantity: 1 }];
    expect((await refusal({ lines: [pizzaLine({ options })] })).codes).toContain('option_unknown');
  });

  test.each([
    ['a quantity of 0', { quantity: 0 }, 'lines.0.quantity'],
    ['a quantity of 1,000', { quantity: 1000 }, 'lines.0.quantity'],
    ['a quantity of one and a half', { quantity: 1.5 }, 'lines.0.quantity'],
    ['an item id that is none', { item_id: 'pizza' }, 'lines.0.item_id'],
  ])('with %s', async (_, change, path) => {
    expect(await refusal({ lines: [pizzaLine(change)] })).toMatchObject({
      status: 422,
      code: 'invalid',
      paths: [path],
    });
  });

  test('with an unknown item', async () => {
    expect(await refusal({ lines: [pizzaLine({ item_id: randomUUID() })] })).toMatchObject({
      status: 422,
      codes: ['item_unknown'],
    });
  });

  test('without lines', async () => {
    expect(await refusal({ lines: [] })).toMatchObject({ status: 422, paths: ['lines'] });
  });

  test('for an unknown store', async () => {
    expect(await refusal({ store_id: randomUUID() })).toMatchObject({ status: 422, paths: ['store_id'] });
  });

  const address = { line1: '2 Low Road', line2: '', city: 'Rugby', postcode: 'CV21 2AA', instructions: '' };
  test('below the minimum of its zone, saying how much is to go', async () => {
    const answer = await refusal({
      fulfilment_type: 'delivery',
      address,
      lines: [{ item_id: app.shop.chips, quantity: 1 }],
    });
    expect(answer).toMatchObject({ status: 422, codes: ['below_minimum'] });
    expect(answer.body.message).toContain('£9.00');
  });

  test('outside the delivery zones', async () => {
    const answer = await refusal({ fulfilment_type: 'delivery', address: { ...address, postcode: 'B1 1AA' } });
    expect(answer).toMatchObject({ status: 422, codes: ['outside_zones'], paths: ['address.postcode'] });
  });

  test('for delivery without an address', async () => {
    expect(await refusal({ fulfilment_type: 'delivery', address: null })).toMatchObject({
      status: 422,
      codes: ['address_required'],
    });
  });

  test.each([
    ['a time that has passed', '2026-11-21T17:00:00Z', 'slot_past'],
    ['a time while the shop is closed', '2026-11-22T03:00:00Z', 'slot_unavailable'],
  ])('for %s', async (_, requested_for, code) => {
    expect((await refusal({ requested_for })).codes).toEqual([code]);
  });

  test('a phone order typed by somebody who is not staff', async () => {
    expect(await refusal({ channel: 'phone' })).toMatchObject({ status: 403, code: 'forbidden' });
  });
});

describe('an order typed by staff', () => {
  const contact = { name: 'Ada Byron', phone: '' };

  test('at the counter needs no phone number: the customer stands there', async () => {
    const token = await app.signIn('store_admin', [app.shop.storeId]);
    const { status, body } = await app.request('POST', '/v1/orders', {
      body: app.orderBody({ channel: 'counter', contact }),
      token,
    });
    expect([status, body.data.contact.phone, body.data.channel]).toEqual([201, '', 'counter']);
  });

  test.each(['phone', 'web'])('as a %s order needs one', async (channel) => {
    const token = channel === 'web' ? undefined : await app.signIn('store_admin', [app.shop.storeId]);
    const { status, body } = await app.request('POST', '/v1/orders', {
      body: app.orderBody({ channel, contact }),
      ...(token && { token }),
    });
    expect(status).toBe(422);
    expect(Object.keys(body.errors)).toEqual(['contact.phone']);
  });
});

describe('what changes while a basket is being filled', () => {
  test('an item that has sold out since is refused by name', async () => {
    const token = await app.signIn('admin');
    const path = `/v1/items/${app.shop.chips}/availability`;
    await app.request('POST', path, { token, body: { is_available: false } });
    const { status, body } = await place({ lines: [{ item_id: app.shop.chips, quantity: 1 }] });
    expect([status, body.problems[0].code, body.problems[0].path]).toEqual([422, 'item_sold_out', 'lines.0.item_id']);
    expect(body.message).toContain('Chips');
    await app.request('POST', path, { token, body: { is_available: true } });
    expect((await place({ lines: [{ item_id: app.shop.chips, quantity: 1 }] })).status).toBe(201);
  });

  test('a price that another instance changed is never missed, even before its message arrives', async () => {
    const { db } = app.database;
    await place();
    // As another instance would, but without telling anybody.
    await db.updateTable('items').set({ price: 1000 }).where('id', '=', app.shop.pizza).execute();
    await countVersionUp(db);
    expect((await place()).body.data.total).toBe(1300);
    await db.updateTable('items').set({ price: 950 }).where('id', '=', app.shop.pizza).execute();
    await countVersionUp(db);
    expect((await place()).body.data.total).toBe(1250);
  });

  test('a paused shop takes no orders for now', async () => {
    const token = await app.signIn('admin');
    await app.request('POST', `/v1/stores/${app.shop.storeId}/pause`, {
      token,
      body: { minutes: 30, reason: 'Oven broke' },
    });
    const { status, body } = await place();
    expect([status, body.problems[0].code]).toEqual([422, 'shop_paused']);
    await app.request('POST', `/v1/stores/${app.shop.storeId}/resume`, { token });
    expect((await place()).status).toBe(201);
  });
});

describe('malformed requests', () => {
  test.each([
    ['JSON that is none', 'POST', '/v1/orders', '{"lines": [', 400, 'malformed_request'],
    ['a body of 5 MB', 'POST', '/v1/orders', JSON.stringify({ note: 'x'.repeat(5_000_000) }), 413, 'payload_too_large'],
    ['a wrong method', 'DELETE', '/v1/orders', undefined, 405, 'method_not_allowed'],
    ['an unknown address', 'GET', '/v1/nothing', undefined, 404, 'not_found'],
    ['an unknown order', 'GET', `/v1/orders/${randomUUID()}`, undefined, 404, 'not_found'],
    ['an order id that is none', 'GET', '/v1/orders/12', undefined, 404, 'not_found'],
  ])('%s', async (_, method, path, body, status, code) => {
    const answer = await app.request(method, path, body === undefined ? {} : { body });
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(answer.body.message).toEqual(expect.any(String));
  });

  test('a forged token orders nothing', async () => {
    const answer = await app.request('POST', '/v1/orders', { body: app.orderBody(), token: 'forged' });
    expect([answer.status, answer.body]).toEqual([401, { message: 'Unauthenticated.', code: 'unauthenticated' }]);
  });
});

describe('a shop that asks its customers to sign in', () => {
  let strict: TestApp;
  beforeAll(async () => {
    strict = await startTestApp({ guest_checkout: false });
  });
  afterAll(() => strict.close());

  test('refuses a guest and serves a customer, whose order it is', async () => {
    expect((await strict.request('POST', '/v1/orders', { body: strict.orderBody() })).status).toBe(401);
    const token = await strict.signIn('customer');
    const placed = await strict.request('POST', '/v1/orders', { body: strict.orderBody(), token });
    expect(placed.status).toBe(201);
    const own = await strict.request('GET', '/v1/orders', { token });
    expect(own.body.data.map((order: { id: string }) => order.id)).toEqual([placed.body.data.id]);
    const other = await strict.signIn('customer');
    expect((await strict.request('GET', '/v1/orders', { token: other })).body.data).toEqual([]);
  });
});

describe('what a refusal says', () => {
  test('is for people, whatever was sent', async () => {
    const sent = {
      contact: {},
      lines: [pizzaLine({ quantity: 1.5 })],
      note: 'x'.repeat(501),
      tip: -1,
      requested_for: 'soon',
    };
    const { status, body } = await place(sent);
    expect(status).toBe(422);
    expect(body.errors).toMatchObject({
      'contact.name': ['This field is required.'],
      'lines.0.quantity': ['Use a whole number.'],
      note: ['Use at most 500 characters.'],
      tip: ['At least 0.'],
    });
    expect(JSON.stringify(body)).not.toMatch(/Invalid input|expected|received|Too (big|small)/);
  });

  test('a postcode is kept in its usual form', async () => {
    const address = { line1: '2 Low Road', line2: '', city: 'Rugby', postcode: 'cv212aa', instructions: '' };
    const { body } = await place({ fulfilment_type: 'delivery', address });
    expect(body.data.address.postcode).toBe('CV21 2AA');
  });

  test('a session that could be guessed is refused', async () => {
    const { status, body } = await place({ session: '00000000-0000-0000-0000-000000000000' });
    expect([status, Object.keys(body.errors)]).toEqual([422, ['session']]);
  });
});

describe('a shop that limits its slots', () => {
  let limited: TestApp;
  beforeAll(async () => {
    limited = await startTestApp({ max_orders_per_slot: 2 });
  });
  afterAll(() => limited.close());

  test('gives a slot away twice and not a third time, however many ask at once', async () => {
    const requested_for = '2026-11-21T20:00:00Z';
    const ask = () => limited.request('POST', '/v1/orders', { body: limited.orderBody({ requested_for }) });
    const answers = await Promise.all(Array.from({ length: 8 }, ask));
    const [taken, refused] = [
      answers.filter(({ status }) => status === 201),
      answers.filter(({ status }) => status !== 201),
    ];
    expect([taken.length, refused.length]).toEqual([2, 6]);
    expect(refused.map(({ status, body }) => [status, body.problems[0].code])).toEqual(
      refused.map(() => [422, 'slot_full']),
    );
    const { body } = await limited.request(
      'GET',
      `/v1/stores/${limited.shop.storeId}/slots?fulfilment_type=collection`,
    );
    const slot = body.data.find(({ starts_at: at }: { starts_at: string }) => at === '2026-11-21T20:00:00.000Z');
    expect(slot).toMatchObject({ is_available: false });

    // A place that comes free may be taken again.
    const [first] = taken;
    await limited.request('POST', `/v1/orders/${first?.body.data.id}/cancel`, {
      body: {},
      headers: { 'x-order-session': first?.body.data.session },
    });
    expect((await ask()).status).toBe(201);
    expect((await ask()).status).toBe(422);
  });
});

test('a limit that is set later counts the orders that stand there already, of a grid that was finer too', async () => {
  const later = await startTestApp({ slot_minutes: 15 });
  try {
    const [requested_for, next] = ['2026-11-21T20:00:00Z', '2026-11-21T20:15:00Z'];
    const placed = await later.request('POST', '/v1/orders', { body: later.orderBody({ requested_for: next }) });
    expect(placed.status).toBe(201);
    const token = await later.signIn('admin');
    const limit = { max_orders_per_slot: 1, slot_minutes: 30 };
    await later.request('PATCH', `/v1/stores/${later.shop.storeId}`, { body: limit, token });
    const second = await later.request('POST', '/v1/orders', { body: later.orderBody({ requested_for }) });
    expect([second.status, second.body.problems?.[0].code]).toEqual([422, 'slot_full']);
  } finally {
    await later.close();
  }
});
