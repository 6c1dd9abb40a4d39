import { effortLimits, type OrderEffort, orderAsNewGuest } from './order-effort.ts';
import { expect, test } from './shop.ts';
import { phone } from './storefront.ts';

function expectWithin({ taps, typed }: OrderEffort, most: { taps: number; typed: number }): void {
  expect(taps, 'taps').toBeLessThanOrEqual(most.taps);
  expect(typed, 'typed fields').toBeLessThanOrEqual(most.typed);
}

test('a new guest has a delivery with nine taps and four typed fields at most', async ({ window }) => {
  const effort = await orderAsNewGuest(await window(phone), 'BBQ onion ring stack');
  expectWithin(effort, effortLimits['new guest']);
});
