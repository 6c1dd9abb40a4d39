import { effortLimits, type OrderEffort, orderAsNewGuest, orderTheUsual } from './order-effort.ts';
import { approvePayment, moveOrder, sendOrder } from './orders.ts';
import { register, signedIn } from './people.ts';
import type { Shop } from '#testing/running-shop.ts';
import { expect, test } from './shop.ts';
import { orderIdOf, phone } from './storefront.ts';

function expectWithin({ taps, typed }: OrderEffort, most: { taps: number; typed: number }): void {
  expect(taps, 'taps').toBeLessThanOrEqual(most.taps);
  expect(typed, 'typed fields').toBeLessThanOrEqual(most.typed);
}

async function deliver(shop: Shop, id: string): Promise<void> {
  await moveOrder(shop, { id }, 'accept', { minutes: 30 });
  await moveOrder(shop, { id }, 'collected-by-driver');
  await moveOrder(shop, { id }, 'delivered-to-customer');
}

test('an order takes a new guest nine taps and four typed fields, a returning guest four taps, and an account three', async ({
  shop,
  window,
}) => {
  const page = await window(phone);
  await test.step('a new guest', async () => {
    expectWithin(await orderAsNewGuest(page, 'BBQ onion ring stack'), effortLimits['new guest']);
  });
  await deliver(shop, orderIdOf(page));

  await test.step('a returning guest', async () => {
    const later = await page.context().newPage();
    expectWithin(await orderTheUsual(later), effortLimits['returning guest']);
    await later.close();
  });

  await test.step('a customer with an account', async () => {
    const { name, token } = await register(shop);
    const contact = { name, phone: '07700 900111' };
    const address = { line1: '1 High Street', line2: '', city: 'Rugby', postcode: 'CV21 2AA', instructions: '' };
    const usual = { quantity: 2, fulfilment_type: 'delivery', payment_method: 'card', contact, address };
    const placed = await sendOrder(shop, usual, token);
    await approvePayment(shop, placed);
    await deliver(shop, placed.id);
    const account = await signedIn(await window(phone), token);
    expectWithin(await orderTheUsual(account), effortLimits['signed in']);
  });
});
