import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Stripe } from 'stripe';
import { orderSession, startTestingShop, type TestingShop } from './testing-shop.ts';

let shop: TestingShop;
beforeEach(async () => {
  shop = await startTestingShop();
});
afterEach(() => shop.close());

const day = 86_400_000;
const pay = (more: Partial<Stripe.PaymentIntentCreateParams> = {}) =>
  shop.client.paymentIntents.create({
    amount: 2000,
    currency: 'gbp',
    confirm: true,
    payment_method: 'pm_card_visa',
    description: 'Order 7',
    ...more,
  });
const hold = () => pay({ capture_method: 'manual' });
const chargeOf = (intent: Stripe.PaymentIntent) =>
  shop.client.charges.retrieve(String(intent.latest_charge), { expand: ['balance_transaction', 'refunds'] });
const eventTypes = () => [...shop.control.books().tables.event.values()].map(({ type }) => type);

describe('an intent', () => {
  test('is made, confirmed and paid in one call', async () => {
    const intent = await pay({ metadata: { order: '7' } });
    expect(intent).toMatchObject({ status: 'succeeded', amount_received: 2000, metadata: { order: '7' } });
    expect(await chargeOf(intent)).toMatchObject({ captured: true, amount_captured: 2000, description: 'Order 7' });
    expect(eventTypes()).toEqual(['payment_intent.created', 'charge.succeeded', 'payment_intent.succeeded']);
  });

  test('is made first and confirmed later', async () => {
    const intent = await pay({ confirm: false, payment_method: undefined });
    expect(intent.status).toBe('requires_payment_method');
    await expect(shop.client.paymentIntents.confirm(intent.id)).rejects.toMatchObject({
      code: 'payment_intent_unexpected_state',
    });
    const paid = await shop.client.paymentIntents.confirm(intent.id, { payment_method: 'pm_card_visa' });
    expect(paid.status).toBe('succeeded');
    await expect(
      shop.client.paymentIntents.confirm(intent.id, { payment_method: 'pm_card_visa' }),
    ).rejects.toMatchObject({ code: 'payment_intent_unexpected_state' });
  });

  test('is listed newest first', async () => {
    const ids = [(await pay()).id, (await pay()).id];
    expect((await shop.client.paymentIntents.list()).data.map(({ id }) => id)).toEqual(ids.toReversed());
  });

  test.each([
    [29, 'amount_too_small'],
    [0, 'parameter_invalid_integer'],
    [-5, 'parameter_invalid_integer'],
  ])('of %i pence is refused: %s', async (amount, code) => {
    await expect(pay({ amount })).rejects.toMatchObject({ code, param: 'amount' });
  });

  test('that is declined is 402, says why, and carries the intent', async () => {
    await expect(pay({ payment_method: 'pm_card_visa_chargeDeclinedInsufficientFunds' })).rejects.toMatchObject({
      statusCode: 402,
      rawType: 'card_error',
      code: 'card_declined',
      decline_code: 'insufficient_funds',
      payment_intent: { status: 'requires_payment_method', last_payment_error: { code: 'card_declined' } },
    });
    expect(eventTypes()).toEqual(['payment_intent.created', 'charge.failed', 'payment_intent.payment_failed']);
  });

  test('asks at the bank, or is declined if nobody is there to ask', async () => {
    const method = 'pm_card_authenticationRequired';
    const asked = await pay({ payment_method: method, return_url: 'http://127.0.0.1:1/back' });
    expect(asked).toMatchObject({ status: 'requires_action', next_action: { type: 'redirect_to_url' } });
    const url = asked.next_action?.redirect_to_url?.url ?? '';
    const answer = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ answer: 'approve' }),
    });
    expect(answer.headers.get('location')).toBe(`http://127.0.0.1:1/back?payment_intent=${asked.id}`);
    expect((await shop.client.paymentIntents.retrieve(asked.id)).status).toBe('succeeded');
    await expect(pay({ payment_method: method, off_session: true })).rejects.toMatchObject({
      statusCode: 402,
      code: 'authentication_required',
    });
  });

  test('cannot be paid with another customer’s card', async () => {
    const [anna, ben] = [await shop.client.customers.create(), await shop.client.customers.create()];
    const card = await shop.client.paymentMethods.attach('pm_card_visa', { customer: anna.id });
    await expect(pay({ payment_method: card.id, customer: ben.id })).rejects.toMatchObject({ param: 'payment_method' });
    expect((await pay({ payment_method: card.id, customer: anna.id })).status).toBe('succeeded');
  });
});

