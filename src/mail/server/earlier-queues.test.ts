import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { startJobs } from '#database/jobs/jobs.ts';
import { startMailServer } from '#testing/mail-server.ts';
import { startAppOn, startTestApp } from '#testing/test-app.ts';
import { addUser } from '#testing/users.ts';

test('mail that an earlier version queued, in queues of its own, is sent by this one, once', async () => {
  const smtp = await startMailServer();
  const first = await startTestApp({ name: 'Nonna’s' });
  const { database, shop } = first;
  const placed = await first.request('POST', '/v1/orders', { body: first.orderBody() });
  const guest = await first.request('POST', '/v1/orders', {
    body: first.orderBody({ contact: { name: 'Eve', phone: '07700 900456', email: 'eve@example.com' } }),
  });
  const [forgetful, unconfirmed, invited] = [
    await addUser(database.db, 'customer'),
    await addUser(database.db, 'customer'),
    await addUser(database.db, 'store_admin'),
  ];
  await database.db.updateTable('users').set({ password_hash: null }).where('id', '=', invited.id).execute();
  const states = () => database.db.selectFrom('mails').select('state').execute();
  await vi.waitFor(async () => expect((await states()).map(({ state }) => state)).toEqual(['filed', 'filed']), 60_000);
  await first.stop();

  // The mail of the order was queued and not sent, as the earlier version left it; it knew no table of mails.
  await sql`update order_mails set ended_at = null`.execute(database.db);
  const { mail_id: orderMail } = await database.db
    .selectFrom('order_mails')
    .select('mail_id')
    .where('order_id', '=', placed.body.data.id)
    .executeTakeFirstOrThrow();
  await database.db.deleteFrom('mails').execute();
  const plain = { id: randomUUID(), to: 'ada@example.com', subject: 'From before', text: 'Hello Ada,\n\nStill here.' };
  const jobs = await startJobs(database.config, () => {});
  await database.db.transaction().execute(async (tx) => {
    for (let time = 0; time < 2; time += 1) await jobs.send(tx, 'mail', plain);
    await jobs.send(tx, 'password-reset', { email: forgetful.email });
    await jobs.send(tx, 'email-verification', { user_id: unconfirmed.id });
    await jobs.send(tx, 'staff-invitation', { userId: invited.id });
    await jobs.send(tx, 'account-link', { email: 'eve@example.com', order_ids: [guest.body.data.id] });
    await jobs.send(tx, 'order-mail', { mail_id: orderMail });
  });
  await jobs.stop();

  const app = await startAppOn(database, shop, { SMTP_URL: smtp.url, APP_URL: 'https://shop.example' });
  const found = () => smtp.received.map(({ to: [to], subject }) => `${to}: ${subject}`).toSorted();
  const expected = [
    'ada@example.com: From before',
    `ada@example.com: Your order ${placed.body.data.number} at Nonna’s`,
    'eve@example.com: Your account at Nonna’s',
    `${forgetful.email}: Choose another password for Nonna’s`,
    `${unconfirmed.email}: Confirm your email address for Nonna’s`,
    `${invited.email}: You are invited to work with Nonna’s`,
  ].toSorted();
  await vi.waitFor(() => expect(found()).toEqual(expected), { timeout: 60_000, interval: 50 });
  const open = () =>
    sql`select name from pgboss.job where state < 'completed' and name like any (array['%mail%', '%password%', '%link%', '%invit%', '%verif%'])`.execute(
      database.db,
    );
  await vi.waitFor(async () => expect((await open()).rows).toEqual([]), { timeout: 60_000, interval: 50 });
  expect(found()).toEqual(expected);
  const { text = '', html = '' } = smtp.received.find(({ subject }) => subject === 'From before') ?? {};
  expect([text, html].map((each) => each.includes('Still here.'))).toEqual([true, true]);
  await app.close();
  await smtp.stop();
}, 90_000);
