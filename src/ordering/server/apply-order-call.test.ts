import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { readAudit } from '#testing/read-audit.ts';
import { endOrdersPastDeadline } from '#ordering/server/deadlines.ts';
import { addPrinter, fakePrinters } from '#testing/fake-printers.ts';
import { saturdayEvening } from '#testing/small-shop.ts';
import { type Response, startTestApp, type TestApp } from '#testing/test-app.ts';

let app: TestApp;
let admin: string;
beforeAll(async () => {
  app = await startTestApp({}, {}, undefined, { transports: fakePrinters().transports });
  await addPrinter(app);
  admin = await app.signIn('admin');
});
beforeEach(() => {
  app.clock.now = saturdayEvening;
});
afterAll(() => app.close());

const address = { line1: '2 Low Road', line2: '', city: 'Rugby', postcode: 'CV21 2AA', instructions: '' };
const place = async (change: Record<string, unknown> = {}) => {
  const { status, body } = await app.request('POST', '/v1/orders', { body: app.orderBody(change) });
  expect(status).toBe(201);
  return body.data as { id: string; session: string; version: number };
};
const call = (id: string, name: string, body: unknown = {}, token = admin) =>
  app.request('POST', `/v1/orders/${id}/${name}`, { body, token });
const later = (minutes: number) => {
  app.clock.now = new Date(app.clock.now.getTime() + minutes * 60_000);
};
const kitchenCopyOf = ({ body }: Response) => body.data.prints.find(({ copy }: { copy: string }) => copy === 'kitchen');
const printsOf = (id: string) => app.database.db.selectFrom('prints').selectAll().where('order_id', '=', id).execute();