describe('a hold', () => {
  test('is captured once, with its balance transaction', async () => {
    const intent = await hold();
    expect(intent).toMatchObject({ status: 'requires_capture', amount_capturable: 2000, amount_received: 0 });
    const captured = await shop.client.paymentIntents.capture(intent.id, { metadata: { accepted: 'yes' } });
    expect(captured).toMatchObject({
      status: 'succeeded',
      amount_capturable: 0,
      amount_received: 2000,
      metadata: { accepted: 'yes' },
    });
    expect(await chargeOf(captured)).toMatchObject({
      captured: true,
      amount_captured: 2000,
      balance_transaction: { amount: 2000, fee: 50, net: 1950 },
    });
    expect(eventTypes().slice(-2)).toEqual(['charge.captured', 'payment_intent.succeeded']);
    await expect(shop.client.paymentIntents.capture(intent.id)).rejects.toMatchObject({
      statusCode: 400,
      code: 'payment_intent_unexpected_state',
      message: expect.stringContaining('already been captured'),
      payment_intent: { status: 'succeeded' },
    });
  });

  test('is captured in part: the rest is released, and not counted as refunded', async () => {
    const intent = await hold();
    const captured = await shop.client.paymentIntents.capture(intent.id, { amount_to_capture: 1500 });
    expect(captured).toMatchObject({ status: 'succeeded', amount: 2000, amount_received: 1500, amount_capturable: 0 });
    expect(await chargeOf(captured)).toMatchObject({
      amount_captured: 1500,
      amount_refunded: 0,
      refunded: false,
      balance_transaction: { amount: 1500 },
    });
    await expect(shop.client.paymentIntents.capture(intent.id, { amount_to_capture: 500 })).rejects.toMatchObject({
      message: expect.stringContaining('has been released'),
    });
  });

  test.each([
    [2001, { code: 'amount_too_large', payment_intent: { status: 'requires_capture' } }],
    [29, { code: 'amount_too_small', payment_intent: { status: 'requires_capture' } }],
    [0, { code: 'parameter_invalid_integer' }],
    [-1, { message: 'Invalid non-negative integer' }],
  ])('is not captured with %i', async (amount, error) => {
    const intent = await hold();
    await expect(shop.client.paymentIntents.capture(intent.id, { amount_to_capture: amount })).rejects.toMatchObject({
      statusCode: 400,
      ...error,
    });
    expect((await shop.client.paymentIntents.retrieve(intent.id)).status).toBe('requires_capture');
  });

  test('is cancelled: nothing is taken, the charge stays uncaptured', async () => {
    const intent = await hold();
    const canceled = await shop.client.paymentIntents.cancel(intent.id, {
      cancellation_reason: 'requested_by_customer',
    });
    expect(canceled).toMatchObject({
      status: 'canceled',
      cancellation_reason: 'requested_by_customer',
      canceled_at: shop.clock.now / 1000,
      amount_capturable: 0,
    });
    expect(await chargeOf(intent)).toMatchObject({ captured: false, amount_refunded: 0, balance_transaction: null });
    for (const call of ['cancel', 'capture'] as const) {
      await expect(shop.client.paymentIntents[call](intent.id)).rejects.toMatchObject({
        code: 'payment_intent_unexpected_state',
        message: expect.stringContaining('status of canceled'),
      });
    }
  });

  test('that was captured cannot be cancelled', async () => {
    const intent = await pay();
    await expect(shop.client.paymentIntents.cancel(intent.id)).rejects.toMatchObject({
      code: 'payment_intent_unexpected_state',
      message: expect.stringContaining('status of succeeded'),
    });
  });

  test('ends after seven days: the intent is cancelled by itself', async () => {
    const intent = await hold();
    await shop.control.advance(7 * day - 1000);
    expect((await shop.client.paymentIntents.retrieve(intent.id)).status).toBe('requires_capture');
    await shop.control.advance(1000);
    await expect(shop.client.paymentIntents.capture(intent.id)).rejects.toMatchObject({
      code: 'payment_intent_unexpected_state',
    });
    expect(await shop.client.paymentIntents.retrieve(intent.id)).toMatchObject({
      status: 'canceled',
      cancellation_reason: 'expired',
    });
    expect(eventTypes().slice(-2)).toEqual(['charge.expired', 'payment_intent.canceled']);
  });

  test('of a session is cancelled once the session is complete, and not while it is open', async () => {
    const session = await shop.client.checkout.sessions.create(orderSession());
    shop.control.pay(session.id, { number: '4000000000000002' });
    const { payment_intent: intent } = await shop.client.checkout.sessions.retrieve(session.id);
    await expect(shop.client.paymentIntents.cancel(String(intent))).rejects.toMatchObject({ statusCode: 400 });
    shop.control.pay(session.id);
    expect((await shop.client.paymentIntents.cancel(String(intent))).status).toBe('canceled');
  });

  test('makes its session paid once it is captured', async () => {
    const session = await shop.client.checkout.sessions.create(orderSession());
    shop.control.pay(session.id);
    const { payment_intent: intent } = await shop.client.checkout.sessions.retrieve(session.id);
    await shop.client.paymentIntents.capture(String(intent));
    expect((await shop.client.checkout.sessions.retrieve(session.id)).payment_status).toBe('paid');
  });
});

