import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { saturdayEvening } from '#testing/small-shop.ts';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

const password = 'correct horse';
let app: TestApp;
let admin: string;
beforeAll(async () => {
  app = await startTestApp({ guest_checkout: true }, { APP_URL: 'http://localhost:4100' });
  admin = await app.signIn('admin');
});
beforeEach(async () => {
  app.clock.now = saturdayEvening;
  await app.database.db.deleteFrom('throttles').execute();
});
afterAll(() => app.close());

interface Placed {
  id: string;
  session: string;
  number: string;
}
const newEmail = () => `${randomUUID()}@example.com`;
/** An order placed without an account. */
const placeAsGuest = async (email: string, change: Record<string, unknown> = {}): Promise<Placed> => {
  const contact = { name: 'Grace Hopper', phone: `07700 9${String(Math.random()).slice(2, 7)}`, email };
  const { status, body } = await app.request('POST', '/v1/orders', { body: app.orderBody({ contact, ...change }) });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.data as Placed;
};
const ask = (order: Placed, sessions: string[] = []) =>
  app.request('POST', `/v1/orders/${order.id}/account-link`, {
    headers: { 'x-order-session': order.session },
    body: { sessions },
  });
interface Mail {
  id: string;
  to: string;
  subject: string;
}
/** The texts of the mails about links to this address, as soon as there are so many. */
const linksTo = async (email: string, count = 1): Promise<string[]> => {
  const find = async (): Promise<Mail[]> => {
    const { body } = await app.request('GET', '/v1/mail?per_page=200', { token: admin });
    return (body.data as Mail[]).filter(({ to, subject }) => to === email && subject.includes('account at'));
  };
  await expect.poll(async () => (await find()).length).toBe(count);
  const read = async ({ id }: Mail) =>
    (await app.request('GET', `/v1/mail/${id}`, { token: admin })).body.data.text as string;
  return Promise.all((await find()).map(read));
};
const tokenIn = (text = '') => /account-link#token=([\w-]+)/.exec(text)?.[1] ?? '';
const readLink = (token: string) => app.request('POST', '/v1/account-links/read', { body: { token } });
const useLink = (token: string, typed?: string) =>
  app.request('POST', '/v1/account-links/use', { body: { token, ...(typed !== undefined && { password: typed }) } });
const ordersOf = async (token: string) =>
  ((await app.request('GET', '/v1/orders', { token })).body.data as Placed[]).map(({ id }) => id);
const register = async (email: string, isConfirmed = true) => {
  const body = { name: 'Ada Byron', email, phone: '07700 900123', password };
  const { token, user } = (await app.request('POST', '/v1/auth/register/customer', { body })).body;
  const { db } = app.database;
  if (isConfirmed) {
    await db.updateTable('users').set({ email_verified_at: saturdayEvening }).where('id', '=', user.id).execute();
  }
  return { id: user.id as string, token: token as string };
};

describe('a link to an address without an account', () => {
  test('makes one with a password, the order and others of the browser in it, and signs in', async () => {
    const email = newEmail();
    const address = { line1: '4 Castle Street', city: 'Rugby', postcode: 'CV21 2AA' };
    const earlier = await placeAsGuest(newEmail());
    const order = await placeAsGuest(email, { fulfilment_type: 'delivery', address });
    const { status, body } = await ask(order, [order.session, earlier.session]);
    expect([status, body.message]).toEqual([200, `This shop cannot send emails yet, so no link was sent to ${email}.`]);
    const [mail] = await linksTo(email);
    const token = tokenIn(mail);
    const read = await readLink(token);
    expect(read.body.data).toMatchObject({
      email,
      has_account: false,
      orders: [{ id: order.id, currency: 'GBP' }, { id: earlier.id }],
    });
    const missing = await useLink(token);
    expect([missing.status, Object.keys(missing.body.errors)]).toEqual([422, ['password']]);
    const used = await useLink(token, password);
    const { signed_in: signedIn, orders } = used.body.data;
    expect(orders).toHaveLength(2);
    expect(signedIn.user).toMatchObject({ email, name: 'Grace Hopper', role: 'customer', has_password: true });
    expect(signedIn.user.email_verified_at).not.toBeNull();
    expect(await ordersOf(signedIn.token)).toEqual([order.id, earlier.id]);
    const own = await app.request('GET', '/v1/auth/user', { token: signedIn.token });
    expect(own.body.data.addresses).toMatchObject([{ line1: '4 Castle Street' }]);
    const again = await useLink(token, 'another password');
    expect([again.status, Object.keys(again.body.errors)]).toEqual([422, ['token']]);
    expect((await app.request('POST', '/v1/auth/login', { body: { email, password } })).status).toBe(200);
  });

  test('works for a day, is stored as a hash only, and is deleted after it', async () => {
    const order = await placeAsGuest(newEmail());
    const { contact } = (await app.request('GET', `/v1/orders/session/${order.session}`)).body.data;
    await ask(order);
    const [mail] = await linksTo(contact.email);
    const rows = await app.database.db.selectFrom('account_links').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(tokenIn(mail));
    app.clock.now = new Date(saturdayEvening.getTime() + 24 * 60 * 60_000);
    expect((await readLink(tokenIn(mail))).status).toBe(422);
    expect((await useLink(tokenIn(mail), password)).status).toBe(422);
  });

  test('used twice at once makes one account', async () => {
    const email = newEmail();
    const order = await placeAsGuest(email);
    await ask(order);
    const token = tokenIn((await linksTo(email))[0]);
    const both = await Promise.all([useLink(token, password), useLink(token, password)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 422]);
  });
});