describe('an order on its way', () => {
  test('a collection: accepted with minutes, packed, collected, paid in cash', async () => {
    const { id } = await place();
    const accepted = await call(id, 'accept', { minutes: 25 });
    expect(accepted.body.data).toMatchObject({ status: 'accepted', promised_at: '2026-11-21T18:25:00.000Z' });
    expect((await call(id, 'packed')).body.data.status).toBe('packed');
    const collected = await call(id, 'collected-by-customer');
    expect(collected.body.data).toMatchObject({ status: 'collected', payment_status: 'paid' });
    expect(collected.body.data.history.map((step: { to: string }) => step.to)).toEqual([
      'placed',
      'accepted',
      'packed',
      'collected',
    ]);
    expect(collected.body.data.version).toBe(4);
  });

  test('a step is made, and says so, though nobody can be told of it at once', async () => {
    const { id } = await place();
    const wake = vi.spyOn(app.services.outbox, 'wake').mockImplementation(() => {
      throw new Error('cannot wake');
    });
    const accepted = await call(id, 'accept').finally(() => wake.mockRestore());
    expect([accepted.status, accepted.body.data.status]).toEqual([200, 'accepted']);
  });

  test('a delivery: a driver who collects at once records packed on the way', async () => {
    const { id } = await place({
      fulfilment_type: 'delivery',
      address,
      lines: [{ item_id: app.shop.chips, quantity: 5 }],
    });
    const accepted = await call(id, 'accept');
    // 20 minutes to cook, 15 more to the zone.
    expect(accepted.body.data.promised_at).toBe('2026-11-21T18:35:00.000Z');
    const left = await call(id, 'collected-by-driver');
    expect(left.body.data.history.map((step: { to: string }) => step.to)).toEqual([
      'placed',
      'accepted',
      'packed',
      'out_for_delivery',
    ]);
    expect((await call(id, 'delivered-to-customer')).body.data).toMatchObject({
      status: 'delivered',
      payment_status: 'paid',
    });
  });

  describe('with a dish that takes 95 minutes', () => {
    const slow = [{ item_id: '', quantity: 1 }];
    beforeAll(async () => {
      const body = { store_id: app.shop.storeId, name: 'Slow roast', price: 2500, vat_rate: 2000, prep_minutes: 95 };
      slow[0]!.item_id = (await app.request('POST', '/v1/items', { body, token: admin })).body.data.id;
      await app.request('POST', `/v1/categories/${app.shop.categoryId}/items/add`, {
        body: { items: [slow[0]!.item_id] },
        token: admin,
      });
    });

    test('what was promised at placing is promised at accepting, whatever becomes of the menu', async () => {
      const { body: quoted } = await app.request('POST', '/v1/orders/quote', { body: app.orderBody({ lines: slow }) });
      expect(quoted.data.earliest_at).toBe('2026-11-21T19:35:00.000Z');
      const { id } = await place({ lines: slow });
      const guest = await app.request('GET', `/v1/orders/${id}`);
      expect(guest.body.data).toMatchObject({ promised_at: '2026-11-21T19:35:00.000Z', prep_minutes: 95 });
      await app.request('PATCH', `/v1/items/${slow[0]!.item_id}`, { body: { prep_minutes: 5 }, token: admin });
      later(5);
      const accepted = await call(id, 'accept');
      expect(accepted.body.data).toMatchObject({ promised_at: '2026-11-21T19:40:00.000Z', prep_minutes: 95 });
      await app.request('PATCH', `/v1/items/${slow[0]!.item_id}`, { body: { prep_minutes: 95 }, token: admin });
    });

    test('an order by phone is promised the same, with the rush and the way', async () => {
      await app.request('POST', `/v1/stores/${app.shop.storeId}/busy`, { body: { minutes: 10 }, token: admin });
      const { status, body } = await app.request('POST', '/v1/orders', {
        body: app.orderBody({ channel: 'phone', fulfilment_type: 'delivery', address, lines: slow }),
        token: admin,
      });
      await app.request('POST', `/v1/stores/${app.shop.storeId}/busy`, { body: { minutes: 0 }, token: admin });
      expect([status, body.data.status, body.data.promised_at]).toEqual([201, 'accepted', '2026-11-21T20:00:00.000Z']);
    });

    test('a scheduled order keeps its slot, and its kitchen receipt is due 95 minutes before what is promised', async () => {
      const { id } = await place({ lines: slow, requested_for: '2026-11-21T21:00:00Z' });
      const accepted = await call(id, 'accept');
      expect(accepted.body.data.promised_at).toBe('2026-11-21T21:00:00.000Z');
      expect(kitchenCopyOf(accepted)).toMatchObject({ due_at: '2026-11-21T19:25:00.000Z' });
    });
  });

  test('moving the promise moves the kitchen receipt that waits', async () => {
    // Far ahead of the machine's own clock, by which jobs wait.
    app.clock.now = new Date('2096-11-17T18:00:00Z');
    const token = await app.signIn('admin');
    const { id } = await place({ requested_for: '2096-11-17T20:00:00Z' });
    const accepted = await call(id, 'accept', {}, token);
    expect(kitchenCopyOf(accepted)).toMatchObject({ status: 'queued', due_at: '2096-11-17T19:40:00.000Z' });
    const moved = await call(id, 'promise', { minutes: 150 }, token);
    expect(moved.body.data.promised_at).toBe('2096-11-17T20:30:00.000Z');
    expect(kitchenCopyOf(moved)).toMatchObject({ status: 'queued', due_at: '2096-11-17T20:10:00.000Z' });
    const back = await call(id, 'promise', { minutes: 10 }, token);
    expect(kitchenCopyOf(back)).toMatchObject({ status: 'queued', due_at: '2096-11-17T19:40:00.000Z' });
  });

  test('accepting queues a kitchen and a customer receipt, and both get printed', async () => {
    const { id } = await place({ allergy_note: 'Peanuts' });
    await call(id, 'accept');
    await expect
      .poll(async () => (await printsOf(id)).map(({ copy, status }) => `${copy} ${status}`).sort())
      .toEqual(['customer printed', 'kitchen printed']);
    const { body } = await app.request('GET', `/v1/orders/${id}/prints`, { token: admin });
    expect(body.data[0].svg).toMatch(/^<svg/);
    expect(body.data.map((print: { text: string }) => print.text).join()).toContain('Peanuts');
  });

  test("a scheduled order's kitchen receipt waits until its cooking starts", async () => {
    // Far ahead of the machine's own clock, by which jobs wait.
    app.clock.now = new Date('2096-11-17T18:00:00Z');
    const { id } = await place({ requested_for: '2096-11-17T20:00:00Z' });
    await call(id, 'accept', {}, await app.signIn('admin'));
    const prints = await printsOf(id);
    expect(prints.find(({ copy }) => copy === 'kitchen')).toMatchObject({
      status: 'queued',
      due_at: new Date('2096-11-17T19:40:00Z'),
    });
  });

  test('a rejected order says why', async () => {
    const { id } = await place();
    expect((await call(id, 'reject', { reason: 'too_busy' })).body.data).toMatchObject({
      status: 'rejected',
      reject_reason: 'too_busy',
    });
  });

  test('a reason nobody knows is refused', async () => {
    const { id } = await place();
    const { status, body } = await call(id, 'reject', { reason: 'bored' });
    expect([status, Object.keys(body.errors)]).toEqual([422, ['reason']]);
  });
});

