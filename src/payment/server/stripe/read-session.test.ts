import type { Stripe } from 'stripe';
import { describe, expect, test } from 'vitest';
import type { ProviderState } from '#payment/payment-state.ts';
import { readStripeSession } from '#payment/server/stripe/read-session.ts';

type Session = Stripe.Checkout.Session;
type SessionStatus = 'open' | 'complete' | 'expired';
type PaymentStatus = 'paid' | 'unpaid' | 'no_payment_required';
type IntentStatus = Stripe.PaymentIntent.Status | 'none' | 'canceled after a hold';

const keys = { mode: 'test', account: 'acct_1' } as const;
const charge = (change: Partial<Stripe.Charge> = {}) =>
  ({
    id: 'ch_1',
    amount: 1250,
    amount_captured: 0,
    captured: false,
    created: 1_800_000_000,
    status: 'succeeded',
    payment_method_details: { type: 'card', card: { wallet: null, capture_before: 1_800_604_800 } },
    refunds: { data: [] },
    ...change,
  }) as unknown as Stripe.Charge;
const refund = (change: Partial<Stripe.Refund>) =>
  ({
    id: 're_1',
    amount: 100,
    created: 1,
    status: 'succeeded',
    metadata: {},
    balance_transaction: 'txn_1',
    ...change,
  }) as Stripe.Refund;
const intent = (change: Partial<Stripe.PaymentIntent> = {}) =>
  ({
    id: 'pi_1',
    amount: 1250,
    amount_received: 0,
    currency: 'gbp',
    livemode: false,
    latest_charge: null,
    status: 'requires_payment_method',
    ...change,
  }) as Stripe.PaymentIntent;
const session = (change: Partial<Session> = {}) =>
  ({
    id: 'cs_1',
    status: 'open',
    payment_status: 'unpaid',
    amount_total: 1250,
    currency: 'gbp',
    livemode: false,
    metadata: { payment_id: 'payment-1' },
    payment_intent: null,
    ...change,
  }) as Session;

function intentWith(status: IntentStatus): Stripe.PaymentIntent | null {
  if (status === 'none') return null;
  if (status === 'canceled after a hold') return intent({ status: 'canceled', latest_charge: charge() });
  if (status === 'succeeded') {
    const paid = charge({ captured: true, amount_captured: 1250 });
    return intent({ status, amount_received: 1250, latest_charge: paid });
  }
  if (status === 'requires_capture') return intent({ status, latest_charge: charge() });
  if (status === 'requires_payment_method') return intent({ status, latest_charge: charge({ status: 'failed' }) });
  return intent({ status });
}

/** By the intent alone, whatever the session says; the others are below. */
const byIntent: Partial<Record<IntentStatus, ProviderState>> = {
  succeeded: 'captured',
  requires_capture: 'authorised',
  canceled: 'abandoned',
  'canceled after a hold': 'voided',
  processing: 'open',
  requires_action: 'open',
  requires_confirmation: 'open',
};
const bySession: Record<'none' | 'requires_payment_method', Record<SessionStatus, ProviderState>> = {
  none: { open: 'open', complete: 'open', expired: 'abandoned' },
  requires_payment_method: { open: 'open', complete: 'declined', expired: 'abandoned' },
};
const intents: IntentStatus[] = [
  'none',
  'requires_payment_method',
  'requires_confirmation',
  'requires_action',
  'processing',
  'requires_capture',
  'succeeded',
  'canceled',
  'canceled after a hold',
];
const cases = (['open', 'complete', 'expired'] as SessionStatus[]).flatMap((status) =>
  (['paid', 'unpaid', 'no_payment_required'] as PaymentStatus[]).flatMap((paid) =>
    intents.map((of): [SessionStatus, PaymentStatus, IntentStatus, ProviderState] => {
      const isFree = status === 'complete' && paid === 'no_payment_required' && of === 'none';
      const expected = byIntent[of] ?? bySession[of as keyof typeof bySession][status];
      return [status, paid, of, isFree ? 'abandoned' : expected];
    }),
  ),
);

test.each(cases)('a session that is %s and %s, whose intent is %s, is %s', (status, payment_status, of, state) => {
  const seen = readStripeSession(session({ status, payment_status, payment_intent: intentWith(of) }), keys);
  expect(seen).toMatchObject({ state, amount: 1250, currency: 'GBP', paymentId: 'payment-1', isForeign: false });
});

test('a status that Stripe adds one day waits', () => {
  expect(readStripeSession(session({ payment_intent: intent({ status: 'thinking' }) }), keys).state).toBe('open');
});

