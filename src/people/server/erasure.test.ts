import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { accountTools, password } from '#accounts/testing/account-tools.ts';
import { createSignIn } from '#accounts/server/sign-ins.ts';
import { startMailRetention } from '#mail/server/mail-retention.ts';
import { updateTakingsSums } from '#reports/server/sum-days.ts';
import { addPrinter, fakePrinters } from '#testing/fake-printers.ts';
import { findTraces as findTracesIn } from '#testing/find-traces.ts';
import { newSubscription } from '#testing/access-world.ts';
import { saturdayEvening } from '#testing/small-shop.ts';
import { startTestApp, type Response, type TestApp } from '#testing/test-app.ts';

let app: TestApp;
let admin: string;
let adminId: string;
beforeAll(async () => {
  app = await startTestApp({}, {}, undefined, { transports: fakePrinters().transports });
  const token = await app.signIn('admin');
  await addPrinter(app, {}, token);
  adminId = (await app.request('GET', '/v1/auth/user', { token })).body.data.id;
});
beforeEach(async () => {
  app.clock.now = saturdayEvening;
  admin = await createSignIn(app.database.db, adminId, 'test', app.clock.now);
  await app.database.db.deleteFrom('throttles').execute();
});
afterAll(() => app.close());

const { later, waitForMail, waitForFile } = accountTools(() => ({ app, admin }));

/** A person whose every word is found nowhere else. */
function newPerson() {
  const sign = randomUUID()
    .replaceAll(/[^a-z]/g, '')
    .slice(0, 6);
  return {
    name: `Zelda ${sign} Quux`,
    email: `${sign}.${randomUUID().slice(0, 8)}@erased.example`,
    phone: `07${String(Math.floor(Math.random() * 1e9)).padStart(9, '0')}`,
    street: `9 ${sign} Hollow`,
    note: `note ${sign} please`,
  };
}
type Person = ReturnType<typeof newPerson>;

const tracesOf = ({ name, email, phone, street, note }: Person) =>
  // The address before it was changed ends like the new one.
  [name, email.replace(/^moved\./, ''), phone, phone.slice(-9), street, note].map((text) => text.toLowerCase());

const findTraces = (texts: readonly string[]) => findTracesIn(app, texts);

/** The file of the last mail has their address for a month; after it there is nothing at all. */
async function onlyFileIsLeft(person: Person): Promise<void> {
  await expect.poll(() => findTraces(tracesOf(person))).toEqual([`mail file: ${person.email.replace(/^moved\./, '')}`]);
  const { now } = app.clock;
  later(31 * 24 * 60);
  const { stop, sweep } = startMailRetention(app.services);
  await stop();
  await sweep();
  app.clock.now = now;
  expect(await findTraces(tracesOf(person))).toEqual([]);
}

const call = async (
  path: string,
  token: string | undefined,
  body: unknown,
  status: number,
): Promise<Response['body']> => {
  const answer = await app.request('POST', path, { body, ...(token && { token }) });
  expect(answer.status, `${path}: ${JSON.stringify(answer.body)}`).toBe(status);
  return answer.body?.data;
};

const bodyOf = ({ name, phone, email, street, note }: Person) =>
  app.orderBody({
    fulfilment_type: 'delivery',
    contact: { name, phone, email },
    address: { line1: street, line2: '', city: 'Rugby', postcode: 'CV21 2AA', instructions: note },
    note,
    allergy_note: note,
    lines: [{ item_id: app.shop.chips, quantity: 5, note }],
  });

/**
 * An order with everything that people write about it: it is called off, and another one was delivered and given back.
 */
