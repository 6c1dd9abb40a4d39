import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { orderMailTools } from '#ordering/testing/mail-tools.ts';
import { startMailServer, type MailServer } from '#testing/mail-server.ts';
import { saturdayEvening } from '#testing/small-shop.ts';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

/* The mails of an order's way from the kitchen to its receipt, as an SMTP server gets them. */

let smtp: MailServer;
let app: TestApp;
let staff: string;
beforeAll(async () => {
  smtp = await startMailServer();
  const store = { name: 'Nonna’s', slug: 'nonnas', vat_number: 'GB 123 4567 89', service_fee: 50 };
  app = await startTestApp(store, { SMTP_URL: smtp.url, APP_URL: 'https://shop.example' });
  staff = await app.signIn('admin');
});
beforeEach(() => {
  app.clock.now = saturdayEvening;
});
afterAll(async () => {
  await app.close();
  await smtp.stop();
});

const { place, call, pay, becomes, mailsTo, subjectsTo, lastOf, settled, numberOf } = orderMailTools(() => ({
  app,
  smtp,
  staff,
}));
const later = (seconds: number) => (app.clock.now = new Date(app.clock.now.getTime() + seconds * 1000));
const delivery = {
  fulfilment_type: 'delivery',
  address: { line1: '2 Low Road', city: 'Rugby', postcode: 'cv212aa', instructions: '' },
  lines: () => [{ ...(app.orderBody()['lines'] as object[])[0], quantity: 2 }],
};
const placeDelivery = (language?: string) =>
  place({ ...delivery, lines: delivery.lines() }, language === undefined ? {} : { language });

test('a promise that moved is told with the new time, each time that it moves', async () => {
  const order = await place();
  await call(order, 'accept', { minutes: 30 });
  await settled();
  const before = mailsTo(order.email).length;
  await call(order, 'promise', { minutes: 50 });
  const { subject, text, html } = await lastOf(order.email, before + 1);
  expect(subject).toBe(`A new time for your order ${await numberOf(order)} at Nonna’s`);
  expect(text).toContain('Nonna’s has changed the time of your order.');
  expect(text).toContain('Ready 18:50–19:00');
  expect(text).toContain(`Follow your order:\nhttps://shop.example/orders/${order.id}`);
  expect(html).toContain('18:50');
  expect(html).toContain(`href="https://shop.example/orders/${order.id}"`);
  await call(order, 'promise', { minutes: 70 });
  expect((await lastOf(order.email, before + 2)).text).toContain('Ready 19:10–19:20');
});

test('a collection that is ready says where to fetch it, and one that was undone at once says nothing', async () => {
  const order = await place();
  await call(order, 'accept', { minutes: 30 });
  await settled();
  const before = mailsTo(order.email).length;
  await call(order, 'packed');
  const { subject, text, html } = await lastOf(order.email, before + 1);
  expect(subject).toBe(`Your order ${await numberOf(order)} at Nonna’s is ready`);
  expect(text).toContain('Your order is ready. You can collect it now:\n\nNonna’s\n1 High Street, Rugby, CV21 1AA');
  expect(html).toMatch(/Nonna’s<br>1 High Street, Rugby, CV21\s1AA/);

  // The server takes nothing until the step was undone.
  smtp.refusals.data.push(...Array.from({ length: 50 }, () => '4.3.0 later'));
  const undone = await place();
  await call(undone, 'accept', { minutes: 30 });
  await call(undone, 'packed');
  await call(undone, 'undo');
  smtp.refusals.data.length = 0;
  await settled();
  expect(subjectsTo(undone.email).filter((words) => words.includes('ready'))).toEqual([]);
});

test('a delivery is told when it leaves, with its time, and not when it is packed', async () => {
  const order = await placeDelivery();
  await call(order, 'accept', { minutes: 40 });
  await settled();
  const before = mailsTo(order.email).length;
  await call(order, 'packed');
  await settled();
  expect(mailsTo(order.email)).toHaveLength(before);
  await call(order, 'collected-by-driver');
  const { subject, text, html } = await lastOf(order.email, before + 1);
  expect(subject).toBe(`Your order ${await numberOf(order)} from Nonna’s is on its way`);
  expect(text).toContain('Your order has left Nonna’s and is on its way to you.');
  expect(text).toMatch(/At your door 18:\d\d–\d\d:\d\d/);
  expect(text).toContain('Delivery to: 2 Low Road, Rugby, CV21 2AA');
  expect(html).toContain('has left Nonna’s');
});

test('the receipt comes two minutes after the order was handed over, with VAT by rate and what was paid', async () => {
  const order = await place({ payment_method: 'card', tip: 100 });
  await pay(order);
  await call(order, 'accept', { minutes: 30 });
  await becomes(order, 'paid');
  await call(order, 'packed');
  await call(order, 'collected-by-customer');
  await settled();
  const receipts = () => mailsTo(order.email).filter(({ subject }) => subject.startsWith('Your receipt'));
  expect(receipts()).toEqual([]);
  later(121);
  await expect.poll(() => receipts().length).toBe(1);
  const [receipt] = receipts();
  expect(receipt?.subject).toBe(`Your receipt for order ${await numberOf(order)} at Nonna’s`);
  for (const part of [
    'Thank you for ordering at Nonna’s. This is your receipt.',
    '1 × Margherita (Large): £12.50',
    'Service fee: £0.50',
    'Tip: £1.00',
    'Total: £14.00',
    'VAT number: GB 123 4567 89',
    'VAT included: £2.17 at 20% of £10.83',
    'Date: 21 November 2026',
  ])
    expect(receipt?.text).toContain(part);
  expect(receipt?.html).toContain('GB 123 4567 89');
  expect(receipt?.html).toContain('£2.17 at 20% of £10.83');
});

test('an order that was taken back from "handed over" gets its receipt only after it is handed over again', async () => {
  const order = await place();
  await call(order, 'accept', { minutes: 30 });
  await call(order, 'packed');
  await call(order, 'collected-by-customer');
  later(60);
  await call(order, 'undo');
  later(120);
  await settled();
  const receipts = () => subjectsTo(order.email).filter((subject) => subject.startsWith('Your receipt'));
  await call(order, 'collected-by-customer');
  later(119);
  await settled();
  expect(receipts()).toEqual([]);
  later(2);
  await expect.poll(() => receipts().length).toBe(1);
  await settled();
  expect(receipts()).toHaveLength(1);
});

test('each of them is in the reader’s language', async () => {
  const order = await placeDelivery('pl');
  await call(order, 'accept', { minutes: 40 });
  await call(order, 'promise', { minutes: 60 });
  await call(order, 'collected-by-driver');
  await call(order, 'delivered-to-customer');
  later(121);
  const subjects = () => subjectsTo(order.email).join('\n');
  await expect.poll(subjects).toContain('potwierdzenie zakupu');
  expect(mailsTo(order.email).filter(({ html }) => !html.includes('<html lang="pl"'))).toEqual([]);
});
