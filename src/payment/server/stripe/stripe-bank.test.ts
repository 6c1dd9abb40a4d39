import type { Stripe } from 'stripe';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ProviderKeysRefused, ProviderRefusal } from '#payment/server/provider.ts';
import { openStripe } from '#payment/server/stripe/client.ts';
import {
  createStripeBankSource,
  disputeFromStripe,
  bankEntryFromStripe,
  payoutFromStripe,
} from '#payment/server/stripe/stripe-bank.ts';
import { startTestingShop, type TestingShop } from '#simulators/stripe/testing-shop.ts';

let shop: TestingShop;
beforeEach(async () => {
  shop = await startTestingShop();
});
afterEach(() => shop.close());

const day = 86_400_000;
const ourId = '019a0000-0000-7000-8000-000000000001';
const bankWith = (key: string) => createStripeBankSource(openStripe(key, new URL(shop.origin)));
const bank = () => bankWith(shop.secretKey);
const longAgo = new Date(0);

/** A payment of £12.50 that is captured. */
async function pay() {
  const { client } = shop;
  const held = await client.paymentIntents.create({
    amount: 1250,
    currency: 'gbp',
    confirm: true,
    payment_method: 'pm_card_visa',
    capture_method: 'manual',
    metadata: { payment_id: ourId },
  });
  const { id, latest_charge: charge } = await client.paymentIntents.capture(held.id);
  return { intent: id, charge: String(charge) };
}

describe('the entries of a payment', () => {
  test('are its charge, its refunds and what a dispute takes and gives back', async () => {
    const { intent, charge } = await pay();
    const of = () => bank().entriesOf({ id: ourId, intent });
    expect(await of()).toMatchObject([
      { kind: 'charge', amount: 1250, fee: 39, net: 1211, currency: 'GBP', source: charge, intent, paymentId: ourId },
    ]);
    const refund = await shop.client.refunds.create({ payment_intent: intent, amount: 300 });
    expect((await of())[1]).toMatchObject({ kind: 'refund', amount: -300, fee: 0, net: -300, source: refund.id });
    const { id: dispute } = shop.control.openDispute(charge);
    const taken = (await of())[2];
    expect(taken).toMatchObject({ kind: 'dispute', source: dispute, intent });
    expect(taken?.amount).toBeLessThan(0);
    shop.control.closeDispute(dispute, 'won');
    const won = await of();
    expect(won.map(({ kind }) => kind)).toEqual(['charge', 'refund', 'dispute', 'dispute_won']);
    expect(won[3]?.amount).toBe(-(taken?.amount ?? 0));
  });

  test('are the same where the whole statement is read', async () => {
    const { intent } = await pay();
    await shop.client.refunds.create({ payment_intent: intent, amount: 300 });
    const [refund, charge] = await bank().entriesSince(longAgo);
    expect([charge, { ...refund, paymentId: ourId }]).toEqual(await bank().entriesOf({ id: ourId, intent }));
    expect(await bank().entriesSince(new Date(shop.clock.now + day))).toEqual([]);
  });

  test('of a hold are none yet', async () => {
    const { id: intent } = await shop.client.paymentIntents.create({
      amount: 1250,
      currency: 'gbp',
      confirm: true,
      payment_method: 'pm_card_visa',
      capture_method: 'manual',
    });
    expect(await bank().entriesOf({ id: ourId, intent })).toEqual([]);
  });

  test('of a part that is captured come to that part', async () => {
    const { client } = shop;
    const { id: intent } = await client.paymentIntents.create({
      amount: 1250,
      currency: 'gbp',
      confirm: true,
      payment_method: 'pm_card_visa',
      capture_method: 'manual',
    });
    await client.paymentIntents.capture(intent, { amount_to_capture: 1000 });
    const entries = await bank().entriesOf({ id: ourId, intent });
    expect(entries.reduce((sum, { kind, amount }) => sum + (kind === 'charge' ? amount : 0), 0)).toBe(1000);
  });
});

test('a payout that Stripe makes by itself names what is in it, which comes to its amount', async () => {
  const { intent } = await pay();
  await pay();
  await shop.client.refunds.create({ payment_intent: intent, amount: 300 });
  await shop.control.advance(4 * day);
  const [payout] = await bank().listPayouts(longAgo);
  expect(payout).toMatchObject({ amount: 2 * 1211 - 300, currency: 'GBP', isAutomatic: true, failure: null });
  await shop.control.advance(2 * day);
  const id = payout?.id ?? '';
  expect(await bank().payout(id)).toMatchObject({ id, status: 'paid', hasEntries: true });
  const entries = await bank().listEntries(id);
  expect(entries.map(({ kind }) => kind).toSorted()).toEqual(['charge', 'charge', 'refund']);
  expect(entries.reduce((sum, { net }) => sum + net, 0)).toBe(payout?.amount);
});

