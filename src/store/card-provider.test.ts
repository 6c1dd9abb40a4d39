import { describe, expect, test } from 'vitest';
import {
  canHoldUntilAnswer,
  unmetCardMinimumOfStore,
  isCardCurrency,
  minCardAmount,
  offeredPaymentMethods,
} from '#store/card-provider.ts';

const shop = {
  payment_methods: { collection: ['cash', 'card'], delivery: ['cash'] },
  card_provider: 'stripe',
  currency: 'GBP',
} satisfies Parameters<typeof offeredPaymentMethods>[0];

test.each([
  ['GBP', 30],
  ['PLN', 200],
  ['EUR', 50],
  ['JPY', 50],
  ['MXN', 1000],
  // Not listed by Stripe: worth more than 50 US cents.
  ['KRW', 1100],
  ['TWD', 2500],
  ['ZAR', 1400],
  ['PHP', 4000],
  ['VND', 20_000],
])('the least in %s is %i', (currency, least) => {
  expect(minCardAmount(currency)).toBe(least);
});

test.each([
  ['GBP', true],
  ['EUR', true],
  ['PLN', true],
  // Without decimals at both.
  ['JPY', true],
  ['KRW', true],
  // Two decimals at Stripe, at least for charges.
  ['ISK', false],
  ['UGX', false],
  ['HUF', false],
  ['IDR', false],
  ['COP', false],
  ['TWD', true],
  // Stripe refuses the third decimal.
  ['KWD', false],
  ['BHD', false],
])('cards in %s: %s', (currency, isCounted) => {
  expect(isCardCurrency(currency)).toBe(isCounted);
});

describe('a card', () => {
  test.each([
    ['nothing', 0, true, null],
    ['a penny', 1, false, 30],
    ['less than the least', 29, false, 30],
    ['the least', 30, true, null],
    ['more', 1250, true, null],
    ['what is not known yet', null, true, null],
  ])('for %s', (_name, total, isOffered, least) => {
    expect(offeredPaymentMethods(shop, 'collection', total).includes('card')).toBe(isOffered);
    expect(unmetCardMinimumOfStore(shop, 'collection', total)).toBe(least);
  });

  test('has no least amount where the shop takes none', () => {
    expect(unmetCardMinimumOfStore(shop, 'delivery', 1)).toBeNull();
    expect(unmetCardMinimumOfStore({ ...shop, card_provider: null }, 'collection', 1)).toBeNull();
    expect(offeredPaymentMethods({ ...shop, card_provider: null }, 'collection', 1250)).toEqual(['cash']);
  });
});

describe('money is held until the answer', () => {
  const hours = (closures: { from: string; to: string; reason: string }[]) => ({
    timezone: 'Europe/London',
    day_starts_at: '05:00',
    answer_minutes: 10,
    operational_hours: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'].map((day) => ({
      day: day as 'Monday',
      open: '12:00',
      close: '23:00',
    })),
    closures,
  });
  const evening = new Date('2026-11-21T18:00:00Z');
  const closedUntil = (to: string) => hours([{ from: '2026-11-21', to, reason: 'Holiday' }]);

  test.each([
    ['while the shop is open', hours([]), true],
    ['closed for five days', closedUntil('2026-11-26'), true],
    ['closed for six days', closedUntil('2026-11-27'), false],
    ['closed for two weeks', closedUntil('2026-12-05'), false],
  ])('%s', (_name, store, can) => {
    expect(canHoldUntilAnswer(store, evening)).toBe(can);
  });
});
