import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CheckoutRequest } from '#payment/server/provider.ts';
import { checkoutParams, couponParams } from '#payment/server/stripe/checkout-params.ts';

const request = (change: Partial<CheckoutRequest> = {}): CheckoutRequest => ({
  idempotencyKey: 'key',
  paymentId: 'payment-1',
  orderId: 'order-1',
  amount: 1250,
  currency: 'GBP',
  parts: [{ name: 'Margherita', amount: 1250, quantity: 1 }],
  discount: null,
  merchant: { id: 'store-1', name: 'Napoli' },
  description: 'Order 12',
  note: 'Taken when the shop accepts.',
  payer: { email: 'ada@example.com', userId: null, language: 'en' },
  isHeld: true,
  expiresAt: new Date('2026-11-21T18:31:00.200Z'),
  returnUrl: 'https://napoli.example/orders/order-1/payment/callback',
  cancelUrl: 'https://napoli.example/orders/order-1',
  ...change,
});
const guest = { customer: null, coupon: null };
const paramsOf = (change: Partial<CheckoutRequest> = {}, parties = guest) => checkoutParams(request(change), parties);

test('the page says what is paid for, and to whom its payment belongs', () => {
  expect(paramsOf()).toMatchObject({
    mode: 'payment',
    line_items: [
      { quantity: 1, price_data: { currency: 'gbp', unit_amount: 1250, product_data: { name: 'Margherita' } } },
    ],
    customer_email: 'ada@example.com',
    adaptive_pricing: { enabled: false },
    locale: 'en-GB',
    client_reference_id: 'order-1',
    metadata: { payment_id: 'payment-1', order_id: 'order-1' },
    payment_intent_data: {
      description: 'Napoli: Order 12',
      metadata: { payment_id: 'payment-1', order_id: 'order-1' },
    },
    custom_text: { submit: { message: 'Taken when the shop accepts.' } },
    expires_at: Date.UTC(2026, 10, 21, 18, 31, 1) / 1000,
    success_url: 'https://napoli.example/orders/order-1/payment/callback',
    cancel_url: 'https://napoli.example/orders/order-1',
  });
});

describe('holding', () => {
  test('is asked for method by method, never for all at once', () => {
    const { payment_method_options: options, payment_intent_data: intent, allowed_payment_method_types } = paramsOf();
    expect(options).toMatchObject({ card: { capture_method: 'manual' }, link: { capture_method: 'manual' } });
    expect(options).not.toHaveProperty('pay_by_bank');
    expect(intent).not.toHaveProperty('capture_method');
    expect(allowed_payment_method_types).toEqual(expect.arrayContaining(['card', 'link', 'pay_by_bank']));
    expect(allowed_payment_method_types).not.toContain('bacs_debit');
  });

  test('is not asked for while the shop is closed too long', () => {
    expect(paramsOf({ isHeld: false })).not.toHaveProperty('payment_method_options');
  });
});

test('a customer with an account has their customer and saved cards; a guest without an address has neither', () => {
  const signedIn = checkoutParams(request(), { customer: 'cus_1', coupon: null });
  expect(signedIn).toMatchObject({
    customer: 'cus_1',
    saved_payment_method_options: { payment_method_save: 'enabled', payment_method_remove: 'enabled' },
  });
  expect(signedIn).not.toHaveProperty('customer_email');
  const nobody = paramsOf({ payer: { email: null, userId: null, language: 'pl' } });
  expect(nobody).toMatchObject({ locale: 'pl' });
  expect(nobody).not.toHaveProperty('customer_email');
  expect(nobody).not.toHaveProperty('customer');
});

test('a discount is a coupon for one payment', () => {
  const of = request({ discount: { name: 'x'.repeat(41), amount: 250 } });
  expect(couponParams(of)).toEqual({
    amount_off: 250,
    currency: 'gbp',
    duration: 'once',
    max_redemptions: 1,
    redeem_by: Date.UTC(2026, 10, 21, 18, 31, 1) / 1000,
    name: `${'x'.repeat(39)}…`,
    metadata: { payment_id: 'payment-1' },
  });
  expect(checkoutParams(of, { customer: null, coupon: 'cpn_1' }).discounts).toEqual([{ coupon: 'cpn_1' }]);
  expect(couponParams(request())).toBeNull();
  expect(paramsOf()).not.toHaveProperty('discounts');
});

test('a name is cut between characters: half an emoji is refused by Stripe, and nobody could pay', () => {
  const nameOf = (name: string) =>
    paramsOf({ parts: [{ name, amount: 1250, quantity: 1 }] }).line_items?.[0]?.price_data?.product_data?.name;
  expect(nameOf(`${'x'.repeat(248)}🌶🌶`)).toBe(`${'x'.repeat(248)}…`);
  expect(nameOf(`${'x'.repeat(247)}🌶🌶`)).toBe(`${'x'.repeat(247)}🌶…`);
  expect(couponParams(request({ discount: { name: `${'x'.repeat(38)}🎉🎉`, amount: 1 } }))?.name).toBe(
    `${'x'.repeat(38)}…`,
  );
  const { custom_text: text } = paramsOf({ note: `${'x'.repeat(1198)}🎉🎉` });
  expect(text?.submit).toEqual({ message: `${'x'.repeat(1198)}…` });
});

test('whatever is ordered, the page asks for the same sum, in at most a hundred lines with names', () => {
  const part = fc.record({
    name: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 400 }),
    amount: fc.integer({ min: 0, max: 5000 }),
    quantity: fc.integer({ min: 1, max: 20 }),
  });
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 130 }), (parts) => {
      const lines = paramsOf({ parts }).line_items ?? [];
      const sum = (of: { amount: number; quantity: number }[]) => of.reduce((all, a) => all + a.amount * a.quantity, 0);
      const asked = lines.map((line) => ({
        amount: line.price_data?.unit_amount ?? NaN,
        quantity: line.quantity ?? NaN,
      }));
      expect(sum(asked)).toBe(sum(parts));
      expect(lines.length).toBe(parts.length > 100 ? 1 : parts.length);
      for (const line of lines) {
        const name = line.price_data?.product_data?.name ?? '';
        expect(name.length).toBeLessThanOrEqual(250);
        expect(name.isWellFormed()).toBe(true);
      }
    }),
  );
});
