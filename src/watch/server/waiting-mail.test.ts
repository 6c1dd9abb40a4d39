import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startMailServer, type MailServer } from '#testing/mail-server.ts';
import { saturdayEvening } from '#testing/small-shop.ts';
import { startAppOn, startTestApp, type TestApp } from '#testing/test-app.ts';
import { alertAboutWaitingOrders } from '#watch/server/watch.ts';

let smtp: MailServer;
let app: TestApp;
let other: TestApp;
let admin: string;
beforeAll(async () => {
  smtp = await startMailServer();
  const environment = { SMTP_URL: smtp.url, APP_URL: 'https://shop.example' };
  app = await startTestApp({ name: 'Nonna’s', answer_minutes: 10 }, environment);
  other = await startAppOn(app.database, app.shop, environment);
  admin = await app.signIn('admin');
});
afterAll(async () => {
  await other.stop();
  await app.close();
  await smtp.stop();
});

test('the owner is mailed once of an order that nobody answers, with its number and when it ends', async () => {
  const { email } = (await app.request('GET', '/v1/auth/user', { token: admin })).body.data;
  const { body } = await app.request('POST', '/v1/orders', { body: app.orderBody() });
  for (const { clock } of [app, other]) clock.now = new Date(saturdayEvening.getTime() + 5 * 60_000);
  await Promise.all([app, other, app, other].map(({ services }) => alertAboutWaitingOrders(services)));
  const subject = 'An order is waiting at Nonna’s';
  const found = () => smtp.received.filter((mail) => mail.to.includes(email) && mail.subject === subject);
  await vi.waitFor(() => expect(found()).not.toEqual([]), { timeout: 60_000, interval: 50 });
  const { db } = app.database;
  const open = db.selectFrom('mails').select('id').where('ended_at', 'is', null);
  await vi.waitFor(async () => expect(await open.execute()).toEqual([]), { timeout: 60_000, interval: 50 });
  const [mail, ...more] = found();
  expect(more).toEqual([]);
  const words = `Nobody has answered order #${body.data.number} at Nonna’s. It will be rejected automatically at 18:10.`;
  expect(mail?.text).toContain(words);
  expect(mail?.text).toContain('https://shop.example/store/orders');
  expect(mail?.html).toContain(words);
  expect(mail?.html).toContain('href="https://shop.example/store/orders"');
});
