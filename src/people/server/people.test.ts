import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listAdminMailRecipients } from '#accounts/server/users.ts';
import { mailAdmins } from '#alerts/server/alert-owner.ts';
import { inTransaction } from '#database/transaction.ts';
import { listFiledMailIds, readFiledMail } from '#mail/server/mail-retention.ts';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

const content = () => ({ subject: 'No board', parts: ['Nobody looks.'] });
const alert = { kind: 'boards_lost', storeId: null, content } as const;

let app: TestApp;
let admin: string;
let adminId: string;
beforeAll(async () => {
  app = await startTestApp();
  admin = await app.signIn('admin');
  adminId = (await call('GET', '/v1/auth/user')).body.data.id;
});
afterAll(() => app.close());

const call = (method: string, path: string, body?: unknown) =>
  app.request(method, path, { token: admin, ...(body !== undefined && { body }) });
const invite = async (change: Record<string, unknown> = {}) => {
  const email = `${randomUUID()}@example.com`;
  const body = { name: 'Sam Cook', email, role: 'store_admin', store_ids: [app.shop.storeId], ...change };
  return { email, ...(await call('POST', '/v1/staff', body)) };
};
const linkIn = async (email: string): Promise<string> => {
  const find = async () => {
    const ids = await listFiledMailIds(app.services.config);
    const mails = await Promise.all(ids.map((id) => readFiledMail(app.services.config, id)));
    return mails.find((mail) => mail?.to === email)?.text ?? '';
  };
  await expect.poll(find).toContain('token=');
  return /token=([\w-]+)/.exec(await find())?.[1] ?? '';
};
const choosePassword = (token: string) =>
  app.request('POST', '/v1/auth/reset-password', { body: { token, password: 'correct horse' } });
const signIn = (email: string) => app.request('POST', '/v1/auth/login', { body: { email, password: 'correct horse' } });
const orderAs = (token: string) => app.request('POST', '/v1/orders', { token, body: app.orderBody() });