describe('calls that come twice, late or at once', () => {
  test('the same call twice changes nothing', async () => {
    const { id } = await place();
    const first = await call(id, 'accept', { minutes: 30 });
    later(3);
    const second = await call(id, 'accept', { minutes: 60 });
    expect([second.status, second.body.data.version, second.body.data.promised_at]).toEqual([
      200,
      first.body.data.version,
      first.body.data.promised_at,
    ]);
  });

  test('two admins who accept at once make one transition', async () => {
    const { id } = await place();
    const answers = await Promise.all(Array.from({ length: 10 }, () => call(id, 'accept')));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
    const history = await app.database.db.selectFrom('order_history').selectAll().where('order_id', '=', id).execute();
    expect(history).toHaveLength(2);
    expect(await printsOf(id)).toHaveLength(2);
  });

  test('accept and reject at once: one wins, the other hears which calls are open', async () => {
    const { id } = await place();
    const [accepted, rejected] = await Promise.all([call(id, 'accept'), call(id, 'reject', { reason: 'other' })]);
    const loser = accepted.status === 200 ? rejected : accepted;
    expect([accepted.status, rejected.status].sort()).toEqual([200, 409]);
    expect(loser.body.code).toBe('illegal_transition');
    expect(Array.isArray(loser.body.open_calls)).toBe(true);
  });

  test('a rush of calls right after a change of the shop waits for nothing but its turn', async () => {
    // A caller waits two seconds for a connection, which a busy machine takes for the turns alone.
    app.database.pool.options.connectionTimeoutMillis = 20_000;
    const orders = await Promise.all(Array.from({ length: 16 }, () => place()));
    await app.request('POST', `/v1/stores/${app.shop.storeId}/busy`, { token: admin, body: { minutes: 5 } });
    const answers = await Promise.all(orders.map(({ id }) => call(id, 'accept')));
    expect(answers.map(({ status }) => status)).toEqual(orders.map(() => 200));
    const changes = Array.from({ length: 16 }, (_, minutes) =>
      app.request('POST', `/v1/stores/${app.shop.storeId}/busy`, { token: admin, body: { minutes } }),
    );
    expect((await Promise.all(changes)).map(({ status }) => status)).toEqual(changes.map(() => 200));
    await app.request('POST', `/v1/stores/${app.shop.storeId}/busy`, { token: admin, body: { minutes: 0 } });
  });

  test('an illegal call names the open ones', async () => {
    const { id } = await place();
    const { status, body } = await call(id, 'delivered-to-customer');
    expect([status, body.code]).toEqual([409, 'illegal_transition']);
    expect(body.open_calls).toEqual(['accept', 'reject', 'lines/remove', 'cancel']);
  });

  test('an illegal call says where the order is, in no words that are for its customer', async () => {
    const { id } = await place();
    await call(id, 'accept');
    await call(id, 'collected-by-customer');
    expect((await call(id, 'accept')).body.message).toBe(
      "This is not possible now. The order's status is “Collected”.",
    );
  });

  test('the history says which time each step promised', async () => {
    const { id } = await place();
    await call(id, 'accept', { minutes: 25 });
    await call(id, 'promise', { minutes: 40 });
    const { history } = (await call(id, 'packed')).body.data;
    expect(history.map(({ promised_at }: { promised_at?: string }) => promised_at)).toEqual([
      undefined,
      '2026-11-21T18:25:00.000Z',
      '2026-11-21T18:40:00.000Z',
      undefined,
    ]);
  });

  test.each([
    ['too_late', 'too_late'],
    ['Ada rang', null],
  ])('once its customer is forgotten, an order that was cancelled for %j has the reason %j', async (reason, left) => {
    const { id } = await place();
    expect((await call(id, 'cancel', { reason })).status).toBe(200);
    const forgotten = await app.request('POST', `/v1/orders/${id}/forget`, { token: admin });
    expect(forgotten.body.data.history.at(-1).reason).toBe(left);
  });

  test('undo takes the last step back within two minutes, and not after', async () => {
    const { id } = await place();
    await call(id, 'accept');
    await call(id, 'collected-by-customer');
    later(1);
    expect((await call(id, 'undo')).body.data).toMatchObject({
      status: 'packed',
      payment_status: 'unpaid',
      completed_at: null,
    });
    await call(id, 'collected-by-customer');
    later(3);
    expect((await call(id, 'undo')).status).toBe(409);
  });

  test('a second undo in a row, as of a double click, answers the order as it is and takes no further step back', async () => {
    const { id } = await place();
    await call(id, 'accept');
    await call(id, 'packed');
    await call(id, 'collected-by-customer');
    // Receipts are printed meanwhile, by no call of anybody's.
    const { prints: _atFirst, ...first } = (await call(id, 'undo')).body.data;
    const second = await call(id, 'undo');
    const { prints: _later, ...order } = second.body.data;
    expect([second.status, order]).toEqual([200, first]);
    expect(second.body.data.status).toBe('packed');
    expect(second.body.data.actions).not.toContain('undo');
  });

  test('a new promise is told as an update of the order', async () => {
    const { id } = await place();
    const { body: accepted } = await call(id, 'accept', { minutes: 20 });
    later(10);
    const { body } = await call(id, 'promise', { minutes: 30 });
    expect(body.data).toMatchObject({
      status: 'accepted',
      promised_at: '2026-11-21T18:40:00.000Z',
      version: accepted.data.version + 1,
    });
  });
});

