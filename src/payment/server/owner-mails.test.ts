import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openStripeShop, type StripeShop } from '#payment/testing/stripe-shop.ts';
import { startMailServer, type MailServer } from '#testing/mail-server.ts';

/* Mails about money that went wrong, from the card that was charged to an SMTP server. */

let smtp: MailServer;
let shop: StripeShop;
let email: string;
let office: string;
const customer = 'ada@example.com';
beforeAll(async () => {
  smtp = await startMailServer();
  shop = await openStripeShop({ SMTP_URL: smtp.url });
  await shop.call('POST', '/v1/payments/setup', { secret_key: shop.newKey() });
  office = `${shop.app.services.config.publicUrl}/admin/payments`;
  ({ email } = await shop.call('GET', '/v1/auth/user'));
});
afterAll(async () => {
  await shop.close();
  await smtp.stop();
});

/** An order that was paid and accepted, and its charge at Stripe. */
async function charged() {
  const id = await shop.placed();
  await shop.call('POST', `/v1/orders/${id}/accept`, { minutes: 20 });
  await shop.until(async () => (await shop.call('GET', `/v1/orders/${id}`)).payment_status === 'paid');
  const { number } = await shop.call('GET', `/v1/orders/${id}`);
  const charge = [...shop.stripe.control.books().tables.charge.values()].at(-1);
  return { id, number: String(number), charge: charge?.id ?? '' };
}
/** The mails with this subject, to the admin if nobody else is named; waits for the first. */
async function mailsAbout(subject: string, to = email) {
  const found = () => smtp.received.filter((mail) => mail.to.includes(to) && mail.subject === subject);
  await vi.waitFor(() => expect(found()).not.toEqual([]), { timeout: 60_000, interval: 50 });
  return found();
}

test('a refund that Stripe could not make after all is told once, with its amount and the page to look at', async () => {
  const { id, number } = await charged();
  await shop.call('POST', `/v1/orders/${id}/refunds`, { key: randomUUID(), amount: 450, reason: 'Cold' });
  const refundOf = () => [...shop.stripe.control.books().tables.refund.values()].at(-1);
  await shop.until(async () => refundOf());
  await shop.until(
    async () => (await shop.call('GET', `/v1/orders/${id}/payments`)).refunds[0]?.status === 'succeeded',
  );
  shop.stripe.control.finishRefund(refundOf()?.id ?? '', 'failed', 'expired_or_canceled_card');
  await shop.stripe.control.webhooks.settled();
  const [mail, ...more] = await mailsAbout(`The refund of £4.50 for order ${number} failed`);
  expect(more).toEqual([]);
  expect(mail?.text).toContain(`£4.50 for order ${number} could not be refunded to the card.`);
  expect(mail?.text).toContain(`${office}?show=refunds`);
  expect(mail?.html).toContain(`href="${office}?show=refunds"`);
  expect(mail?.html).toContain('could not be refunded to the card');
  const name = `Shop ${shop.app.shop.storeId}`;
  const about = `The refund of £4.50 for your order ${number} at ${name} did not arrive`;
  const [told, ...again] = await mailsAbout(about, customer);
  expect(again).toEqual([]);
  expect(told?.text).toContain('£4.50 could not go back the way you paid, so that it is not in your account.');
  expect(told?.text).toContain(
    `${name} knows of it and gives it back to you in another way. You need not do anything.`,
  );
  expect(told?.text).toContain('01632 960001');

  // Tried again, it arrives, and is told as the first time.
  const [{ id: refund }] = (await shop.call('GET', `/v1/orders/${id}/payments`)).refunds;
  await shop.call('POST', `/v1/refunds/${refund}/retry`, { by: 'provider' });
  const made = `£4.50 refunded for your order ${number} at ${name}`;
  const refunded = () => smtp.received.filter((one) => one.to.includes(customer) && one.subject === made);
  await vi.waitFor(() => expect(refunded()).not.toEqual([]), { timeout: 60_000, interval: 50 });
  expect(refunded().at(-1)?.text).toContain('It goes back the way you paid');
});

test('each admin gets it in their own language', async () => {
  const { db } = shop.app.database;
  const polish = {
    name: 'Ola',
    email: 'ola@example.com',
    role: 'admin',
    locale: 'pl',
    addresses: '[]',
    created_at: shop.app.clock.now,
    email_verified_at: shop.app.clock.now,
  } as const;
  await db
    .insertInto('users')
    .values({ id: randomUUID(), ...polish })
    .execute();
  const { number, charge } = await charged();
  shop.stripe.control.openDispute(charge);
  await shop.stripe.control.webhooks.settled();
  const [english] = await mailsAbout(`The payment of order ${number} is disputed`);
  expect(english?.to).toEqual([email]);
  const [mail, ...more] = await mailsAbout(`Płatność za zamówienie ${number} jest sporna`, polish.email);
  expect(more).toEqual([]);
  expect(mail?.text).toContain('Płacący zgłosił swojemu bankowi, że 12,50 £ pobrano niesłusznie.');
  expect(mail?.text).toMatch(/Odpowiedz do \d+ (listopada|grudnia) 2026/);
  await db.deleteFrom('users').where('email', '=', polish.email).execute();
});

test('a dispute is told with its reason and by when to answer, and its end too', async () => {
  const { number, charge } = await charged();
  const { id } = shop.stripe.control.openDispute(charge);
  await shop.stripe.control.webhooks.settled();
  const [mail, ...more] = await mailsAbout(`The payment of order ${number} is disputed`);
  expect(more).toEqual([]);
  expect(mail?.text).toContain('The payer told their bank that £12.50 should not have been charged.');
  expect(mail?.text).toMatch(/Reason: .+\.\nAnswer by \d+ (November|December) 2026, \d\d:\d\d\./);
  expect(mail?.text).toContain(`${office}?show=disputes`);
  expect(mail?.html).toContain(`href="${office}?show=disputes"`);

  shop.stripe.control.closeDispute(id, 'won');
  await shop.stripe.control.webhooks.settled();
  const [end] = await mailsAbout(`The dispute about order ${number} was won`);
  expect(end?.text).toContain('was decided for you');
});