describe('a link to an address that has an account', () => {
  test('is asked for with the same answer, goes to its owner, and adds the order without another password', async () => {
    const [email, unknown] = [newEmail(), newEmail()];
    const { token } = await register(email);
    const order = await placeAsGuest(email);
    const [known, none] = [await ask(order), await ask(await placeAsGuest(unknown))];
    expect(known.status).toBe(none.status);
    expect(known.body.message.replace(email, '')).toBe(none.body.message.replace(unknown, ''));
    const [mail] = await linksTo(email);
    expect(mail).toContain('You have an account here already');
    expect((await readLink(tokenIn(mail))).body.data).toMatchObject({ email, has_account: true });
    expect(await ordersOf(token)).toEqual([]);
    const { body } = await useLink(tokenIn(mail));
    expect(body.data).toMatchObject({ orders: [{ id: order.id }], signed_in: null });
    expect(await ordersOf(token)).toEqual([order.id]);
    expect((await app.request('POST', '/v1/auth/login', { body: { email, password } })).status).toBe(200);
  });

  test('takes one back that nobody had confirmed: by a new password, without earlier sign-ins', async () => {
    const email = newEmail();
    const squatter = await register(email, false);
    const order = await placeAsGuest(email);
    await ask(order);
    const token = tokenIn((await linksTo(email))[0]);
    expect((await readLink(token)).body.data.has_account).toBe(false);
    expect(Object.keys((await useLink(token)).body.errors)).toEqual(['password']);
    const { body } = await useLink(token, 'the owner has it');
    expect(body.data.signed_in.user).toMatchObject({ id: squatter.id, email });
    expect((await app.request('GET', '/v1/auth/user', { token: squatter.token })).status).toBe(401);
    expect((await app.request('POST', '/v1/auth/login', { body: { email, password } })).status).toBe(422);
    expect(await ordersOf(body.data.signed_in.token)).toEqual([order.id]);
  });

  test("tells who has only the order's session nothing about the account", async () => {
    const email = newEmail();
    const { id, token } = await register(email);
    const order = await placeAsGuest(email);
    await ask(order);
    await useLink(tokenIn((await linksTo(email))[0]));
    const headers = { 'x-order-session': order.session };
    for (const path of [`/v1/orders/${order.id}`, `/v1/orders/session/${order.session}`]) {
      const { body } = await app.request('GET', path, { headers });
      expect(body.data).toMatchObject({ customer: null, has_account: true });
      expect(JSON.stringify(body)).not.toMatch(new RegExp(`${id}|Ada Byron|07700 900123`));
    }
    const own = await app.request('GET', `/v1/orders/${order.id}`, { token });
    expect(own.body.data.customer).toMatchObject({ id, email });
    const staff = await app.request('GET', `/v1/orders/${order.id}`, { token: admin });
    expect(staff.body.data.customer).toMatchObject({ id, email });
    const again = await ask(order);
    expect([again.status, again.body.code]).toEqual([409, 'conflict']);
  });

  test('of staff adds nothing, and says why', async () => {
    const email = newEmail();
    const { id } = await register(email);
    await app.database.db.updateTable('users').set({ role: 'store_admin' }).where('id', '=', id).execute();
    await ask(await placeAsGuest(email));
    const [mail] = await linksTo(email);
    expect(mail).toContain('as a member of staff');
    expect(tokenIn(mail)).toBe('');
  });
});