describe('who may', () => {
  test('a guest, a customer and the staff of another store move nothing', async () => {
    const { id } = await place();
    const customer = await app.signIn('customer');
    const elsewhere = await app.signIn('store_admin', [randomUUID()]);
    expect((await app.request('POST', `/v1/orders/${id}/accept`, { body: {} })).status).toBe(401);
    expect((await call(id, 'accept', {}, customer)).status).toBe(403);
    expect((await call(id, 'accept', {}, elsewhere)).status).toBe(403);
    const here = await app.signIn('store_admin', [app.shop.storeId]);
    expect((await call(id, 'accept', {}, here)).status).toBe(200);
  });

  test("anyone who knows the id reads the guest's view; the session's holder reads the whole order", async () => {
    const { id, session } = await place();
    const { body: guest } = await app.request('GET', `/v1/orders/${id}`);
    expect(JSON.stringify(guest)).not.toMatch(/Ada|07700|example\.com/);
    expect(guest.data.status).toBe('placed');
    const { body: whole } = await app.request('GET', `/v1/orders/${id}`, { headers: { 'x-order-session': session } });
    expect(whole.data.contact.name).toBe('Ada Byron');
    const { body: wrong } = await app.request('GET', `/v1/orders/${id}`, {
      headers: { 'x-order-session': randomUUID() },
    });
    expect(wrong.data.contact).toBeUndefined();
  });

  test('staff read everything but the session', async () => {
    const { id } = await place();
    const { body } = await app.request('GET', `/v1/orders/${id}`, { token: admin });
    expect(body.data.contact.name).toBe('Ada Byron');
    expect(body.data.session).toBeUndefined();
  });

  test('a customer cancels while it is placed, not once it is accepted', async () => {
    const { id, session } = await place();
    const asHolder = (orderId: string, secret: string) =>
      app.request('POST', `/v1/orders/${orderId}/cancel`, { body: {}, headers: { 'x-order-session': secret } });
    expect((await asHolder(id, session)).body.data.status).toBe('cancelled');
    const other = await place();
    await call(other.id, 'accept');
    expect((await asHolder(other.id, other.session)).status).toBe(409);
    expect((await asHolder(other.id, randomUUID())).status).toBe(401);
  });

  test('staff give a reason when they cancel', async () => {
    const { id } = await place();
    await call(id, 'accept');
    expect((await call(id, 'cancel')).status).toBe(422);
    expect((await call(id, 'cancel', { reason: 'Customer rang' })).body.data).toMatchObject({ status: 'cancelled' });
  });
});

describe('deadlines, by the shop and not by any board', () => {
  /** The application also runs its sweep: an order that it is handling is left to it. */
  const expectRejected = (id: string) =>
    expect
      .poll(async () => (await app.request('GET', `/v1/orders/${id}`)).body.data)
      .toMatchObject({ status: 'rejected', reject_reason: 'not_answered' });

  test('a placed order that nobody answers is rejected as not answered', async () => {
    const { id } = await place();
    later(9);
    await endOrdersPastDeadline(app.services);
    expect((await app.request('GET', `/v1/orders/${id}`)).body.data.status).toBe('placed');
    later(2);
    await endOrdersPastDeadline(app.services);
    await expectRejected(id);
  });

  test('a pre-order placed at night waits for the opening and its answer minutes', async () => {
    app.clock.now = new Date('2026-11-21T23:30:00Z');
    const { id } = await place({ requested_for: '2026-11-22T13:00:00Z' });
    app.clock.now = new Date('2026-11-22T12:09:00Z');
    await endOrdersPastDeadline(app.services);
    expect((await app.request('GET', `/v1/orders/${id}`)).body.data.status).toBe('placed');
    app.clock.now = new Date('2026-11-22T12:11:00Z');
    await endOrdersPastDeadline(app.services);
    await expectRejected(id);
  });
});