describe('staff', () => {
  test('an invited person chooses a password by the mailed link, and then works in their shop only', async () => {
    const { status, body, email } = await invite();
    expect([status, body.data]).toEqual([
      201,
      expect.objectContaining({ role: 'store_admin', has_password: false, sign_ins: 0, last_used_at: null }),
    ]);
    expect((await signIn(email)).status).toBe(422);
    expect((await choosePassword(await linkIn(email))).status).toBe(200);
    const { body: signedIn } = await signIn(email);
    expect(signedIn.user).toMatchObject({ role: 'store_admin', store_ids: [app.shop.storeId] });
    const again = await call('POST', `/v1/staff/${body.data.id}/invite`);
    expect([again.status, again.body.code]).toEqual([409, 'conflict']);
  });

  test('without a mail server whoever invites gets the link, once, and no log has it', async () => {
    const { body, email } = await invite();
    const link = /^http:\/\/\S+\/reset-password#token=([\w-]{43})$/.exec(body.invitation_link)?.[1] ?? '';
    const again = await call('POST', `/v1/staff/${body.data.id}/invite`);
    expect((await choosePassword(link)).status).toBe(422);
    const newer = again.body.invitation_link.split('token=')[1];
    expect((await choosePassword(newer)).status).toBe(200);
    expect((await signIn(email)).status).toBe(200);
    const logged = JSON.stringify((await call('GET', '/v1/audit')).body);
    expect(logged).toContain('POST /v1/staff');
    for (const secret of [link, newer]) expect(logged).not.toContain(secret);
    expect(JSON.stringify((await call('GET', '/v1/staff')).body)).not.toContain('invitation_link');
  });

  test('an invitation works for seven days, and only the last one that was sent', async () => {
    const { body, email } = await invite();
    const first = await linkIn(email);
    expect((await call('POST', `/v1/staff/${body.data.id}/invite`)).status).toBe(200);
    expect((await choosePassword(first)).status).toBe(422);

    const late = await invite();
    const token = await linkIn(late.email);
    const sent = app.clock.now;
    app.clock.now = new Date(sent.getTime() + 7 * 24 * 60 * 60_000 + 1);
    const answer = await choosePassword(token);
    app.clock.now = sent;
    expect(answer.status).toBe(422);
  });

  test.each([
    ['no shop', { store_ids: [] }, 'store_ids'],
    ['a shop that does not exist', { store_ids: [randomUUID()] }, 'store_ids'],
    ['no name', { name: ' ' }, 'name'],
    ['no email address', { email: 'sam' }, 'email'],
    ['the role of a customer', { role: 'customer' }, 'role'],
  ])('nobody is invited with %s', async (_, change, field) => {
    const { status, body } = await invite(change);
    expect([status, Object.keys(body.errors)]).toEqual([422, [field]]);
  });

  test('what is no email address is said in words', async () => {
    expect((await invite({ email: 'sam' })).body.errors.email).toEqual([expect.stringContaining('name@example.com')]);
  });

  const register = async () => {
    const email = `${randomUUID()}@example.com`;
    const customer = { name: 'Eve', email, phone: '07700 900123', password: 'vast umbrella' };
    const { body } = await app.request('POST', '/v1/auth/register/customer', { body: customer });
    return { email, id: body.user.id as string, token: body.token as string };
  };

  test('an account whose address nobody confirmed gives way to an invitation, and its orders stay', async () => {
    const eve = await register();
    const { body: placed } = await orderAs(eve.token);
    const invited = await invite({ email: eve.email.toUpperCase() });
    expect([invited.status, invited.body.data]).toEqual([
      201,
      expect.objectContaining({ name: 'Sam Cook', role: 'store_admin', has_password: false }),
    ]);
    expect(invited.body.data.id).not.toBe(eve.id);
    expect((await app.request('GET', '/v1/auth/user', { token: eve.token })).status).toBe(401);
    const password = 'vast umbrella';
    const tried = await app.request('POST', '/v1/auth/login', { body: { email: eve.email, password } });
    expect(tried.status).toBe(422);
    const order = app.database.db.selectFrom('orders').select(['customer_id', 'status', 'contact']);
    expect(await order.where('id', '=', placed.data.id).executeTakeFirst()).toEqual({
      customer_id: null,
      status: 'placed',
      contact: expect.objectContaining({ name: 'Ada Byron' }),
    });
    const token = invited.body.invitation_link.split('token=')[1];
    expect((await choosePassword(token)).status).toBe(200);
    expect((await signIn(eve.email)).body.user).toMatchObject({ role: 'store_admin', name: 'Sam Cook' });
  });

  test.each(['was invited', 'works here'])("somebody else's address is refused in words, of who %s", async (which) => {
    const { id, email } = which === 'works here' ? await colleague() : await invite().then(({ body }) => body.data);
    const answer = await call('PATCH', `/v1/staff/${id}`, { name: 'Sam Chef', email: `${randomUUID()}@example.com` });
    expect([answer.status, answer.body.errors]).toEqual([422, { email: [expect.stringContaining('invite')] }]);
    const { data: staff } = (await call('GET', '/v1/staff?per_page=200')).body;
    expect(staff).toContainEqual(expect.objectContaining({ id, email, name: 'Sam Cook' }));
    const same = await call('PATCH', `/v1/staff/${id}`, { name: 'Sam Chef', email: email.toUpperCase() });
    expect([same.status, same.body.data.name]).toEqual([200, 'Sam Chef']);
  });

  test('without a mail server nobody is handed the link that makes a customer staff', async () => {
    const ada = await register();
    const confirm = { email_verified_at: app.clock.now };
    await app.database.db.updateTable('users').set(confirm).where('id', '=', ada.id).execute();
    const answer = await invite({ email: ada.email });
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['email']]);
    expect((await app.request('GET', '/v1/auth/user', { token: ada.token })).body.data.role).toBe('customer');
  });

  test('who never accepted an invitation gets no other mail, whatever happens and whoever asks', async () => {
    const { email } = await invite({ role: 'admin', store_ids: [] });
    await linkIn(email);
    const { db } = app.database;
    await inTransaction(db, (tx) =>
      mailAdmins(tx, { admins: listAdminMailRecipients, mail: app.services.mail }, alert),
    );
    await app.request('POST', '/v1/auth/forgot-password', { body: { email } });
    const body = { name: 'Eve', email, phone: '07700 900123', password: 'vast umbrella' };
    expect((await app.request('POST', '/v1/auth/register/customer', { body })).status).toBe(422);
    const mails = () => db.selectFrom('mails').select(['kind', 'state', 'to_address']).execute();
    // The reset's mail is looked at, and dropped; the owner who is here gets the alert.
    const toThem = async () =>
      (await mails()).filter((mail) => mail.to_address === email && mail.state !== 'dropped').map(({ kind }) => kind);
    await expect.poll(toThem).toEqual(['invitation']);
    const all = await mails();
    expect(all.filter(({ kind }) => kind === 'boards_lost').length).toBeGreaterThan(0);
  });

  test('less to do ends their sign-ins at once, more does not', async () => {
    const { id, token } = await colleague();
    await call('PATCH', `/v1/staff/${id}`, { name: 'Sam Chef' });
    expect((await app.request('GET', '/v1/auth/user', { token })).body.data.name).toBe('Sam Chef');
    await call('PATCH', `/v1/staff/${id}`, { role: 'admin' });
    expect((await app.request('GET', '/v1/staff', { token })).status).toBe(200);
    const { body } = await call('PATCH', `/v1/staff/${id}`, { role: 'store_admin', store_ids: [app.shop.storeId] });
    expect(body.data).toMatchObject({ role: 'store_admin', sign_ins: 0 });
    expect((await app.request('GET', '/v1/auth/user', { token })).status).toBe(401);
  });

  test('nobody takes the owner role from themselves, or deletes themselves', async () => {
    const demotion = await call('PATCH', `/v1/staff/${adminId}`, {
      role: 'store_admin',
      store_ids: [app.shop.storeId],
    });
    const deletion = await call('DELETE', `/v1/staff/${adminId}`);
    expect([demotion.body.code, deletion.body.code]).toEqual(['conflict', 'conflict']);
    expect((await call('GET', '/v1/auth/user')).body.data.role).toBe('admin');
  });

  test('somebody who left cannot do anything any more, and what they did stays in the log', async () => {
    const { id, token } = await colleague();
    await app.request('POST', `/v1/stores/${app.shop.storeId}/busy`, { token, body: { minutes: 10 } });
    expect((await call('DELETE', `/v1/staff/${id}`)).status).toBe(204);
    expect((await app.request('GET', '/v1/auth/user', { token })).status).toBe(401);
    expect((await call('GET', `/v1/audit?actor_id=${id}&area=stores`)).body.data).toHaveLength(1);
    expect((await call('GET', '/v1/staff?per_page=200')).body.data.map((one: { id: string }) => one.id)).not.toContain(
      id,
    );
  });

  test('signing somebody out everywhere leaves their account as it is', async () => {
    const { id, token, email } = await colleague();
    expect((await call('POST', `/v1/staff/${id}/logout-everywhere`)).body.data.sign_ins).toBe(0);
    expect((await app.request('GET', '/v1/auth/user', { token })).status).toBe(401);
    expect((await signIn(email)).status).toBe(200);
  });

  test('the list can be searched, and says who works in a shop', async () => {
    const { id } = await colleague({ name: 'Zoë 100% Baker' });
    const found = await call('GET', `/v1/staff?search=${encodeURIComponent('100% b')}`);
    expect(found.body.data.map((one: { id: string }) => one.id)).toEqual([id]);
    const elsewhere = await call('GET', `/v1/staff?store_id=${randomUUID()}&per_page=200`);
    expect(elsewhere.body.data.every((one: { role: string }) => one.role === 'admin')).toBe(true);
  });
});

