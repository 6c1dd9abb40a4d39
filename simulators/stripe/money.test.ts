import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTestingShop, type TestingShop } from './testing-shop.ts';

let shop: TestingShop;
beforeEach(async () => {
  shop = await startTestingShop();
});
afterEach(() => shop.close());

const day = 86_400_000;
const pay = (amount: number, method = 'pm_card_visa') =>
  shop.client.paymentIntents.create({ amount, currency: 'gbp', confirm: true, payment_method: method });
const transactions = async () => (await shop.client.balanceTransactions.list({ limit: 100 })).data;

test.each([
  [30, 20],
  [1000, 35],
  [1250, 39],
  [99_999, 1520],
])('of %i pence Stripe keeps %i', async (amount, fee) => {
  const intent = await pay(amount);
  const [transaction] = (await shop.client.balanceTransactions.list({ source: String(intent.latest_charge) })).data;
  expect(transaction).toMatchObject({
    amount,
    fee,
    net: amount - fee,
    status: 'pending',
    type: 'charge',
    fee_details: [{ amount: fee, currency: 'gbp', type: 'stripe_fee' }],
  });
  expect((await shop.client.balanceTransactions.retrieve(transaction?.id ?? '')).net).toBe(amount - fee);
});

test('a charge that is captured at once can get its balance transaction later, and says so', async () => {
  shop.control.set({ balanceTransactionAfter: 2000 });
  await shop.listen(['charge.updated']);
  const intent = await pay(1000);
  const charge = String(intent.latest_charge);
  expect((await shop.client.charges.retrieve(charge)).balance_transaction).toBeNull();
  await shop.control.advance(2000);
  expect((await shop.client.charges.retrieve(charge)).balance_transaction).toMatch(/^txn_/);
  expect(shop.received.map(({ event }) => event.type)).toEqual(['charge.updated']);
});

test('money becomes available, is paid out by itself, and the payout names what is in it', async () => {
  await shop.listen(['payout.created', 'payout.paid', 'payout.reconciliation_completed']);
  const [first, second] = [await pay(1000), await pay(2000)];
  const refund = await shop.client.refunds.create({ payment_intent: first.id, amount: 300 });
  const due = 1000 - 35 + (2000 - 50) - 300;
  expect(await shop.client.balance.retrieve()).toMatchObject({
    available: [{ amount: 0 }],
    pending: [{ amount: due }],
  });
  await shop.control.advance(4 * day);
  const [payout] = (await shop.client.payouts.list()).data;
  expect(payout).toMatchObject({ amount: due, automatic: true, status: 'in_transit' });
  const id = payout?.id ?? '';
  const inside = await shop.client.balanceTransactions.list({ payout: id, expand: ['data.source'] });
  expect(inside.data.map(({ source, net }) => [typeof source === 'object' && source?.id, net])).toEqual([
    [id, -due],
    [refund.id, -300],
    [second.latest_charge, 1950],
    [first.latest_charge, 965],
  ]);
  expect(inside.data.reduce((sum, { net }) => sum + net, 0)).toBe(0);
  await shop.control.advance(day);
  expect(await shop.client.payouts.retrieve(id)).toMatchObject({
    status: 'paid',
    reconciliation_status: 'completed',
  });
  expect(await shop.client.balance.retrieve()).toMatchObject({ available: [{ amount: 0 }], pending: [{ amount: 0 }] });
  expect(shop.received.map(({ event }) => event.type)).toEqual([
    'payout.created',
    'payout.paid',
    'payout.reconciliation_completed',
  ]);
});

test('a test card can be available at once, and paid out by a call', async () => {
  await pay(1000, 'pm_card_bypassPending');
  expect(shop.control.payOut()).toMatchObject({ amount: 965 });
  expect(shop.control.payOut()).toBeNull();
});

test('a dispute takes the money and a fee, has a deadline, and blocks refunds until it is won', async () => {
  await shop.listen(['charge.dispute.created', 'charge.dispute.funds_withdrawn', 'charge.dispute.closed']);
  const intent = await pay(2000);
  const opened = shop.control.openDispute(String(intent.latest_charge), { reason: 'product_not_received' });
  const dispute = await shop.client.disputes.retrieve(opened.id);
  expect(dispute).toMatchObject({
    amount: 2000,
    reason: 'product_not_received',
    status: 'needs_response',
    payment_intent: intent.id,
    balance_transactions: [{ amount: -2000, fee: 2000, net: -4000, type: 'adjustment' }],
    evidence_details: { due_by: Date.UTC(2026, 11, 3, 23, 59, 59) / 1000 },
  });
  expect((await shop.client.disputes.list({ payment_intent: intent.id })).data).toHaveLength(1);
  await expect(shop.client.refunds.create({ payment_intent: intent.id })).rejects.toMatchObject({
    code: 'charge_disputed',
  });
  shop.control.closeDispute(opened.id, 'won');
  expect((await shop.client.disputes.retrieve(opened.id)).status).toBe('won');
  const sum = (await transactions())
    .filter(({ source }) => source === opened.id)
    .reduce((net, row) => net + row.net, 0);
  expect(sum).toBe(0);
  expect((await shop.client.refunds.create({ payment_intent: intent.id })).status).toBe('succeeded');
  await shop.control.webhooks.settled();
  expect(shop.received.map(({ event }) => event.type)).toEqual([
    'charge.dispute.created',
    'charge.dispute.funds_withdrawn',
    'charge.dispute.closed',
  ]);
});

test('an inquiry takes nothing', async () => {
  const intent = await pay(2000, 'pm_card_createDisputeInquiry');
  const [dispute] = (await shop.client.disputes.list()).data;
  expect(dispute).toMatchObject({
    charge: intent.latest_charge,
    status: 'warning_needs_response',
    is_charge_refundable: true,
    balance_transactions: [],
  });
  const { id = '' } = dispute ?? {};
  shop.control.closeDispute(id, 'lost');
  expect(await shop.client.disputes.retrieve(id)).toMatchObject({ status: 'warning_closed', balance_transactions: [] });
  expect(() => shop.control.closeDispute(id, 'lost')).toThrow('warning_closed already');
});

test('the account says whether it can charge and what is missing', async () => {
  expect(await shop.client.accounts.retrieveCurrent()).toMatchObject({
    country: 'GB',
    default_currency: 'gbp',
    charges_enabled: true,
    details_submitted: true,
  });
  const account = shop.control.books().account;
  shop.control.setAccount({
    charges_enabled: false,
    details_submitted: false,
    requirements: {
      ...account.requirements,
      currently_due: ['external_account'],
      disabled_reason: 'requirements.past_due',
    } as typeof account.requirements,
  });
  expect(await shop.client.accounts.retrieveCurrent()).toMatchObject({
    charges_enabled: false,
    requirements: { currently_due: ['external_account'] },
  });
});

test('the account lists the methods it offers, and registered domains', async () => {
  const [configuration] = (await shop.client.paymentMethodConfigurations.list()).data;
  expect(configuration).toMatchObject({
    is_default: true,
    card: { available: true },
    pay_by_bank: { available: true },
  });
  const domain = await shop.client.paymentMethodDomains.create({ domain_name: 'shop.example.com' });
  expect((await shop.client.paymentMethodDomains.list({ domain_name: 'shop.example.com' })).data[0]?.id).toBe(
    domain.id,
  );
  expect((await shop.client.paymentMethodDomains.retrieve(domain.id)).enabled).toBe(true);
});