describe('an order that nobody answered in time', () => {
  const lose = async () => {
    const { id } = await place();
    later(11);
    await expect
      .poll(async () => {
        await endOrdersPastDeadline(app.services);
        return (await app.request('GET', `/v1/orders/${id}`)).body.data.status;
      })
      .toBe('rejected');
    return id;
  };
  const lost = async () => {
    const { body } = await app.request('GET', `/v1/orders?lost=1&store_id=${app.shop.storeId}&per_page=200`, {
      token: admin,
    });
    return body.data.map(({ id }: { id: string }) => id) as string[];
  };

  test('is lost until somebody has followed it up, and keeps who did and how', async () => {
    const id = await lose();
    later(3 * 24 * 60);
    expect(await lost()).toContain(id);
    const before = await app.request('GET', `/v1/orders/${id}`, { token: admin });
    expect(before.body.data).toMatchObject({ followed_up: null, actions: ['followed-up'] });

    const answer = await call(id, 'followed-up', { how: 'rung' });
    expect(answer.status).toBe(200);
    expect(answer.body.data).toMatchObject({
      status: 'rejected',
      reject_reason: 'not_answered',
      followed_up: 'rung',
      closed_at: before.body.data.closed_at,
      version: before.body.data.version + 1,
      actions: [],
    });
    expect(answer.body.data.history.at(-1)).toMatchObject({ from: 'rejected', to: 'rejected', reason: 'rung' });
    expect(await lost()).not.toContain(id);
  });

  test('said by two people at once: the first one counts', async () => {
    const id = await lose();
    const answers = await Promise.all([
      call(id, 'followed-up', { how: 'left' }),
      call(id, 'followed-up', { how: 'rung' }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const [one, other] = answers.map(({ body }) => body.data.followed_up);
    expect(one).toBe(other);
  });

  test('other orders have nothing to follow up, and how has to be said', async () => {
    const { id } = await place();
    const open = await call(id, 'followed-up', { how: 'rung' });
    expect([open.status, open.body.code]).toEqual([409, 'illegal_transition']);
    await call(id, 'reject', { reason: 'too_busy' });
    expect((await call(id, 'followed-up', { how: 'rung' })).body.code).toBe('illegal_transition');
    const other = await lose();
    expect((await call(other, 'followed-up', {})).status).toBe(422);
    expect((await call(other, 'followed-up', { how: 'forgotten' })).status).toBe(422);
    expect(await lost()).not.toContain(id);
  });
});

describe('the audit log', () => {
  test('a change that staff make is written with it; a refused one is not', async () => {
    const { id } = await place();
    await call(id, 'delivered-to-customer');
    await call(id, 'accept', { minutes: 15 });
    const rows = (await readAudit(app.database.db)).filter((line) => line.subject_id === id);
    expect(rows).toMatchObject([
      { action: 'POST /v1/orders/{id}/accept', role: 'admin', store_id: app.shop.storeId, detail: { minutes: 15 } },
    ]);
  });
});

describe('a customer who comes to collect', () => {
  const placeOwn = async (change: Record<string, unknown> = {}) => {
    const body = app.orderBody({ fulfilment_type: 'collection', ...change });
    const { id } = (await app.request('POST', '/v1/orders', { body })).body.data as { id: string };
    const own = { headers: { 'X-Order-Session': String(body['session']) } };
    return {
      id,
      read: async () => (await app.request('GET', `/v1/orders/${id}`, own)).body.data,
      arrive: () => app.request('POST', `/v1/orders/${id}/arrived`, { ...own, body: {} }),
    };
  };

  test('says so once, also from two devices at once; the board reads when', async () => {
    const { id, read, arrive } = await placeOwn();
    await call(id, 'accept', { minutes: 20 });
    expect((await read()).actions).toEqual(['arrived']);
    later(5);
    const answers = await Promise.all([arrive(), arrive()]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const { arrived_at: at, version, actions, history } = await read();
    expect([at, actions]).toEqual([app.clock.now.toISOString(), []]);
    expect(history.filter(({ note }: { note: unknown }) => note)).toMatchObject([
      { from: 'accepted', to: 'accepted', actor: 'customer', note: { kind: 'arrived' } },
    ]);
    later(5);
    expect((await arrive()).body.data).toMatchObject({ arrived_at: at, version });
    await call(id, 'packed');
    expect((await call(id, 'undo')).body.data).toMatchObject({ status: 'accepted', arrived_at: at });
  });

  test('cannot before the shop has accepted, or for a delivery; nobody else can', async () => {
    const { id, arrive } = await placeOwn();
    expect((await arrive()).body).toMatchObject({ code: 'illegal_transition', open_calls: ['cancel'] });
    await call(id, 'accept', { minutes: 20 });
    expect((await call(id, 'arrived')).body.code).toBe('forbidden');
    expect((await app.request('POST', `/v1/orders/${id}/arrived`, { body: {} })).status).toBe(401);
    const address = { line1: '4 Castle Street', line2: '', city: 'Rugby', postcode: 'CV21 2AA', instructions: '' };
    const other = await placeOwn({ fulfilment_type: 'delivery', address });
    await call(other.id, 'accept', { minutes: 20 });
    expect((await other.arrive()).body.code).toBe('illegal_transition');
  });
});

describe('a rating', () => {
  const handOver = async () => {
    const body = app.orderBody({ fulfilment_type: 'collection' });
    const { id } = (await app.request('POST', '/v1/orders', { body })).body.data as { id: string };
    const own = { headers: { 'X-Order-Session': String(body['session']) } };
    const rate = (stars: unknown, text?: string) =>
      app.request('POST', `/v1/orders/${id}/rating`, { ...own, body: { stars, ...(text && { text }) } });
    expect((await rate(5)).body.code).toBe('illegal_transition');
    await call(id, 'accept', { minutes: 20 });
    await call(id, 'collected-by-customer');
    return { id, rate, read: async () => (await app.request('GET', `/v1/orders/${id}`, own)).body.data };
  };
  const list = async (query = '') => (await app.request('GET', `/v1/ratings${query}`, { token: admin })).body;

  test('is given once after the handover, and read by the customer and the owner alone', async () => {
    const { id, rate, read } = await handOver();
    expect((await read()).actions).toEqual(['rating']);
    for (const stars of [0, 6, 4.5, '5', null]) expect((await rate(stars)).status).toBe(422);
    const given = { stars: 2, text: 'Cold chips.', at: app.clock.now.toISOString() };
    expect((await rate(2, ' Cold chips. ')).body.data).toMatchObject({ rating: given, actions: [] });
    later(1);
    expect((await rate(5)).body.data.rating).toEqual(given);
    expect((await app.request('GET', `/v1/orders/${id}`, { token: admin })).body.data.rating).toEqual(given);
    expect(
      (await app.request('GET', `/v1/orders/${id}`, { token: await app.signIn('store_admin', [app.shop.storeId]) }))
        .body.data.rating,
    ).toBeNull();
    expect((await app.request('GET', `/v1/orders/${id}`)).body.data).not.toHaveProperty('rating');
    expect((await call(id, 'rating', { stars: 1 })).body.code).toBe('forbidden');
  });

  test('counts in the owner’s average for 90 days; the list filters by stars', async () => {
    later(91 * 24 * 60);
    admin = await app.signIn('admin');
    await Promise.all((await Promise.all([handOver(), handOver()])).map(({ rate }, index) => rate(4 + index)));
    const all = await list(`?store_id=${app.shop.storeId}`);
    expect(all.summary).toEqual({ average: 4.5, count: 2 });
    expect((await list('?stars=4')).data).toMatchObject([{ stars: 4 }]);
    expect((await app.request('GET', '/v1/ratings?stars=9', { token: admin })).status).toBe(422);
    later(91 * 24 * 60);
    admin = await app.signIn('admin');
    expect((await list()).summary).toEqual({ average: null, count: 0 });
  });

  test('is not asked a month after the handover; its text goes with the guest’s details', async () => {
    const [late, { id, rate, read }] = [await handOver(), await handOver()];
    await rate(1, 'Ask for Sam.');
    await call(id, 'forget');
    expect((await read()).rating).toMatchObject({ stars: 1, text: '' });
    const unrated = await handOver();
    await call(unrated.id, 'forget');
    expect((await unrated.rate(3)).body.code).toBe('conflict');
    later(31 * 24 * 60);
    expect((await late.rate(5)).body.code).toBe('illegal_transition');
  });
});
