import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Stripe } from 'stripe';
import { answerBankPage, orderSession, payOnPage, startTestingShop, type TestingShop } from './testing-shop.ts';

let shop: TestingShop;
beforeEach(async () => {
  shop = await startTestingShop();
});
afterEach(() => shop.close());

type Params = Stripe.Checkout.SessionCreateParams;

const now = () => shop.clock.now / 1000;
const create = (more: Partial<Params> = {}, total = 1250) =>
  shop.client.checkout.sessions.create(orderSession(total, more));
const eventTypes = () => [...shop.control.books().tables.event.values()].map(({ type }) => type);
const intentOf = async (session: string) => {
  const { payment_intent: intent } = await shop.client.checkout.sessions.retrieve(session, {
    expand: ['payment_intent.latest_charge'],
  });
  // It is expanded.
  return intent as Stripe.PaymentIntent & { latest_charge: Stripe.Charge };
};

describe('a session', () => {
  test('is created open, with a page, and has no intent until somebody pays', async () => {
    const session = await create({ client_reference_id: 'order-1', metadata: { order: '1' }, submit_type: 'pay' });
    expect(session).toMatchObject({
      status: 'open',
      payment_status: 'unpaid',
      payment_intent: null,
      amount_total: 1250,
      client_reference_id: 'order-1',
      metadata: { order: '1' },
      submit_type: 'pay',
      expires_at: now() + 86_400,
      payment_method_types: ['card', 'link', 'pay_by_bank'],
    });
    expect(session.url).toBe(`${shop.origin}/c/pay/${session.id}`);
  });

  test('is listed newest first, by status and by intent, and retrieved with its lines', async () => {
    const first = await create();
    const second = await create({ line_items: [line('Margherita', 900, 2), line('Dip', 80)] });
    await payOnPage(first);
    const all = await shop.client.checkout.sessions.list();
    expect(all.data.map(({ id }) => id)).toEqual([second.id, first.id]);
    const open = await shop.client.checkout.sessions.list({ status: 'open' });
    expect(open.data.map(({ id }) => id)).toEqual([second.id]);
    const { id } = await intentOf(first.id);
    const found = await shop.client.checkout.sessions.list({ payment_intent: id });
    expect(found.data.map((session) => session.id)).toEqual([first.id]);
    const lines = await shop.client.checkout.sessions.listLineItems(second.id);
    expect(lines.data.map(({ description, quantity, amount_total }) => [description, quantity, amount_total])).toEqual([
      ['Margherita', 2, 1800],
      ['Dip', 1, 80],
    ]);
  });

  test('takes off a coupon that can be used once, and then not again', async () => {
    const coupon = await shop.client.coupons.create({ amount_off: 301, currency: 'gbp', max_redemptions: 1 });
    const lines = [line('Margherita', 999), line('Calzone', 1001)];
    const session = await create({ line_items: lines, discounts: [{ coupon: coupon.id }] });
    expect(session).toMatchObject({
      amount_subtotal: 2000,
      amount_total: 1699,
      total_details: { amount_discount: 301 },
    });
    const { data } = await shop.client.checkout.sessions.listLineItems(session.id);
    expect(data.reduce((sum, { amount_total }) => sum + amount_total, 0)).toBe(1699);
    await payOnPage(session);
    expect((await intentOf(session.id)).amount).toBe(1699);
    expect(await shop.client.coupons.retrieve(coupon.id)).toMatchObject({ valid: false, times_redeemed: 1 });
    await expect(create({ discounts: [{ coupon: coupon.id }] })).rejects.toMatchObject({ code: 'coupon_expired' });
    await shop.client.coupons.del(coupon.id);
    await expect(shop.client.coupons.retrieve(coupon.id)).rejects.toMatchObject({ statusCode: 404 });
  });

  test('can be expired by a call while it is open, and only then', async () => {
    const session = await create();
    const expired = await shop.client.checkout.sessions.expire(session.id);
    expect(expired).toMatchObject({ status: 'expired', url: null });
    await expect(shop.client.checkout.sessions.expire(session.id)).rejects.toMatchObject({ statusCode: 400 });
    expect((await fetch(session.url ?? '').then((page) => page.text())).includes('has expired')).toBe(true);
    expect(eventTypes()).toEqual(['checkout.session.expired']);
  });

  test('expires by itself at its time, and takes an unfinished intent with it', async () => {
    const session = await create({ expires_at: now() + 1860 });
    await payOnPage(session, { number: '4000000000000002' });
    await shop.control.advance(1859_000);
    expect((await shop.client.checkout.sessions.retrieve(session.id)).status).toBe('open');
    await shop.control.advance(1000);
    expect((await shop.client.checkout.sessions.retrieve(session.id)).status).toBe('expired');
    expect((await intentOf(session.id)).status).toBe('canceled');
  });

  test('of nothing is completed without an intent', async () => {
    const coupon = await shop.client.coupons.create({ percent_off: 100 });
    const session = await create({ discounts: [{ coupon: coupon.id }] });
    await payOnPage(session);
    expect(await shop.client.checkout.sessions.retrieve(session.id)).toMatchObject({
      status: 'complete',
      payment_status: 'no_payment_required',
      payment_intent: null,
    });
  });
});

