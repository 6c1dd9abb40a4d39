import { createServer, type Server } from 'node:http';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { mailTroubleAlertWork } from '#alerts/server/domain.ts';
import { inTransaction } from '#database/transaction.ts';
import { letter } from '#mail/testing/letter.ts';
import { startMailServer, type MailServer } from '#testing/mail-server.ts';
import { saturdayEvening } from '#testing/small-shop.ts';
import { startAppOn, startTestApp, type TestApp } from '#testing/test-app.ts';

interface Told {
  id: string;
  kind: string;
  subject: string;
  text: string;
  store: string | null;
}

let smtp: MailServer;
let hook: { server: Server; url: string; told: Told[] };
let app: TestApp;
let other: TestApp;
let admin: string;
beforeAll(async () => {
  smtp = await startMailServer();
  hook = await openHook();
  const environment = { SMTP_URL: smtp.url, APP_URL: 'https://shop.example', ALERT_WEBHOOK_URL: hook.url };
  app = await startTestApp({}, environment);
  other = await startAppOn(app.database, app.shop, environment);
  admin = await app.signIn('admin');
});
beforeEach(async () => {
  smtp.refusals.data.length = 0;
  wait(0);
  await settled();
  await app.database.db.deleteFrom('mails').execute();
  hook.told.length = 0;
});
afterAll(async () => {
  await other.stop();
  await app.close();
  hook.server.close();
  await smtp.stop();
});

const patient = { timeout: 60_000, interval: 50 };
/** The clock of both instances, so many minutes after the evening began. */
function wait(minutes: number): void {
  for (const { clock } of [app, other]) clock.now = new Date(saturdayEvening.getTime() + minutes * 60_000);
}
/** Both instances look, at once. */
const look = () =>
  Promise.all(
    [app, other].map(async ({ services, clock }) => {
      const watch = mailTroubleAlertWork(services);
      const { rows } = await sql<{ due: boolean }>`select (${watch.due(clock.now)}) as due`.execute(services.db);
      if (rows[0]?.due) await watch.work(true);
    }),
  );
/** Until no alert is on its way, and no mail either that is not refused. */
const settled = () =>
  vi.waitFor(async () => {
    const { rows } = await sql`
      select name from pgboss.job where name in ('alert', 'mail') and state < 'completed'
        and (name = 'alert' or exists (select from mails where id = (data->>'mail_id')::uuid and ended_at is null
          and state <> 'retrying'))`.execute(app.database.db);
    expect(rows).toEqual([]);
  }, patient);
const refusedMail = async (subject: string) => {
  smtp.refusals.data.push(...Array.from({ length: 50 }, () => '4.7.0 not today'));
  await inTransaction(app.database.db, (tx) => app.services.mail.send(tx, letter(subject)));
  await untilState(subject, 'retrying');
};
const untilState = (subject: string, state: string) =>
  expect
    .poll(
      () => app.database.db.selectFrom('mails').select('state').where('subject', '=', subject).executeTakeFirst(),
      patient,
    )
    .toEqual({ state });
const told = async () => {
  await settled();
  return hook.told.filter(({ kind }) => kind === 'mail_failed');
};

test('the owner is told by the webhook, once, when mail has been refused for half an hour, and not by mail', async () => {
  await refusedMail('One');
  await refusedMail('Two');
  wait(29);
  await look();
  expect(await told()).toEqual([]);
  wait(31);
  await look();
  const [alert, ...more] = await told();
  expect(more).toEqual([]);
  expect(alert).toMatchObject({ kind: 'mail_failed', store: null });
  expect(alert?.text).toContain('2 emails');
  expect(alert?.text).toContain('4.7.0 not today');
  expect(alert?.text).toContain('https://shop.example/admin/mail');
  const mailed = await app.database.db.selectFrom('mails').select('subject').execute();
  // On a slow machine the shop's own watch looks for its boards within this hour as well.
  const besides = mailed.map(({ subject }) => subject).filter((subject) => !subject.startsWith('No order board is on'));
  expect(besides.toSorted()).toEqual(['One', 'Two']);
});

test('they are told again after a day at the earliest, also of mails that came since', async () => {
  await refusedMail('One');
  wait(31);
  await look();
  expect(await told()).toHaveLength(1);
  await refusedMail('Three');
  wait(31 + 23 * 60);
  await look();
  expect(await told()).toHaveLength(1);
  wait(32 + 24 * 60);
  await look();
  expect(await told()).toHaveLength(2);
});

test('nothing is told of mail that came through at another try, or whose address does not exist', async () => {
  smtp.refusals.data.push('4.7.0 not yet');
  await inTransaction(app.database.db, (tx) => app.services.mail.send(tx, letter('Late')));
  smtp.refusals.unknown.add('nobody@example.com');
  const wrong = letter('Wrong', { to: 'nobody@example.com' });
  await inTransaction(app.database.db, (tx) => app.services.mail.send(tx, wrong));
  await untilState('Late', 'sent');
  await settled();
  wait(60);
  await look();
  expect(await told()).toEqual([]);
});

test('an order is placed and answered while the mail server refuses everything, and the office shows why', async () => {
  smtp.refusals.data.push(...Array.from({ length: 50 }, () => '4.7.0 not today'));
  const placed = await app.request('POST', '/v1/orders', { body: app.orderBody() });
  expect(placed.status).toBe(201);
  const { id } = placed.body.data;
  expect((await app.request('POST', `/v1/orders/${id}/accept`, { body: {}, token: admin })).status).toBe(200);
  const list = async () => (await app.request('GET', `/v1/mail?order_id=${id}`, { token: admin })).body;
  await expect
    .poll(async () => (await list()).data.map(({ state }: { state: string }) => state), patient)
    .toContain('retrying');
  const { data, trouble } = await list();
  expect(data.find(({ state }: { state: string }) => state === 'retrying').answer).toContain('4.7.0 not today');
  expect(trouble.answer).toContain('4.7.0 not today');
});

/** A receiver of alerts that keeps what it hears. */
async function openHook() {
  const heard: Told[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      heard.push(JSON.parse(Buffer.concat(chunks).toString()) as Told);
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return { server, url: `http://127.0.0.1:${port}`, told: heard };
}
