import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { accountTools, password } from '#accounts/testing/account-tools.ts';
import { createSignIn } from '#accounts/server/sign-ins.ts';
import { startComplaintSweep } from '#complaints/server/sweep-complaints.ts';
import { eraseOldGuests } from '#ordering/server/erase-guests.ts';
import { startMailServer, type MailServer } from '#testing/mail-server.ts';
import { saturdayEvening } from '#testing/small-shop.ts';
import { startTestApp, type Response, type TestApp } from '#testing/test-app.ts';

const days = 24 * 60 * 60_000;
const patient = { timeout: 60_000 };

let smtp: MailServer;
let app: TestApp;
let admin: string;
let adminId: string;
let ownersMail: string;
beforeAll(async () => {
  smtp = await startMailServer();
  app = await startTestApp({ name: 'Small Shop' }, { SMTP_URL: smtp.url, MAIL_FROM: 'Shop <orders@shop.example>' });
  const token = await app.signIn('admin');
  const { id, email } = (await app.request('GET', '/v1/auth/user', { token })).body.data;
  adminId = id;
  ownersMail = email;
});
beforeEach(async () => {
  app.clock.now = saturdayEvening;
  admin = await createSignIn(app.database.db, adminId, 'test', app.clock.now);
  smtp.received.length = 0;
  await app.database.db.deleteFrom('throttles').execute();
  await app.database.db.deleteFrom('complaints').execute();
});
afterAll(async () => {
  await app.close();
  await smtp.stop();
});

const { register } = accountTools(() => ({ app, admin }));
const inDays = async (count: number) => {
  app.clock.now = new Date(app.clock.now.getTime() + count * days);
  admin = await createSignIn(app.database.db, adminId, 'test', app.clock.now);
};
const bodyOf = (change: Record<string, unknown> = {}) => ({
  key: randomUUID(),
  about: 'data',
  name: 'Zelda Quux',
  email: `${randomUUID()}@complains.example`,
  message: 'You still have my old address.',
  ...change,
});
const complain = (body: unknown, options: { token?: string; headers?: Record<string, string> } = {}) =>
  app.request('POST', '/v1/complaints', { body, ...options });
const asAdmin = (method: string, path: string, body?: unknown): Promise<Response> =>
  app.request(method, path, { token: admin, ...(body !== undefined && { body }) });
const list = async (query = '') => (await asAdmin('GET', `/v1/complaints?per_page=50${query}`)).body.data;
const idOf = async (reference: string): Promise<string> => (await list(`&search=${reference}`))[0].id;
const mailsTo = (email: string) => smtp.received.filter(({ to }) => to.includes(email));
/** Those to the owner about complaints: the boards are off here, of which they are told too. */
const soonToOwner = async (count: number) => {
  const found = () => mailsTo(ownersMail).filter(({ subject }) => /complaint/i.test(subject));
  await expect.poll(() => found().length, patient).toBe(count);
  return found().at(-1);
};
const soonTo = async (email: string, count: number) => {
  await expect.poll(() => mailsTo(email).length, patient).toBe(count);
  return mailsTo(email).at(-1);
};
const answer = (id: string, text = 'We have removed it.') =>
  asAdmin('POST', `/v1/complaints/${id}/answer`, { answer: text });