describe('customers', () => {
  test('they are listed with their orders, sorted and searched', async () => {
    const [busy, idle] = [await app.signIn('customer'), await app.signIn('customer')];
    const idOf = async (token: string) => (await app.request('GET', '/v1/auth/user', { token })).body.data.id;
    const [busyId, idleId] = [await idOf(busy), await idOf(idle)];
    await app.request('PATCH', '/v1/auth/user', { token: busy, body: { name: 'Grace Hopper', phone: '07700 900456' } });
    const { body: placed } = await orderAs(busy);
    await orderAs(busy);
    const byOrders = await call('GET', '/v1/customers?sort=-orders&per_page=1');
    expect(byOrders.body.data).toEqual([expect.objectContaining({ id: busyId, orders: 2, spent: 0 })]);
    for (const search of ['hopper', '900456']) {
      const { body } = await call('GET', `/v1/customers?search=${search}`);
      expect(body.data.map((one: { id: string }) => one.id)).toEqual([busyId]);
    }
    for (const step of ['accept', 'collected-by-customer'])
      await call('POST', `/v1/orders/${placed.data.id}/${step}`, {});
    const one = await call('GET', `/v1/customers/${busyId}`);
    expect(one.body.data).toMatchObject({ orders: 2, spent: placed.data.total, allergies: [], addresses: [] });
    const theirs = await call('GET', `/v1/orders?customer_id=${busyId}`);
    expect(theirs.body.meta.total).toBe(2);
    expect((await call('GET', `/v1/customers/${idleId}`)).body.data).toMatchObject({ orders: 0, last_order_at: null });
  });

  test('a letter or two are looked for among fewer days where more customers came, and the answer says how many', async () => {
    const { db } = app.database;
    const now = app.clock.now.getTime();
    const came = async (count: number, hoursAgo: number) => {
      const rows = Array.from({ length: count }, () => ({
        id: randomUUID(),
        name: `Wq ${hoursAgo} hours`,
        email: `${randomUUID()}@example.com`,
        role: 'customer' as const,
        addresses: '[]',
        created_at: new Date(now - hoursAgo * 3_600_000),
      }));
      await db.insertInto('users').values(rows).execute();
    };
    const found = async (search: string) => {
      const { meta } = (await call('GET', `/v1/customers?search=${search}&per_page=1`)).body;
      return [meta.searched_days, meta.total];
    };
    await came(3, 2 * 24 + 1);
    await came(2, 5 * 24 + 1);
    await came(1, 9 * 24);
    expect(await found('wq')).toEqual([7, 5]);
    await came(600, 3 * 24 + 1);
    expect(await found('wq')).toEqual([3, 603]);
    await came(600, 1);
    expect(await found('wq')).toEqual([1, 600]);
    expect(await found('hours')).toEqual([null, 1206]);
    await sql`delete from users where name like 'Wq%'`.execute(db);
  });

  test('staff are no customers, and customers no staff', async () => {
    expect((await call('GET', `/v1/customers/${adminId}`)).status).toBe(404);
    const token = await app.signIn('customer');
    const { id } = (await app.request('GET', '/v1/auth/user', { token })).body.data;
    expect((await call('GET', `/v1/customers/${id}`)).status).toBe(200);
    expect((await call('PATCH', `/v1/staff/${id}`, { role: 'admin' })).status).toBe(404);
    expect((await call('POST', `/v1/customers/${id}/logout-everywhere`)).status).toBe(204);
    expect((await app.request('GET', '/v1/auth/user', { token })).status).toBe(401);
  });
});

async function colleague(change: Record<string, unknown> = {}) {
  const { body, email } = await invite(change);
  await choosePassword(await linkIn(email));
  const { body: signedIn } = await signIn(email);
  await app.database.db.deleteFrom('throttles').execute();
  return { id: body.data.id as string, email, token: signedIn.token as string };
}
