import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { orderSession, startTestingShop, type TestingShop } from './testing-shop.ts';

let shop: TestingShop;
beforeEach(async () => {
  shop = await startTestingShop();
});
afterEach(() => shop.close());

describe('a session', () => {
  test('is created open, with a page, and has no intent until somebody pays', async () => {
    const session = await shop.client.checkout.sessions.create(
      orderSession(1250, { client_reference_id: 'order-1', metadata: { order: '1' } }),
    );
    expect(session).toMatchObject({
      status: 'open',
      payment_status: 'unpaid',
      payment_intent: null,
      amount_total: 1250,
      client_reference_id: 'order-1',
      metadata: { order: '1' },
      payment_method_types: ['card', 'link', 'pay_by_bank'],
    });
    expect(session.url).toBe(`${shop.origin}/c/pay/${session.id}`);
  });

  test('is paid on its page with a card that is held, and goes back to the shop', async () => {
    const session = await shop.client.checkout.sessions.create(orderSession());
    const page = await fetch(session.url ?? '');
    expect(await page.text()).toContain('Margherita');
    const paid = await fetch(session.url ?? '', {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ method: 'card', number: '4242 4242 4242 4242', expiry: '12/34', cvc: '123' }),
    });
    expect(paid.status).toBe(303);
    expect(paid.headers.get('location')).toBe(`http://127.0.0.1:1/return?session=${session.id}`);
    const after = await shop.client.checkout.sessions.retrieve(session.id, {
      expand: ['payment_intent.latest_charge', 'line_items'],
    });
    expect(after).toMatchObject({
      status: 'complete',
      payment_status: 'unpaid',
      url: null,
      payment_intent: {
        status: 'requires_capture',
        amount_capturable: 1250,
        latest_charge: {
          captured: false,
          balance_transaction: null,
          payment_method_details: { card: { capture_before: shop.clock.now / 1000 + 7 * 86_400 } },
        },
      },
      line_items: { data: [{ description: 'Margherita', amount_total: 1250 }] },
    });
  });
});