describe('a session is refused', () => {
  const cases: [what: string, more: () => Partial<Params>, error: object][] = [
    ['below 30p', () => ({ line_items: [line('Dip', 29)] }), { code: 'amount_too_small' }],
    ['without lines', () => ({ line_items: [] }), { code: 'parameter_missing', param: 'line_items' }],
    [
      'with 101 lines',
      () => ({ line_items: Array.from({ length: 101 }, () => line('Dip', 100)) }),
      { param: 'line_items' },
    ],
    ['that ends in 29 minutes', () => ({ expires_at: now() + 1740 }), { param: 'expires_at' }],
    ['that ends after a day', () => ({ expires_at: now() + 86_401 }), { param: 'expires_at' }],
    [
      'with a customer and an email address',
      () => ({ customer: customer.id, customer_email: 'a@example.com' }),
      { code: 'parameters_exclusive' },
    ],
    ['with no address as email', () => ({ customer_email: 'nobody' }), { code: 'email_invalid' }],
    ['for an unknown customer', () => ({ customer: 'cus_none' }), { code: 'resource_missing', param: 'customer' }],
    ['with an unknown coupon', () => ({ discounts: [{ coupon: 'none' }] }), { code: 'resource_missing' }],
    ['without an address to come back to', () => ({ success_url: 'return' }), { code: 'url_invalid' }],
    ['with half a penny', () => ({ line_items: [line('Dip', 100.5)] }), { rawType: 'invalid_request_error' }],
    ['with a negative line', () => ({ line_items: [line('Dip', -100)] }), { message: 'Invalid non-negative integer' }],
    ['with no name', () => ({ line_items: [line('', 100)] }), { code: 'parameter_invalid_empty' }],
    ['with a long reference', () => ({ client_reference_id: 'x'.repeat(201) }), { param: 'client_reference_id' }],
    [
      'when no method is left',
      () => ({ allowed_payment_method_types: ['klarna'] }),
      { param: 'allowed_payment_method_types' },
    ],
  ];
  let customer: Stripe.Customer;
  beforeEach(async () => {
    customer = await shop.client.customers.create({ email: 'a@example.com' });
  });
  test.each(cases)('%s', async (_, more, error) => {
    await expect(create(more())).rejects.toMatchObject({ statusCode: 400, ...error });
    expect(shop.control.books().tables['checkout.session'].size).toBe(0);
  });

  test('for real money, while the account is not activated', async () => {
    const live = shop.clientFor(shop.control.keys.create({ livemode: true }));
    shop.control.setAccount({ charges_enabled: false }, { livemode: true });
    await expect(live.checkout.sessions.create(orderSession())).rejects.toMatchObject({
      statusCode: 400,
      code: 'account_invalid',
    });
    // Test payments need no activation.
    shop.control.setAccount({ charges_enabled: false });
    expect((await create()).livemode).toBe(false);
  });

  test('when it asks for what the local Stripe does not have, and says so', async () => {
    await expect(create({ invoice_creation: { enabled: true } })).rejects.toMatchObject({ statusCode: 400 });
    expect(shop.control.takeViolations()).toEqual([
      { request: 'POST /v1/checkout/sessions', where: 'request', problem: expect.stringContaining('invoice_creation') },
    ]);
  });
});

