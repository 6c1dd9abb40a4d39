import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { password } from '#accounts/testing/account-tools.ts';
import { createSignIn } from '#accounts/server/sign-ins.ts';
import { startMailRetention } from '#mail/server/mail-retention.ts';
import { warnAndDeleteIdleAccounts } from '#people/server/delete-idle-accounts.ts';
import { findTraces } from '#testing/find-traces.ts';
import { startMailServer, type MailServer } from '#testing/mail-server.ts';
import { saturdayEvening } from '#testing/small-shop.ts';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

const days = 24 * 60 * 60_000;
const patient = { timeout: 60_000 };

let smtp: MailServer;
let app: TestApp;
let adminId: string;
beforeAll(async () => {
  smtp = await startMailServer();
  app = await startTestApp({ name: 'Small Shop' }, { SMTP_URL: smtp.url, MAIL_FROM: 'Shop <orders@shop.example>' });
  const token = await app.signIn('admin');
  adminId = (await app.request('GET', '/v1/auth/user', { token })).body.data.id;
});
beforeEach(async () => {
  app.clock.now = saturdayEvening;
  await app.database.db.deleteFrom('throttles').execute();
});
afterAll(async () => {
  await app.close();
  await smtp.stop();
});

const admin = () => createSignIn(app.database.db, adminId, 'test', app.clock.now);

const mailsEnd = () =>
  expect
    .poll(() => app.database.db.selectFrom('mails').select('kind').where('ended_at', 'is', null).execute(), patient)
    .toEqual([]);

/**
 * Somebody with an order, whose name and address stand nowhere else, and who has confirmed the address: mails greet
 * them.
 */
async function newCustomer() {
  const sign = randomUUID().slice(0, 8);
  const [name, email] = [`Zelda Quux${sign}`, `${sign}@erased.example`];
  const body = { name, email, phone: '07700 900123', password };
  const { status, body: answer } = await app.request('POST', '/v1/auth/register/customer', { body });
  expect(status).toBe(201);
  const id: string = answer.user.id;
  await expect.poll(() => receivedBy(email), patient).toHaveLength(1);
  await app.database.db.updateTable('users').set({ email_verified_at: app.clock.now }).where('id', '=', id).execute();
  const token: string = answer.token;
  const order = app.orderBody({ contact: { name, phone: '07700 900123', email } });
  const { body: placed } = await app.request('POST', '/v1/orders', { token, body: order });
  const reason = { reason: `${name} rang` };
  const path = `/v1/orders/${placed.data.id}/cancel`;
  expect((await app.request('POST', path, { token: await admin(), body: reason })).status).toBe(200);
  await expect.poll(() => receivedBy(email).join('\n'), patient).toMatch(/cancelled/i);
  await mailsEnd();
  return { id, email, token, traces: [name.toLowerCase(), email] };
}

const receivedBy = (email: string) =>
  smtp.received.filter(({ to }) => to.includes(email)).map(({ subject }) => subject);
const traces = (texts: string[]) => expect.poll(() => findTraces(app, texts), patient);
const isDeleted = /has been deleted$/;

async function deletedByAdmin({ id }: { id: string }): Promise<void> {
  expect((await app.request('DELETE', `/v1/customers/${id}`, { token: await admin() })).status).toBe(204);
}

async function deletedThemselves({ token }: { token: string }): Promise<void> {
  expect((await app.request('DELETE', '/v1/auth/user', { token, body: { password } })).status).toBe(204);
}

async function deletedAsIdle({ email }: { email: string }): Promise<void> {
  const { services } = app;
  const body = { keep_idle_account_months: 12 };
  const path = `/v1/stores/${app.shop.storeId}`;
  expect((await app.request('PATCH', path, { token: await admin(), body })).status).toBe(200);
  app.clock.now = new Date(saturdayEvening.getTime() + 340 * days);
  await warnAndDeleteIdleAccounts(services);
  await expect.poll(() => receivedBy(email).at(-1), patient).toMatch(/^Do you want to keep your account/);
  await mailsEnd();
  app.clock.now = new Date(app.clock.now.getTime() + 31 * days);
  expect((await warnAndDeleteIdleAccounts(services)).deleted).toBeGreaterThan(0);
}

test.each([
  ['an admin forgets', deletedByAdmin],
  ['deletes their account themselves', deletedThemselves],
  ['does not come for long', deletedAsIdle],
])('somebody who %s is in no table once the last mail was sent', async (_, remove) => {
  const person = await newCustomer();
  await remove(person);
  await expect.poll(() => receivedBy(person.email).at(-1), patient).toMatch(isDeleted);
  await traces(person.traces).toEqual([]);
});

const lastMails = () =>
  app.database.db.selectFrom('mails').selectAll().where('kind', '=', 'account_deleted').orderBy('id', 'desc').execute();
const nothing = { to_address: '', to_name: '', content: null, answer: null };

test('a mail server that has no such address, and says so with the address in its answer', async () => {
  const person = await newCustomer();
  smtp.refusals.unknown.add(person.email);
  await deletedByAdmin(person);
  await traces(person.traces).toEqual([]);
  expect((await lastMails())[0]).toMatchObject({ ...nothing, state: 'refused' });
});

test('one that refuses it for now: the address is kept until the last try, and no longer', async () => {
  const person = await newCustomer();
  const before = (await lastMails()).length;
  smtp.refusals.data.push(`4.7.1 <${person.email}> not now`, `4.7.1 <${person.email}> never`);
  await deletedByAdmin(person);
  await expect.poll(async () => (await lastMails())[0]?.state, patient).toBe('retrying');
  expect(await findTraces(app, [person.email])).toEqual([`public.mails: ${person.email}`]);
  await sql`update pgboss.job set retry_limit = 1, start_after = now() where name = 'mail' and state = 'retry'`.execute(
    app.database.db,
  );
  await expect.poll(async () => (await lastMails())[0]?.state, patient).toBe('given_up');
  await traces(person.traces).toEqual([]);
  expect(await lastMails()).toHaveLength(before + 1);
  expect((await lastMails())[0]).toMatchObject(nothing);
});

test('what an earlier version kept of such a mail goes at the next start', async () => {
  const ended = { state: 'given_up', created_at: app.clock.now, ended_at: app.clock.now } as const;
  await app.database.db
    .insertInto('mails')
    .values({
      ...ended,
      id: randomUUID(),
      kind: 'account_deleted',
      to_address: 'early@erased.example',
      to_name: 'Early Quux',
      content: JSON.stringify({ subject: 'Deleted', parts: ['Hello Early Quux'] }),
      answer: '451 early@erased.example',
    })
    .execute();
  const { stop, sweep } = startMailRetention(app.services);
  await sweep();
  await stop();
  expect(await findTraces(app, ['early@erased.example', 'early quux'])).toEqual([]);
});