describe('a refund', () => {
  test('gives part back, and then the rest', async () => {
    const intent = await pay();
    const first = await shop.client.refunds.create({ payment_intent: intent.id, amount: 500, metadata: { line: '2' } });
    expect(first).toMatchObject({
      status: 'succeeded',
      amount: 500,
      charge: intent.latest_charge,
      payment_intent: intent.id,
      metadata: { line: '2' },
    });
    expect(await chargeOf(intent)).toMatchObject({ amount_refunded: 500, refunded: false });
    const rest = await shop.client.refunds.create({ charge: String(intent.latest_charge), reason: 'duplicate' });
    expect(rest).toMatchObject({ amount: 1500, reason: 'duplicate' });
    const charge = await chargeOf(intent);
    expect(charge).toMatchObject({ amount_refunded: 2000, refunded: true });
    expect(charge.refunds?.data.map(({ id }) => id)).toEqual([rest.id, first.id]);
    expect((await shop.client.refunds.list({ payment_intent: intent.id })).data).toHaveLength(2);
    expect((await shop.client.refunds.retrieve(first.id)).amount).toBe(500);
    expect(eventTypes().slice(-4)).toEqual(['refund.created', 'charge.refunded', 'refund.created', 'charge.refunded']);
    await expect(shop.client.refunds.create({ payment_intent: intent.id })).rejects.toMatchObject({
      code: 'charge_already_refunded',
    });
  });

  test('of more than was captured is refused', async () => {
    const intent = await hold();
    await shop.client.paymentIntents.capture(intent.id, { amount_to_capture: 1500 });
    await expect(shop.client.refunds.create({ payment_intent: intent.id, amount: 1501 })).rejects.toMatchObject({
      param: 'amount',
      message: 'Refund amount (£15.01) is greater than unrefunded amount on charge (£15.00)',
    });
  });

  test('of a hold is refused, and of what was never paid', async () => {
    const intent = await hold();
    await expect(shop.client.refunds.create({ payment_intent: intent.id })).rejects.toMatchObject({
      statusCode: 400,
      message: expect.stringContaining('You must cancel the PaymentIntent'),
    });
    const unpaid = await pay({ confirm: false });
    await expect(shop.client.refunds.create({ payment_intent: unpaid.id })).rejects.toMatchObject({
      message: expect.stringContaining('does not have a successful charge to refund'),
    });
    await expect(shop.client.refunds.create({})).rejects.toMatchObject({
      message: expect.stringContaining('payment_intent or charge'),
    });
  });

  test.each(['succeeded', 'failed'] as const)('can be pending first and has %s later', async (status) => {
    shop.control.set({ refunds: 'pending' });
    const intent = await pay();
    const refund = await shop.client.refunds.create({ payment_intent: intent.id });
    expect(refund).toMatchObject({ status: 'pending', pending_reason: 'processing' });
    expect(await chargeOf(intent)).toMatchObject({ amount_refunded: 2000, refunded: true });
    shop.control.finishRefund(refund.id, status);
    const after = await shop.client.refunds.retrieve(refund.id);
    expect(after.status).toBe(status);
    const isFailed = status === 'failed';
    expect(after.failure_reason).toBe(isFailed ? 'lost_or_stolen_card' : undefined);
    expect(await chargeOf(intent)).toMatchObject({ amount_refunded: isFailed ? 0 : 2000, refunded: !isFailed });
    expect(eventTypes()).toContain(isFailed ? 'refund.failed' : 'refund.updated');
  });

  test.each([
    ['pm_card_pendingRefund', 'pending', 'succeeded'],
    ['pm_card_refundFail', 'succeeded', 'failed'],
  ])('of %s is %s, and a minute later %s', async (method, first, later) => {
    const intent = await pay({ payment_method: method });
    const refund = await shop.client.refunds.create({ payment_intent: intent.id });
    expect(refund.status).toBe(first);
    await shop.control.advance(60_000);
    expect((await shop.client.refunds.retrieve(refund.id)).status).toBe(later);
  });
});

describe('a customer', () => {
  test('has saved cards until they are removed or the customer is deleted', async () => {
    const customer = await shop.client.customers.create({ email: 'anna@example.com', metadata: { person: '5' } });
    expect((await shop.client.customers.list({ email: 'anna@example.com' })).data[0]?.id).toBe(customer.id);
    const card = await shop.client.paymentMethods.attach('pm_card_visa', { customer: customer.id });
    await shop.client.paymentMethods.attach('pm_card_mastercard', { customer: customer.id });
    expect((await shop.client.paymentMethods.list({ customer: customer.id })).data).toHaveLength(2);
    expect((await shop.client.paymentMethods.detach(card.id)).customer).toBeNull();
    await expect(shop.client.paymentMethods.detach(card.id)).rejects.toMatchObject({ statusCode: 400 });
    expect((await shop.client.customers.listPaymentMethods(customer.id)).data).toHaveLength(1);
    expect(await shop.client.customers.del(customer.id)).toEqual({
      id: customer.id,
      object: 'customer',
      deleted: true,
    });
    await expect(shop.client.customers.retrieve(customer.id)).rejects.toMatchObject({ code: 'resource_missing' });
    expect([...shop.control.books().tables.payment_method.values()].filter((method) => method.customer)).toEqual([]);
  });
});
