import { expect, test } from 'vitest';
import { offerRuleWords } from '#ordering/offers/offer-words.ts';
import { anOffer } from '#ordering/testing/samples.ts';
import { runInLanguage } from '#platform/server/request-language.ts';

const shop = { currency: 'GBP', timezone: 'Europe/London' };
const sayInPolish = (...offer: Parameters<typeof anOffer>) =>
  runInLanguage('pl', () => offerRuleWords(anOffer(...offer), shop, (id) => id.toUpperCase()));

test.each([
  [
    sayInPolish('percent', { value: 1050, first_order_only: true, item_ids: ['pizza', 'pasta', 'zupa'] }),
    '10,5% taniej na: PIZZA, PASTA i ZUPA, przy pierwszym zamówieniu',
  ],
  [
    sayInPolish('free_delivery', { minimum_subtotal: 2500, fulfilment_types: ['delivery'], channels: ['app'] }),
    'Darmowa dostawa, przy zamówieniu od 25,00\u00A0£, w aplikacji, z dostawą',
  ],
  [
    sayInPolish('n_for_m', { take: 3, pay: 2, max_pieces: 1, excluded_item_ids: ['wino'], days: ['Friday'] }),
    '3 w cenie 2 (oprócz: WINO) (najwyżej 1 w zamówieniu), w dni: piątek',
  ],
  [
    sayInPolish('item_price', { value: 0, item_ids: ['naan'], from_time: '17:00', until_time: '19:00' }),
    'Gratis: NAAN, od 17:00 do 19:00',
  ],
])('%s', (words, expected) => {
  expect(words).toBe(expected);
});