async function useEverything(
  person: Person,
  token?: string,
): Promise<{ cancelled: string; delivered: Response['body'] }> {
  const { name, note, email, phone, street } = person;
  const ofStaff = `${name} (${phone}, ${email}) of ${street} rang: ${note}`;
  const cancelled = await call('/v1/orders', token, bodyOf(person), 201);
  await call(`/v1/orders/${cancelled.id}/cancel`, admin, { reason: ofStaff }, 200);
  const delivered = await call('/v1/orders', token, bodyOf(person), 201);
  await call(`/v1/orders/${delivered.id}/accept`, admin, {}, 200);
  const [line] = delivered.lines;
  const lines = [{ line_id: line.id, quantity: 1 }];
  await call(`/v1/orders/${delivered.id}/lines/remove`, admin, { lines, reason: ofStaff }, 200);
  await call(`/v1/orders/${delivered.id}/print-receipt`, admin, { printType: 'kitchen', both: true }, 200);
  for (const step of ['packed', 'collected-by-driver', 'delivered-to-customer']) {
    await call(`/v1/orders/${delivered.id}/${step}`, admin, {}, 200);
  }
  const refund = { key: randomUUID(), amount: 100, reason: ofStaff };
  const given = await app.request('POST', `/v1/orders/${delivered.id}/refunds`, { token: admin, body: refund });
  expect(given.status, JSON.stringify(given.body)).toBeLessThan(300);
  const draft = { ...bodyOf(person), both: true };
  const temporary = await app.request('POST', '/v1/orders/print-temp-order', { token: admin, body: draft });
  expect(temporary.status, JSON.stringify(temporary.body)).toBe(200);
  const subscription = newSubscription();
  const session = delivered.session as string;
  const push = await app.request('POST', `/v1/orders/${delivered.id}/push`, {
    body: { subscription },
    headers: { 'x-order-session': session },
    ...(token && { token }),
  });
  expect(push.status, JSON.stringify(push.body)).toBe(204);
  const db = app.database.db;
  const open = () => db.selectFrom('prints').select('id').where('ended_at', 'is', null).execute();
  await expect.poll(open).toEqual([]);
  const mails = () => db.selectFrom('mails').select('kind').where('ended_at', 'is', null).execute();
  await expect.poll(mails).toEqual([]);
  return { cancelled: cancelled.id, delivered };
}

async function registerPerson(person: Person): Promise<{ token: string; id: string }> {
  const { name, email, phone, street } = person;
  const body = { name, email, phone, password };
  const { status, body: answer } = await app.request('POST', '/v1/auth/register/customer', { body });
  expect(status).toBe(201);
  const { token, user } = answer;
  const change = {
    addresses: [{ line1: street, line2: '', city: 'Rugby', postcode: 'CV21 2AA', instructions: person.note }],
    allergies: ['nuts'],
  };
  expect((await app.request('PATCH', '/v1/auth/user', { token, body: change })).status).toBe(200);
  await app.request('POST', '/v1/auth/forgot-password', { body: { email } });
  await waitForMail(email);
  const moved = `moved.${email}`;
  const changed = await app.request('PATCH', '/v1/auth/user', { token, body: { email: moved, password } });
  expect(changed.status).toBe(200);
  person.email = moved;
  return { token, id: user.id };
}

/** What the day came to, to the penny; the texts of why orders were called off may go. */
const takingsOf = async () => {
  const day = '2026-11-21';
  const query = `store_id=${app.shop.storeId}&start_date=${day}&end_date=${day}`;
  const { lost, ...rest } = (await app.request('GET', `/v1/reports/sales?${query}`, { token: admin })).body.data;
  const sum = (key: 'orders' | 'total') =>
    lost.reduce((all: number, row: Record<string, number>) => all + (row[key] ?? 0), 0);
  return { ...rest, lost: [sum('orders'), sum('total')] };
};