describe('on the page', () => {
  test('a card pays, is held, and the browser goes back to the shop', async () => {
    const session = await create({ payment_intent_data: { description: 'Order 7', metadata: { order: '7' } } });
    const page = await fetch(session.url ?? '').then((answer) => answer.text());
    expect(page).toContain('Margherita');
    expect(page).toContain('£12.50');
    const { to } = await payOnPage(session);
    expect(to).toBe(`http://127.0.0.1:1/return?session=${session.id}`);
    expect(await intentOf(session.id)).toMatchObject({
      status: 'requires_capture',
      amount_capturable: 1250,
      capture_method: 'automatic_async',
      payment_method_options: { card: { capture_method: 'manual' } },
      description: 'Order 7',
      metadata: { order: '7' },
      latest_charge: {
        captured: false,
        balance_transaction: null,
        payment_method_details: { card: { last4: '4242', capture_before: now() + 7 * 86_400 } },
      },
    });
    const after = await shop.client.checkout.sessions.retrieve(session.id);
    expect(after).toMatchObject({
      status: 'complete',
      payment_status: 'unpaid',
      url: null,
      customer_details: { email: 'payer@example.com', name: 'Test Payer' },
    });
    expect(eventTypes()).toEqual([
      'payment_intent.created',
      'charge.succeeded',
      'payment_intent.amount_capturable_updated',
      'checkout.session.completed',
    ]);
  });

  test('says that the order is paid when it is opened again, and takes nothing twice', async () => {
    const session = await create();
    await payOnPage(session);
    const again = await payOnPage(session);
    expect(again.page).toContain('This order is paid');
    expect(shop.control.books().tables.charge.size).toBe(1);
  });

  test.each([
    ['4000000000000002', 'card_declined', 'generic_decline', 'Your card was declined.'],
    ['4000000000009995', 'card_declined', 'insufficient_funds', 'Your card has insufficient funds.'],
    ['4000000000000069', 'expired_card', 'expired_card', 'Your card has expired.'],
    ['4000000000000127', 'incorrect_cvc', 'incorrect_cvc', 'security code is incorrect'],
    ['4000000000000119', 'processing_error', 'processing_error', 'An error occurred while processing your card'],
  ])('the card %s is declined (%s, %s), and another one pays the same intent', async (number, code, decline, words) => {
    const session = await create();
    const { page } = await payOnPage(session, { number });
    expect(page.replace('&#39;', "'")).toContain(words);
    const declined = await intentOf(session.id);
    expect(declined).toMatchObject({
      status: 'requires_payment_method',
      payment_method: null,
      last_payment_error: { type: 'card_error', code, decline_code: decline },
      latest_charge: { status: 'failed', paid: false, failure_code: code },
    });
    await payOnPage(session);
    expect(await intentOf(session.id)).toMatchObject({ id: declined.id, status: 'requires_capture' });
    const charges = await shop.client.charges.list({ payment_intent: declined.id });
    expect(charges.data.map(({ status }) => status)).toEqual(['succeeded', 'failed']);
  });

  test.each([
    [{ number: '' }, 'card number is incomplete'],
    [{ number: '1234' }, 'card number is invalid'],
    [{ expiry: '13/34' }, 'expiration date is incomplete'],
    [{ expiry: '10/26' }, 'expiration year is in the past'],
    [{ cvc: '12' }, 'security code is incomplete'],
    [{ method: 'bitcoin' }, 'not offered'],
  ])('%o is refused before anything is tried', async (fields, words) => {
    const session = await create();
    expect((await payOnPage(session, fields)).page).toContain(words);
    expect((await shop.client.checkout.sessions.retrieve(session.id)).payment_intent).toBeNull();
  });

  test('a card with 3-D Secure asks at the bank, and pays when it is approved', async () => {
    const session = await create();
    const { to } = await payOnPage(session, { number: '4000000000003220' });
    const { id, status } = await intentOf(session.id);
    expect([to, status]).toEqual([`${shop.origin}/3d-secure/${id}`, 'requires_action']);
    expect(await fetch(to ?? '').then((page) => page.text())).toContain('Approve');
    expect((await answerBankPage(to, 'approve')).to).toContain(`session=${session.id}`);
    expect(await intentOf(session.id)).toMatchObject({
      status: 'requires_capture',
      latest_charge: { payment_method_details: { card: { three_d_secure: { result: 'authenticated' } } } },
    });
  });

  test('a failed 3-D Secure leaves the session open for another card', async () => {
    const session = await create();
    const { to } = await payOnPage(session, { number: '4000000000003220' });
    const { page } = await answerBankPage(to, 'fail');
    expect(page).toContain('unable to authenticate');
    // Its form is not at the bank.
    expect(page).toContain(`action="/c/pay/${session.id}"`);
    expect(await intentOf(session.id)).toMatchObject({
      status: 'requires_payment_method',
      latest_charge: null,
      last_payment_error: { code: 'payment_intent_authentication_failure' },
    });
    expect((await payOnPage(session)).to).toContain('/return');
  });

  test('a card that the bank approves can be declined all the same', async () => {
    const session = await create();
    const { to } = await payOnPage(session, { number: '4000008400001629' });
    expect((await answerBankPage(to, 'approve')).page).toContain('Your card was declined.');
  });

  test('a bank that is answered after the session expired takes nothing', async () => {
    const session = await create({ expires_at: now() + 1860 });
    const { to } = await payOnPage(session, { number: '4000000000003220' });
    await shop.client.checkout.sessions.expire(session.id);
    expect((await answerBankPage(to, 'approve')).to).toBeNull();
    expect(await intentOf(session.id)).toMatchObject({ status: 'canceled', latest_charge: null });
  });

  test.each(['apple_pay', 'google_pay'])('%s is a card with a wallet, and is held like one', async (method) => {
    const session = await create();
    await payOnPage(session, { method, number: '' });
    expect(await intentOf(session.id)).toMatchObject({
      status: 'requires_capture',
      latest_charge: { payment_method_details: { type: 'card', card: { wallet: { type: method } } } },
    });
  });

  test('Link is a method of its own with its own option, and a card where only cards are offered', async () => {
    const own = await create({ payment_method_options: { card: { capture_method: 'manual' } } });
    await payOnPage(own, { method: 'link' });
    expect(await intentOf(own.id)).toMatchObject({
      status: 'succeeded',
      latest_charge: { payment_method_details: { type: 'link' } },
    });
    const cards = await create({ allowed_payment_method_types: ['card'] });
    await payOnPage(cards, { method: 'link' });
    expect(await intentOf(cards.id)).toMatchObject({
      status: 'requires_capture',
      latest_charge: { payment_method_details: { card: { wallet: { type: 'link' } } } },
    });
    const none = await create({ wallet_options: { link: { display: 'never' } } });
    expect(await fetch(none.url ?? '').then((page) => page.text())).not.toContain('value="link"');
  });

  test('Pay by Bank cannot be held: it is charged at once, or later, or refused', async () => {
    const paid = await create();
    await payOnPage(paid, { method: 'pay_by_bank' });
    expect(await shop.client.checkout.sessions.retrieve(paid.id)).toMatchObject({ payment_status: 'paid' });
    expect(await intentOf(paid.id)).toMatchObject({ status: 'succeeded', amount_received: 1250 });

    for (const [isPaid, type, status] of [
      [true, 'checkout.session.async_payment_succeeded', 'succeeded'],
      [false, 'checkout.session.async_payment_failed', 'requires_payment_method'],
    ] as const) {
      const later = await create();
      await payOnPage(later, { method: 'pay_by_bank', bank: 'later' });
      const { id, ...intent } = await intentOf(later.id);
      expect(intent).toMatchObject({ status: 'processing', latest_charge: { status: 'pending', paid: false } });
      shop.control.finishPayment(id, isPaid);
      expect(eventTypes().at(-1)).toBe(type);
      expect(await intentOf(later.id)).toMatchObject({ status });
      expect((await shop.client.checkout.sessions.retrieve(later.id)).payment_status).toBe(isPaid ? 'paid' : 'unpaid');
    }

    const refused = await create();
    expect((await payOnPage(refused, { method: 'pay_by_bank', bank: 'refuse' })).page).toContain('not approved');
    expect((await shop.client.checkout.sessions.retrieve(refused.id)).status).toBe('open');
  });

  test('Pay by Bank is not offered for an intent that holds every method', async () => {
    const session = await create({ payment_intent_data: { capture_method: 'manual' } });
    expect(session.payment_method_types).toEqual(['card', 'link']);
  });

  test('a saved card is offered to its customer, and to nobody else', async () => {
    const customer = await shop.client.customers.create({ email: 'anna@example.com', name: 'Anna' });
    const saving = { customer: customer.id, saved_payment_method_options: { payment_method_save: 'enabled' } } as const;
    await payOnPage(await create(saving), { save: 'on' });
    const [saved] = (await shop.client.customers.listPaymentMethods(customer.id)).data;
    expect(saved).toMatchObject({ allow_redisplay: 'always', card: { last4: '4242' } });
    const next = await create(saving);
    expect(await fetch(next.url ?? '').then((page) => page.text())).toContain('Pay with saved visa ending 4242');
    await payOnPage(next, { method: saved?.id ?? '', number: '' });
    expect(await intentOf(next.id)).toMatchObject({ status: 'requires_capture', payment_method: saved?.id });
    const other = await shop.client.customers.create({ email: 'ben@example.com' });
    const theirs = await create({ customer: other.id });
    expect((await payOnPage(theirs, { method: saved?.id ?? '' })).page).toContain('not saved any more');
    await shop.client.paymentMethods.detach(saved?.id ?? '');
    expect((await shop.client.customers.listPaymentMethods(customer.id)).data).toEqual([]);
  });

  test('it has a way back to the shop', async () => {
    const session = await create();
    expect(await fetch(session.url ?? '').then((page) => page.text())).toContain('href="http://127.0.0.1:1/order"');
  });
});

function line(name: string, amount: number, quantity = 1): Stripe.Checkout.SessionCreateParams.LineItem {
  return { price_data: { currency: 'gbp', unit_amount: amount, product_data: { name } }, quantity };
}