describe('asking for a link', () => {
  test("needs the order's session, an address, and is limited in number", async () => {
    const email = newEmail();
    const order = await placeAsGuest(email);
    const path = `/v1/orders/${order.id}/account-link`;
    expect((await app.request('POST', path, { body: {} })).status).toBe(401);
    const wrong = { 'x-order-session': randomUUID() };
    expect((await app.request('POST', path, { headers: wrong, body: {} })).status).toBe(401);
    expect((await app.request('POST', path, { token: (await register(newEmail())).token, body: {} })).status).toBe(403);
    const without = await ask(await placeAsGuest(''));
    expect([without.status, without.body.code]).toEqual([409, 'conflict']);
    const answers = [];
    for (let time = 0; time < 6; time += 1) answers.push((await ask(order)).status);
    expect(answers).toEqual([200, 200, 200, 200, 200, 429]);
  });

  test('counts only orders that guests placed: one of an account stays where it is', async () => {
    const { token } = await register(newEmail());
    const owned = (await app.request('POST', '/v1/orders', { token, body: app.orderBody() })).body.data as Placed;
    const email = newEmail();
    const order = await placeAsGuest(email);
    await ask(order, [owned.session, randomUUID()]);
    const link = tokenIn((await linksTo(email))[0]);
    expect((await readLink(link)).body.data.orders).toMatchObject([{ id: order.id }]);
    await useLink(link, password);
    expect(await ordersOf(token)).toEqual([owned.id]);
  });
});

describe('somebody who is signed in', () => {
  const attach = (token: string, sessions: string[]) =>
    app.request('POST', '/v1/auth/user/orders', { token, body: { sessions } });

  test('puts the guest orders of their browser into their account, and keeps their own details', async () => {
    const { id, token } = await register(newEmail());
    const [first, second] = [await placeAsGuest(newEmail()), await placeAsGuest('')];
    const { status, body } = await attach(token, [second.session.toUpperCase(), first.session, randomUUID()]);
    expect([status, body.data.map((order: Placed) => order.id)]).toEqual([200, [second.id, first.id]]);
    expect(await ordersOf(token)).toEqual([second.id, first.id]);
    expect((await app.request('GET', '/v1/auth/user', { token })).body.data.phone).toBe('07700 900123');
    // Staff see whose it is, and that it changed.
    const staff = (await app.request('GET', `/v1/orders/${first.id}`, { token: admin })).body.data;
    expect([staff.customer.id, staff.version]).toEqual([id, 2]);
    expect((await attach(token, [first.session])).body.data).toEqual([]);
  });

  test('gets an order that two accounts want at once only once', async () => {
    const [one, other] = [await register(newEmail()), await register(newEmail())];
    const orders = [await placeAsGuest(newEmail()), await placeAsGuest(newEmail())];
    const sessions = orders.map(({ session }) => session);
    await Promise.all([attach(one.token, sessions), attach(other.token, sessions.toReversed())]);
    const counts = [await ordersOf(one.token), await ordersOf(other.token)].map(({ length }) => length);
    expect(counts.toSorted()).toEqual([0, 2]);
  });

  test('does not get the order of another account, of staff, or one whose details were removed', async () => {
    const [mine, theirs] = [await register(newEmail()), await register(newEmail())];
    const owned = (await app.request('POST', '/v1/orders', { token: theirs.token, body: app.orderBody() })).body.data;
    const phoned = (
      await app.request('POST', '/v1/orders', { token: admin, body: app.orderBody({ channel: 'phone' }) })
    ).body.data;
    const forgotten = await placeAsGuest(newEmail());
    const { db } = app.database;
    await db.updateTable('orders').set({ forgotten_at: saturdayEvening }).where('id', '=', forgotten.id).execute();
    const sessions = [owned.session, phoned.session, forgotten.session];
    expect((await attach(mine.token, sessions)).body.data).toEqual([]);
    expect(await ordersOf(theirs.token)).toEqual([owned.id]);
  });

  test('finds the order in the copy of their data', async () => {
    const email = newEmail();
    const { token } = await register(email);
    const order = await placeAsGuest(email);
    await attach(token, [order.session]);
    const exported = await app.request('GET', '/v1/auth/user/export', { token });
    expect(exported.body.data.orders).toMatchObject([{ id: order.id }]);
  });
});