describe('an owner forgets a customer', () => {
  test('and no text of the database has a word of them; what was sold stays', async () => {
    const person = newPerson();
    const other = newPerson();
    const { token, id } = await registerPerson(person);
    const stays = await registerPerson(other);
    const { delivered } = await useEverything(person, token);
    const before = (await app.request('GET', `/v1/orders/${delivered.id}`, { token: admin })).body.data;
    const takings = await takingsOf();
    await updateTakingsSums(app.database.db);
    expect(await findTraces(tracesOf(person))).toEqual(
      expect.arrayContaining([
        `public.mails: ${person.email.replace(/^moved\./, '')}`,
        `public.order_history: ${person.note}`,
        `public.orders: ${person.phone}`,
        `public.prints: ${person.name.toLowerCase()}`,
        `public.refund_requests: ${person.note}`,
        `public.takings: ${person.note}`,
        `public.users: ${person.street.toLowerCase()}`,
      ]),
    );
    later(1);
    expect((await app.request('DELETE', `/v1/customers/${id}`, { token: admin })).status).toBe(204);
    expect((await app.request('GET', '/v1/auth/user', { token })).status).toBe(401);
    // The last mail tells them; in a shop without a mail server its file is all that is left, for the owner to pass on.
    expect(await waitForFile(person.email)).toContain('has been deleted');
    await updateTakingsSums(app.database.db);
    await onlyFileIsLeft(person);
    expect(await findTraces([other.email])).not.toEqual([]);
    expect((await app.request('GET', '/v1/auth/user', { token: stays.token })).status).toBe(200);

    const after = (await app.request('GET', `/v1/orders/${delivered.id}`, { token: admin })).body.data;
    for (const kept of ['number', 'status', 'subtotal', 'fees', 'total', 'vat', 'refunded', 'completed_at']) {
      expect(after[kept], kept).toEqual(before[kept]);
    }
    expect(await takingsOf()).toEqual(takings);
    expect((await app.request('DELETE', `/v1/customers/${id}`, { token: admin })).status).toBe(404);
    const { body } = await app.request('GET', `/v1/audit?subject_id=${id}`, { token: admin });
    expect(body.data[0]).toMatchObject({ action: 'DELETE /v1/customers/{id}', actor_id: adminId });
  });

  test('not while an order of theirs is on its way, and never somebody of the staff', async () => {
    const person = newPerson();
    const { token, id } = await registerPerson(person);
    await call('/v1/orders', token, bodyOf(person), 201);
    const refused = await app.request('DELETE', `/v1/customers/${id}`, { token: admin });
    expect([refused.status, refused.body.code]).toEqual([409, 'conflict']);
    expect((await app.request('GET', '/v1/auth/user', { token })).status).toBe(200);
    expect((await app.request('DELETE', `/v1/customers/${adminId}`, { token: admin })).status).toBe(404);
  });

  test('twice at once, and it is done once', async () => {
    const { id } = await registerPerson(newPerson());
    const answers = await Promise.all(
      Array.from({ length: 2 }, () => app.request('DELETE', `/v1/customers/${id}`, { token: admin })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 404]);
  });
});

describe('an owner forgets the guest of one order', () => {
  test('and no text of the database has a word of them; their other order stays', async () => {
    const person = newPerson();
    const { cancelled, delivered } = await useEverything(person);
    const takings = await takingsOf();
    await updateTakingsSums(app.database.db);
    later(1);
    const forget = (id: string) => app.request('POST', `/v1/orders/${id}/forget`, { token: admin, body: {} });
    const first = await forget(delivered.id);
    expect(first.status, JSON.stringify(first.body)).toBe(200);
    expect(first.body.data).toMatchObject({
      contact: { name: '', phone: '', email: '' },
      total: first.body.data.total,
    });
    const other = (await app.request('GET', `/v1/orders/${cancelled}`, { token: admin })).body.data;
    expect(other.contact.name).toBe(person.name);
    expect((await forget(cancelled)).status).toBe(200);
    expect((await forget(cancelled)).status).toBe(200);
    await updateTakingsSums(app.database.db);
    expect(await findTraces(tracesOf(person))).toEqual([]);
    expect(await takingsOf()).toEqual(takings);
  });

  test('not while it is on its way, nor where it belongs to an account', async () => {
    const open = await call('/v1/orders', undefined, bodyOf(newPerson()), 201);
    const person = newPerson();
    const { token } = await registerPerson(person);
    const own = await call('/v1/orders', token, bodyOf(person), 201);
    await call(`/v1/orders/${own.id}/cancel`, admin, { reason: 'x' }, 200);
    for (const { id } of [open, own]) {
      const refused = await app.request('POST', `/v1/orders/${id}/forget`, { token: admin, body: {} });
      expect([refused.status, refused.body.code]).toEqual([409, 'conflict']);
    }
    const staff = await app.signIn('store_admin', [app.shop.storeId]);
    expect((await app.request('POST', `/v1/orders/${open.id}/forget`, { token: staff, body: {} })).status).toBe(403);
  });
});

test('who deletes their own account goes just as whole', async () => {
  const person = newPerson();
  const { token } = await registerPerson(person);
  await useEverything(person, token);
  later(1);
  expect((await app.request('DELETE', '/v1/auth/user', { token, body: { password } })).status).toBe(204);
  expect(await waitForFile(person.email)).toContain('has been deleted');
  await onlyFileIsLeft(person);
});