describe('a complaint', () => {
  test('is acknowledged by mail at once, with a reference and a date, and the owner is told', async () => {
    const body = bodyOf({ about: 'order', order_number: '57', message: 'My food was cold.' });
    const { status, body: answered } = await complain(body);
    expect([status, answered.data]).toEqual([
      201,
      {
        reference: expect.stringMatching(/^C-[2-9B-Z]{8}$/),
        created_at: '2026-11-21T18:00:00.000Z',
        due_at: '2026-12-21T18:00:00.000Z',
        email: body.email,
      },
    ]);
    const { reference } = answered.data;
    const told = await soonTo(body.email, 1);
    expect(told?.subject).toBe(`Small Shop has your complaint (${reference})`);
    expect(told?.text).toContain('21 December');
    // Anybody may type any address, so the mail says nothing that its sender wrote.
    expect(told?.text).not.toMatch(/Zelda|cold/);
    const owner = await soonToOwner(1);
    expect(owner?.subject).toBe(`New complaint: ${reference}`);
    expect(owner?.text).not.toMatch(/Zelda|cold/);
    expect(await list()).toEqual([
      expect.objectContaining({ reference, status: 'new', name: 'Zelda Quux', order_number: '57', customer_id: null }),
    ]);
    expect((await list())[0].message).toBeUndefined();
    expect((await asAdmin('GET', `/v1/complaints/${await idOf(reference)}`)).body.data.message).toBe(
      'My food was cold.',
    );
  });

  test.each([
    ['data', true],
    ['order', false],
    ['other', false],
  ])('about %s: its mails name the authority for personal data: %s', async (subject, isNamed) => {
    const body = bodyOf({ about: subject });
    const { reference } = (await complain(body)).body.data;
    expect((await soonTo(body.email, 1))?.text.includes('ico.org.uk')).toBe(isNamed);
    await answer(await idOf(reference));
    expect((await soonTo(body.email, 2))?.text.includes('ico.org.uk')).toBe(isNamed);
  });

  test('in Polish is answered in Polish', async () => {
    const body = bodyOf();
    const { body: sent } = await complain(body, { headers: { 'accept-language': 'pl' } });
    const told = await soonTo(body.email, 1);
    expect(told?.subject).toBe(`Small Shop: mamy twoją skargę (${sent.data.reference})`);
    await answer(await idOf(sent.data.reference));
    expect((await soonTo(body.email, 2))?.subject).toContain('odpowiedź na twoją skargę');
  });

  test('sent again with the same key is the same one; with other words it is refused', async () => {
    const body = bodyOf();
    const answers = await Promise.all([complain(body), complain(body)]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    expect(answers[0]?.body).toEqual(answers[1]?.body);
    expect(await list()).toHaveLength(1);
    await soonTo(body.email, 1);
    const other = await complain({ ...body, message: 'Something else.' });
    expect([other.status, other.body.code]).toEqual([409, 'conflict']);
  });

  test.each([
    ['no message', { message: ' ' }, 'message'],
    ['no name', { name: '' }, 'name'],
    ['no address', { email: 'zelda' }, 'email'],
    ['too long a message', { message: 'x'.repeat(4001) }, 'message'],
    ['an unknown subject', { about: 'weather' }, 'about'],
  ])('with %s is refused', async (_, change, field) => {
    const { status, body } = await complain(bodyOf(change));
    expect([status, Object.keys(body.errors)]).toEqual([422, [field]]);
  });

  test('nobody floods an address of mail, nor the shop from one network', async () => {
    const email = 'victim@complains.example';
    const statuses: number[] = [];
    for (let count = 0; count < 5; count += 1) statuses.push((await complain(bodyOf({ email }))).status);
    expect(statuses).toEqual([201, 201, 201, 429, 429]);
    expect(mailsTo(email).length).toBeLessThanOrEqual(3);
    const rest: Response[] = [];
    for (let count = 0; count < 9; count += 1) rest.push(await complain(bodyOf()));
    expect(rest.at(-1)?.status).toBe(429);
    expect(rest.at(-1)?.headers.get('retry-after')).toMatch(/^\d+$/);
  });
});

test('a stranger who types an address does not keep its owner from complaining; the address gets five mails an hour', async () => {
  const email = 'silenced@complains.example';
  // Each is from another network, as a proxy names it.
  const from = async (network: number, change: Record<string, unknown> = {}) => {
    const { status } = await complain(bodyOf({ email, ...change }), {
      headers: { 'x-forwarded-for': `198.51.100.${network}` },
    });
    return status;
  };
  for (let network = 1; network <= 7; network += 1) expect(await from(network)).toBe(201);
  expect(await from(8, { email: 'Silenced@complains.example', message: 'It is really me.' })).toBe(201);
  await expect
    .poll(() => app.database.db.selectFrom('mails').select('id').where('ended_at', 'is', null).execute(), patient)
    .toEqual([]);
  expect(mailsTo(email)).toHaveLength(5);
  expect((await list()).length).toBe(8);
  // The same network still cannot flood it.
  const statuses = [await from(9), await from(9), await from(9), await from(9)];
  expect(statuses).toEqual([201, 201, 201, 429]);
  app.clock.now = new Date(app.clock.now.getTime() + 61 * 60_000);
  expect(await from(10)).toBe(201);
  await soonTo(email, 6);
});

describe('the owner', () => {
  test('looks into it, answers once by mail, and each step is in the audit log without the texts', async () => {
    const body = bodyOf();
    const { body: sent } = await complain(body);
    const id = await idOf(sent.data.reference);
    const begun = await asAdmin('PATCH', `/v1/complaints/${id}`, { status: 'in_progress' });
    expect(begun.body.data.status).toBe('in_progress');
    expect((await list('&status=in_progress')).map((one: { id: string }) => one.id)).toEqual([id]);
    const [first, second] = await Promise.all([answer(id, 'We removed it, Zelda.'), answer(id, 'Another.')]);
    expect([first.status, second.status].toSorted()).toEqual([200, 409]);
    const mail = await soonTo(body.email, 2);
    expect(mail?.text).toMatch(/We removed it, Zelda\.|Another\./);
    expect(mail?.text).toContain('Hello Zelda Quux,');
    expect((await asAdmin('GET', `/v1/complaints/${id}`)).body.data).toMatchObject({
      status: 'answered',
      answered_at: '2026-11-21T18:00:00.000Z',
      answered_by: 'A admin',
    });
    expect((await asAdmin('PATCH', `/v1/complaints/${id}`, { status: 'new' })).status).toBe(409);
    const { body: log } = await asAdmin('GET', `/v1/audit?subject_id=${id}&area=people`);
    expect(new Set(log.data.map(({ action }: { action: string }) => action))).toEqual(
      new Set(['PATCH /v1/complaints/{id}', 'POST /v1/complaints/{id}/answer', 'GET /v1/complaints/{id}']),
    );
    expect(JSON.stringify(log)).not.toContain('removed it');
  });

  test('sees the most urgent first, and is told once, a week before its time is over', async () => {
    const { stop, sweep } = startComplaintSweep(app.services);
    await stop();
    const { body: first } = await complain(bodyOf());
    await inDays(10);
    const { body: second } = await complain(bodyOf());
    const { body: third } = await complain(bodyOf());
    await answer(await idOf(third.data.reference));
    expect((await list()).map(({ reference }: { reference: string }) => reference)).toEqual([
      first.data.reference,
      second.data.reference,
      third.data.reference,
    ]);
    await soonToOwner(3);
    await sweep();
    await inDays(13);
    await sweep();
    await sweep();
    const told = await soonToOwner(4);
    expect(told?.subject).toContain(`${first.data.reference}: answer it by`);
    await inDays(10);
    await Promise.all([sweep(), sweep()]);
    await soonToOwner(5);
  });

  test('removes the person once it was answered, and by itself that happens after three years', async () => {
    const { stop, sweep } = startComplaintSweep(app.services);
    await stop();
    const body = bodyOf();
    const id = await idOf((await complain(body)).body.data.reference);
    const early = await asAdmin('POST', `/v1/complaints/${id}/forget`, {});
    expect([early.status, early.body.code]).toEqual([409, 'conflict']);
    await answer(id);
    await soonTo(body.email, 2);
    // A mail that is out is settled a moment later; until then it counts as one that is still to be sent.
    const open = () =>
      app.database.db
        .selectFrom('mails')
        .select('id')
        .where('to_address', '=', body.email)
        .where('ended_at', 'is', null)
        .execute();
    await expect.poll(open).toEqual([]);
    const gone = await asAdmin('POST', `/v1/complaints/${id}/forget`, {});
    expect(gone.body.data).toMatchObject({
      is_forgotten: true,
      name: '',
      email: '',
      message: '',
      answer: '',
      status: 'answered',
    });
    expect(
      (await asAdmin('GET', '/v1/mail?per_page=200')).body.data.some(({ to }: { to: string }) => to === body.email),
    ).toBe(false);

    const later = bodyOf();
    const otherId = await idOf((await complain(later)).body.data.reference);
    await answer(otherId);
    await soonTo(later.email, 2);
    await inDays(3 * 365);
    await sweep();
    expect((await asAdmin('GET', `/v1/complaints/${otherId}`)).body.data.is_forgotten).toBe(false);
    await inDays(2);
    await sweep();
    expect((await asAdmin('GET', `/v1/complaints/${otherId}`)).body.data.is_forgotten).toBe(true);
  });
});

describe('about an order', () => {
  interface Placed {
    id: string;
    number: string;
    session: string;
    lines: { id: string; quantity: number; name: string }[];
  }
  const place = async (): Promise<Placed> => {
    const sent = app.orderBody();
    const { status, body } = await app.request('POST', '/v1/orders', { body: sent });
    expect(status).toBe(201);
    return { ...body.data, session: sent['session'] };
  };
  const about = ({ id, lines }: Placed, change: Record<string, unknown> = {}) =>
    bodyOf({
      about: 'order',
      order_id: id,
      lines: [{ line_id: lines[0]?.id, quantity: 1 }],
      wish: 'make_again',
      is_allergy: true,
      message: 'There were nuts in it.',
      ...change,
    });
  const as = ({ session }: Placed) => ({ headers: { 'x-order-session': session } });
  const board = (token: string) => app.request('GET', `/v1/stores/${app.shop.storeId}/complaints`, { token });

  test("shows its dishes and wish on the boards of the order's store, allergies first, until one of two answers", async () => {
    const added = vi.spyOn(app.services.outbox, 'add');
    const announced = () => added.mock.calls.filter(([, { event }]) => event === 'complaint.updated');
    expect((await board(admin)).body).toEqual({ data: [] });
    const placed = await place();
    const [line] = placed.lines;
    const other = await complain(about(placed, { is_allergy: false, lines: [], message: 'Cold.' }), as(placed));
    const body = about(placed);
    const sent = await complain(body, as(placed));
    expect([other.status, sent.status]).toEqual([201, 201]);
    expect(announced()).toHaveLength(2);
    const staff = await app.signIn('store_admin', [app.shop.storeId]);
    const { data } = (await board(staff)).body;
    expect(data.map(({ reference }: { reference: string }) => reference)).toEqual([
      sent.body.data.reference,
      other.body.data.reference,
    ]);
    expect(data[0]).toEqual({
      id: expect.any(String),
      reference: sent.body.data.reference,
      created_at: '2026-11-21T18:00:00.000Z',
      name: 'Zelda Quux',
      email: body.email,
      phone: expect.stringMatching(/^0/),
      order_id: placed.id,
      order_number: placed.number,
      lines: [{ line_id: line?.id, name: line?.name, quantity: 1 }],
      wish: 'make_again',
      is_allergy: true,
      message: 'There were nuts in it.',
    });
    const second = await app.signIn('store_admin', [app.shop.storeId]);
    const answers = await Promise.all(
      [staff, second].map((token) =>
        app.request('POST', `/v1/complaints/${data[0].id}/answer`, { token, body: { answer: 'We rang you.' } }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(announced()).toHaveLength(3);
    expect((await board(staff)).body.data).toHaveLength(1);
    added.mockRestore();
  });

  test("stands on the order's page with its answer for whom the whole order is, which each of them is told", async () => {
    const placed = await place();
    const other = await place();
    const ofOrder = (options: { token?: string; headers?: Record<string, string> } = {}) =>
      app.request('GET', `/v1/orders/${placed.id}/complaints`, options);
    const added = vi.spyOn(app.services.outbox, 'add');
    const told = () =>
      added.mock.calls.filter(([, { event, subjectId }]) => event === 'order.updated' && subjectId === placed.id)
        .length;
    expect((await ofOrder(as(placed))).body).toEqual({ data: [] });
    const { reference } = (await complain(about(placed), as(placed))).body.data;
    expect(told()).toBe(1);
    const waiting = {
      reference,
      about: 'order',
      status: 'new',
      created_at: '2026-11-21T18:00:00.000Z',
      due_at: '2026-12-21T18:00:00.000Z',
      answered_at: null,
      order_number: placed.number,
      lines: [{ line_id: placed.lines[0]?.id, name: placed.lines[0]?.name, quantity: 1 }],
      wish: 'make_again',
      is_allergy: true,
      message: 'There were nuts in it.',
      answer: '',
    };
    expect((await ofOrder(as(placed))).body.data).toEqual([waiting]);
    await answer(await idOf(reference), 'We rang you.');
    expect(told()).toBe(2);
    added.mockRestore();
    expect((await ofOrder(as(placed))).body.data).toEqual([
      { ...waiting, status: 'answered', answered_at: '2026-11-21T18:00:00.000Z', answer: 'We rang you.' },
    ]);
    const refusals = [{}, as(other), { token: (await register()).token }];
    expect(await Promise.all(refusals.map(async (options) => (await ofOrder(options)).status))).toEqual([
      401, 401, 403,
    ]);
  });

  test("leaves the order's page with its sender, and with the order's guest", async () => {
    const { token, id } = await register();
    const placed = await place();
    await app.database.db.updateTable('orders').set({ customer_id: id }).where('id', '=', placed.id).execute();
    const count = async () => {
      const { body } = await app.request('GET', `/v1/orders/${placed.id}/complaints`, { token: admin });
      return body.data.length;
    };
    await complain(about(placed), { token });
    await complain(about(placed), as(placed));
    expect(await count()).toBe(2);
    await app.database.db.updateTable('complaints').set({ forgets: true }).where('user_id', '=', id).execute();
    expect(await count()).toBe(1);
    await app.database.db.updateTable('orders').set({ customer_id: null }).where('id', '=', placed.id).execute();
    expect((await end(placed)).status).toBe(200);
    expect((await asAdmin('POST', `/v1/orders/${placed.id}/forget`, {})).status).toBe(200);
    expect(await count()).toBe(0);
  });

  test("is no other store's business, and one about personal data is the owner's alone", async () => {
    const placed = await place();
    await complain(about(placed), as(placed));
    const { reference } = (await complain(bodyOf())).body.data;
    const [ofOrder] = (await board(admin)).body.data;
    const staff = await app.signIn('store_admin', [app.shop.storeId]);
    const stranger = await app.signIn('store_admin', [randomUUID()]);
    const answerAs = async (token: string, id: string) =>
      (await app.request('POST', `/v1/complaints/${id}/answer`, { token, body: { answer: 'No.' } })).status;
    expect((await board(stranger)).status).toBe(403);
    expect(await answerAs(stranger, ofOrder.id)).toBe(403);
    expect(await answerAs(staff, await idOf(reference))).toBe(403);
  });

  test('needs somebody who may read the order whole, its own lines, and no more pieces than were ordered', async () => {
    const placed = await place();
    const other = await place();
    const line = placed.lines[0];
    const refusals = [
      [about(placed), {}, 401],
      [about(placed), { token: (await register()).token }, 403],
      [about(placed, { order_id: randomUUID() }), as(placed), 404],
      [about(placed, { lines: [{ line_id: other.lines[0]?.id, quantity: 1 }] }), as(placed), 422],
      [about(placed, { lines: [{ line_id: line?.id, quantity: (line?.quantity ?? 0) + 1 }] }), as(placed), 422],
      [about(placed, { lines: [1, 1].map((quantity) => ({ line_id: line?.id, quantity })) }), as(placed), 422],
      [about(placed, { about: 'data' }), as(placed), 422],
      [about(placed, { order_id: undefined }), as(placed), 422],
      [about(placed, { wish: 'free_food' }), as(placed), 422],
    ] as const;
    for (const [body, options, wanted] of refusals) {
      expect((await complain(body, options)).status, JSON.stringify(body)).toBe(wanted);
      await app.database.db.deleteFrom('throttles').execute();
    }
    expect(await list()).toEqual([]);
  });

  test('with another wish or order under the same key is refused; the same is the same one', async () => {
    const placed = await place();
    const body = about(placed);
    expect((await complain(body, as(placed))).status).toBe(201);
    expect((await complain(body, as(placed))).status).toBe(201);
    expect((await complain({ ...body, wish: 'money_back' }, as(placed))).body.code).toBe('conflict');
    const [one, two] = [await place(), await place()];
    const of = (order: Placed) => about(order, { key: wordless.key, email: wordless.email, lines: [] });
    const wordless = bodyOf();
    expect((await complain(of(one), as(one))).status).toBe(201);
    expect((await complain(of(two), as(two))).body.code).toBe('conflict');
    expect(await list()).toHaveLength(2);
  });

  test('keeps no order, dish or allergy once its person is removed', async () => {
    const placed = await place();
    const { reference } = (await complain(about(placed), as(placed))).body.data;
    const id = await idOf(reference);
    await answer(id);
    const { data } = (await asAdmin('POST', `/v1/complaints/${id}/forget`, {})).body;
    expect(data).toMatchObject({ order_id: null, order_number: null, lines: [], wish: null, is_allergy: false });
  });

  const end = ({ id }: Placed) => asAdmin('POST', `/v1/orders/${id}/reject`, { reason: 'too_busy' });
  const sweepInDays = async (count: number) => {
    const { stop, sweep } = startComplaintSweep(app.services);
    await stop();
    await inDays(count);
    await sweep();
  };

  test("loses its person with the order's guest, two days after the answer; an open one is kept", async () => {
    const placed = await place();
    const done = await idOf((await complain(about(placed), as(placed))).body.data.reference);
    const open = await idOf((await complain(about(placed), as(placed))).body.data.reference);
    const other = await place();
    const kept = await idOf((await complain(about(other), as(other))).body.data.reference);
    for (const id of [done, kept]) await answer(id);
    expect((await end(placed)).status).toBe(200);
    expect((await asAdmin('POST', `/v1/orders/${placed.id}/forget`, {})).status).toBe(200);
    await sweepInDays(1);
    const read = async (id: string) => (await asAdmin('GET', `/v1/complaints/${id}`)).body.data;
    expect(await read(done)).toMatchObject({ is_forgotten: false, name: 'Zelda Quux', order_id: placed.id });
    await sweepInDays(2);
    expect(await read(done)).toMatchObject({ is_forgotten: true, name: '', email: '', message: '', is_allergy: false });
    for (const id of [open, kept]) expect(await read(id)).toMatchObject({ is_forgotten: false, name: 'Zelda Quux' });
  });

  test('loses its order and dishes once it is answered and the order is too old to name its guest', async () => {
    const placed = await place();
    const id = await idOf((await complain(about(placed), as(placed))).body.data.reference);
    expect((await end(placed)).status).toBe(200);
    await inDays(91);
    expect(await eraseOldGuests(app.services)).toBeGreaterThan(0);
    await sweepInDays(0);
    const read = async () => (await asAdmin('GET', `/v1/complaints/${id}`)).body.data;
    expect(await read()).toMatchObject({ order_id: placed.id, order_number: placed.number });
    await answer(id);
    await sweepInDays(0);
    expect(await read()).toMatchObject({
      is_forgotten: false,
      name: 'Zelda Quux',
      message: 'There were nuts in it.',
      order_id: null,
      order_number: null,
      lines: [],
    });
  });

  test('speaks for its own store in mails and alerts; an allergy is told as one', async () => {
    const placed = await place();
    const first = (await asAdmin('POST', '/v1/stores', { name: 'Own Shop', timezone: 'Pacific/Auckland' })).body.data;
    await app.database.db.updateTable('orders').set({ store_id: first.id }).where('id', '=', placed.id).execute();
    const body = about(placed);
    const { reference } = (await complain(body, as(placed))).body.data;
    expect((await soonTo(body.email, 1))?.subject).toBe(`Own Shop has your complaint (${reference})`);
    // Alerts of earlier tests may still arrive.
    const told = () => mailsTo(ownersMail).find(({ subject }) => subject === `Allergy complaint: ${reference}`);
    await expect.poll(told, patient).toBeDefined();
    // In Auckland the day of the answer has begun.
    expect(told()?.text).toMatch(/allergy.*22 December/s);
    await answer(await idOf(reference));
    expect((await soonTo(body.email, 2))?.subject).toContain('Own Shop: the answer');
    const stores = await app.database.db
      .selectFrom('mails')
      .select('store_id')
      .where('kind', '=', 'complaint')
      .execute();
    expect(stores.map(({ store_id: id }) => id)).toContain(first.id);
  });
});

describe('with an account', () => {
  const exported = async (token: string) =>
    (await app.request('GET', '/v1/auth/user/export', { token })).body.data.complaints;

  test("it is in the export; somebody else's with the same address is not, until the address was confirmed", async () => {
    const { token, email, id } = await register();
    const own = (await complain(bodyOf({ email: 'other@complains.example' }), { token })).body.data;
    const asGuest = (await complain(bodyOf({ email }))).body.data;
    expect((await exported(token)).map(({ reference }: { reference: string }) => reference)).toEqual([own.reference]);
    await app.database.db.updateTable('users').set({ email_verified_at: app.clock.now }).where('id', '=', id).execute();
    expect(new Set((await exported(token)).map(({ reference }: { reference: string }) => reference))).toEqual(
      new Set([own.reference, asGuest.reference]),
    );
    expect((await exported(token))[0]).toMatchObject({
      about: 'data',
      message: 'You still have my old address.',
      answer: '',
    });
  });

  test("a guest's complaint about an order that an account took since goes with the account, and is in its export", async () => {
    const { token, id } = await register();
    const sent = app.orderBody();
    const order = (await app.request('POST', '/v1/orders', { body: sent })).body.data;
    const headers = { 'x-order-session': sent['session'] as string };
    const about = { about: 'order', order_id: order.id };
    const { reference } = (await complain(bodyOf(about), { headers })).body.data;
    const colleague = await register();
    await app.database.db.updateTable('orders').set({ customer_id: id }).where('id', '=', order.id).execute();
    const others = (await complain(bodyOf(about), { headers, token: colleague.token })).body.data;
    expect((await exported(token)).map((one: { reference: string }) => one.reference)).toEqual([reference]);
    const [done, other] = [await idOf(reference), await idOf(others.reference)];
    await answer(done);
    expect((await asAdmin('POST', `/v1/orders/${order.id}/reject`, { reason: 'too_busy' })).status).toBe(200);
    expect((await app.request('DELETE', '/v1/auth/user', { token, body: { password } })).status).toBe(204);
    expect((await asAdmin('GET', `/v1/complaints/${done}`)).body.data.is_forgotten).toBe(true);
    expect((await asAdmin('GET', `/v1/complaints/${other}`)).body.data.is_forgotten).toBe(false);
  });

  test('erasure removes an answered one at once, and an open one two days after its answer', async () => {
    const { stop, sweep } = startComplaintSweep(app.services);
    await stop();
    const { token, email, id } = await register();
    const done = (await complain(bodyOf({ email, message: 'quuxdone' }), { token })).body.data;
    const open = (await complain(bodyOf({ email, message: 'quuxopen' }), { token })).body.data;
    const ids = [await idOf(done.reference), await idOf(open.reference)] as const;
    await answer(ids[0]);
    await soonTo(email, 4);
    expect((await app.request('DELETE', '/v1/auth/user', { token, body: { password } })).status).toBe(204);
    const rows = async () =>
      (
        await sql<{ text: string }>`select to_jsonb(c)::text as text from complaints c order by created_at, id`.execute(
          app.database.db,
        )
      ).rows
        .map(({ text }) => text)
        .join();
    expect(await rows()).not.toMatch(new RegExp(`quuxdone|${id}`));
    expect(await rows()).toContain('quuxopen');
    // By law its sender is answered all the same.
    await answer(ids[1], 'quuxanswer');
    await expect.poll(() => mailsTo(email).at(-1)?.text, patient).toContain('quuxanswer');
    await sweep();
    expect(await rows()).toContain('quuxopen');
    await inDays(3);
    await sweep();
    expect(await rows()).not.toMatch(new RegExp(`quux|${email}`));
  });
});