describe('what is read of the money', () => {
  const paid = (of: Partial<Stripe.Charge>, received = 1250) =>
    readStripeSession(
      session({
        status: 'complete',
        payment_intent: intent({
          status: 'succeeded',
          amount_received: received,
          latest_charge: charge({ captured: true, amount_captured: received, ...of }),
        }),
      }),
      keys,
    );
  const refunds = (...data: Stripe.Refund[]) => ({ refunds: { data } as Stripe.ApiList<Stripe.Refund> });

  test('a hold: its end, and the method', () => {
    const seen = readStripeSession(session({ payment_intent: intentWith('requires_capture') }), keys);
    expect(seen).toMatchObject({ intent: 'pi_1', method: 'card', heldUntil: new Date(1_800_604_800_000) });
    expect(seen.captured).toBeUndefined();
  });

  test('whether the payer’s bank is being asked', () => {
    const asked = intents.filter(
      (of) => readStripeSession(session({ payment_intent: intentWith(of) }), keys).isProcessing,
    );
    expect(asked).toEqual(['processing']);
  });

  test('a hold whose end Stripe does not say: as long as its method holds', () => {
    const details = { type: 'klarna' } as Stripe.Charge.PaymentMethodDetails;
    const held = intent({ status: 'requires_capture', latest_charge: charge({ payment_method_details: details }) });
    expect(readStripeSession(session({ payment_intent: held }), keys).heldUntil).toEqual(
      new Date((1_800_000_000 + 28 * 86_400) * 1000),
    );
  });

  test('a wallet by its own name', () => {
    const details = { type: 'card', card: { wallet: { type: 'apple_pay' } } } as Stripe.Charge.PaymentMethodDetails;
    expect(paid({ payment_method_details: details })).toMatchObject({ method: 'apple_pay', heldUntil: null });
  });

  test('refunds: made and pending ones count, failed ones do not; oldest first, with our keys', () => {
    const seen = paid(
      refunds(
        refund({ id: 're_3', created: 3, amount: 300, status: 'failed' }),
        refund({ id: 're_2', created: 2, amount: 200, status: 'pending', metadata: { refund_key: 'refund:2:1' } }),
        refund({ id: 're_1', created: 1, amount: 100 }),
      ),
    );
    expect(seen).toMatchObject({ state: 'captured', captured: 1250, refunded: 300 });
    expect(seen.refundList).toEqual([
      { id: 're_1', key: null, amount: 100, status: 'succeeded' },
      { id: 're_2', key: 'refund:2:1', amount: 200, status: 'pending' },
      { id: 're_3', key: null, amount: 300, status: 'failed' },
    ]);
  });

  test('everything refunded', () => {
    expect(paid(refunds(refund({ amount: 1250 }))).state).toBe('refunded');
  });

  test('less was captured than held: every refund is one of what was captured, even of as much as the rest', () => {
    const asRest = refund({ id: 're_1', amount: 250, status: 'pending', balance_transaction: null });
    expect(paid(refunds(asRest), 1000)).toMatchObject({ captured: 1000, refunded: 250, refundList: [{ id: 're_1' }] });
    expect(paid({}, 1000)).toMatchObject({ state: 'captured', captured: 1000, refunded: 0, refundList: [] });
    expect(paid(refunds(refund({ amount: 1000 })), 1000).state).toBe('refunded');
  });

  test('a hold that was cancelled: nothing was refunded, even if its release is listed as a refund', () => {
    const held = charge({ ...refunds(refund({ amount: 1250, balance_transaction: null })), refunded: true });
    const seen = readStripeSession(
      session({ payment_intent: intent({ status: 'canceled', latest_charge: held }) }),
      keys,
    );
    expect(seen).toMatchObject({ state: 'voided', refunded: 0, refundList: [] });
  });

  test.each([
    ['a session of the other mode', session({ livemode: true }), true],
    ['an intent of the other mode', session({ payment_intent: intent({ livemode: true }) }), true],
    ['money for another account', session({ payment_intent: intent({ on_behalf_of: 'acct_2' }) }), true],
    [
      'money sent on to another account',
      session({ payment_intent: intent({ transfer_data: { destination: 'acct_2' } }) }),
      true,
    ],
    ['money for this account by name', session({ payment_intent: intent({ on_behalf_of: 'acct_1' }) }), false],
  ])('%s is foreign: %3$s', (_name, of, isForeign) => {
    expect(readStripeSession(of, keys).isForeign).toBe(isForeign);
  });

  test('a session of nobody here has no payment', () => {
    expect(readStripeSession(session({ metadata: {} }), keys).paymentId).toBeNull();
  });

  test('a part that was not asked for whole is a fault of the caller', () => {
    expect(() => readStripeSession(session({ payment_intent: 'pi_1' }), keys)).toThrow('pi_1 was not asked for whole');
  });

  test.each([{ amount_total: null }, { currency: null }])(
    'without a price (%j) is not taken for one of nothing',
    (change) => {
      expect(() => readStripeSession(session(change), keys)).toThrow('cs_1 has no price');
      // The intent's price is what counts once there is one.
      expect(readStripeSession(session({ ...change, payment_intent: intent() }), keys)).toMatchObject({
        amount: 1250,
        currency: 'GBP',
      });
    },
  );
});