test('more entries than one answer of Stripe has are all read', async () => {
  const { client } = shop;
  await Promise.all(
    Array.from({ length: 130 }, () =>
      client.paymentIntents.create({ amount: 500, currency: 'gbp', confirm: true, payment_method: 'pm_card_visa' }),
    ),
  );
  const entries = await bank().entriesSince(longAgo);
  expect(new Set(entries.map(({ id }) => id)).size).toBe(130);
});

test('a dispute names its payment, the reason and by when to answer', async () => {
  const { intent, charge } = await pay();
  const { id } = shop.control.openDispute(charge);
  const seen = await bank().dispute(id);
  expect(seen).toMatchObject({ id, intent, paymentId: ourId, amount: 1250, currency: 'GBP', status: 'needs_response' });
  expect(seen.respondBy?.getTime()).toBeGreaterThan(shop.clock.now);
  expect(await bank().listDisputes(longAgo)).toEqual([seen]);
  shop.control.closeDispute(id, 'lost');
  expect(await bank().dispute(id)).toMatchObject({ status: 'lost' });
});

test('keys that are withdrawn, what is not there, and an outage are told apart', async () => {
  await expect(bankWith('sk_test_nobody').listPayouts(longAgo)).rejects.toThrow(ProviderKeysRefused);
  await expect(bank().payout('po_nobody')).rejects.toThrow(ProviderRefusal);
  await shop.close();
  const gone = await bank()
    .listPayouts(longAgo)
    .catch((error: unknown) => error);
  expect(gone).toBeInstanceOf(Error);
  expect(gone).not.toBeInstanceOf(ProviderRefusal);
  expect(gone).not.toBeInstanceOf(ProviderKeysRefused);
  shop = await startTestingShop();
});

/** Of an object of Stripe's only what is read. */
const partly = <T>(part: Partial<T>): T => part as T;

describe('Stripe’s names', () => {
  test.each([
    ['charge', 'charge'],
    ['partial_capture_reversal', 'charge'],
    ['refund_failure', 'refund_failed'],
    ['dispute', 'dispute'],
    ['dispute_reversal', 'dispute_won'],
    ['network_cost', 'fee'],
    ['payout_reversal', 'payout_failed'],
    ['climate_order_purchase', 'other'],
  ])('the category %s is %s', (reporting_category, kind) => {
    const row = { id: 'txn_1', amount: 1, fee: 0, net: 1, currency: 'gbp', source: null };
    const times = { created: 1_800_000_000, available_on: 1_800_000_000 };
    expect(bankEntryFromStripe(partly<Stripe.BalanceTransaction>({ ...row, ...times, reporting_category })).kind).toBe(
      kind,
    );
  });

  test.each([
    ['warning_needs_response', 'inquiry_needs_response'],
    ['warning_under_review', 'inquiry_under_review'],
    ['warning_closed', 'inquiry_closed'],
    ['prevented', 'inquiry_closed'],
    ['needs_response', 'needs_response'],
    ['appeal_needs_response', 'needs_response'],
    ['under_review', 'under_review'],
    ['appeal_under_review', 'under_review'],
    ['won', 'won'],
    ['lost', 'lost'],
    ['one that comes later', 'needs_response'],
  ])('the dispute that is %s is %s', (status, ours) => {
    const row = { id: 'dp_1', amount: 1, currency: 'gbp', charge: 'ch_1', payment_intent: 'pi_1', created: 1 };
    const details = { due_by: null } as never;
    expect(disputeFromStripe(partly<Stripe.Dispute>({ ...row, status, evidence_details: details })).status).toBe(ours);
  });

  test.each([
    [true, 'completed', true],
    [true, 'in_progress', false],
    [false, 'not_applicable', false],
  ])('a payout, automatic %s and reconciliation %s, has entries: %s', (automatic, reconciliation_status, has) => {
    const row = { id: 'po_1', amount: 1, currency: 'gbp', status: 'canceled', arrival_date: 1_800_000_000, created: 1 };
    const read = payoutFromStripe(
      partly<Stripe.Payout>({ ...row, automatic, reconciliation_status, failure_code: null }),
    );
    expect(read).toMatchObject({ status: 'cancelled', hasEntries: has, arrivesOn: '2027-01-15' });
  });
});
