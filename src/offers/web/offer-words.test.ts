import { expect, test } from 'vitest';
import { offerState, offerWords } from '#offers/web/offer-words.ts';
import { anOffer } from '#ordering/testing/samples.ts';

const shop = { currency: 'GBP', timezone: 'Europe/London' };
const say = (...offer: Parameters<typeof anOffer>) => offerWords(anOffer(...offer), shop, (id) => id.toUpperCase());

test.each([
  [say('percent', { value: 1050 }), '10.5% off'],
  [
    say('amount', { value: 500, minimum_subtotal: 2500, fulfilment_types: ['collection'] }),
    '£5.00 off, on orders from £25.00, for collection',
  ],
  [
    say('free_delivery', { days: ['Friday', 'Saturday'], from_time: '17:00', until_time: '02:00' }),
    'Free delivery, on Friday and Saturday, from 17:00 to 02:00',
  ],
  [
    say('item_price', { value: 0, item_ids: ['naan'], max_pieces: 1, ends_at: '2026-11-30T00:00:00.000Z' }),
    'Free: NAAN (at most 1 an order), until 29 November 2026',
  ],
  [say('item_price', { value: 300, category_ids: ['drinks'] }), '£3.00 each: DRINKS'],
  [say('n_for_m', { take: 2, pay: 1, excluded_item_ids: ['wine'] }), '2 for the price of 1 (not WINE)'],
  [
    say('set_price', {
      value: 1500,
      parts: [
        { item_ids: ['pizza', 'pasta'], quantity: 2 },
        { item_ids: ['cola'], quantity: 1 },
      ],
    }),
    '£15.00 together: 2 × PIZZA or PASTA and 1 × COLA',
  ],
  [
    say('set_price', {
      value: 500,
      parts: [
        { item_ids: ['tea'], quantity: 1 },
        { item_ids: ['tea'], quantity: 1 },
      ],
    }),
    '£5.00 together: 1 × TEA and 1 × TEA',
  ],
  [
    say('amount', { value: 100, item_ids: ['a', 'b', 'c', 'd', 'e', 'f', 'f', 'g', 'h'] }),
    '£1.00 off on A, B, C, D, E, F and 2 more',
  ],
  [
    say('percent', {
      value: 1000,
      by_code: true,
      code: 'HELLO',
      first_order_only: true,
      channels: ['web', 'app'],
      max_uses: 50,
      max_uses_per_person: 1,
      max_uses_per_day: 5,
      budget: 20_000,
    }),
    '10% off, on the first order, on the website or in the app, with the code HELLO, once per person, 5 times a day, 50 times in all, until £200.00 has been given',
  ],
])('%s', (words, expected) => {
  expect(words).toBe(expected);
});

test('an offer is on from its start until before its end, unless it is turned off', () => {
  const now = new Date('2026-11-21T18:00:00Z');
  const at = '2026-11-21T18:00:00.000Z';
  expect(offerState(anOffer('free_delivery'), now)).toBe('on');
  expect(offerState(anOffer('free_delivery', { starts_at: at }), now)).toBe('on');
  expect(offerState(anOffer('free_delivery', { ends_at: at }), now)).toBe('ended');
  expect(offerState(anOffer('free_delivery', { starts_at: '2026-11-21T18:00:01.000Z' }), now)).toBe('later');
  expect(offerState(anOffer('free_delivery', { is_active: false }), now)).toBe('off');
});
