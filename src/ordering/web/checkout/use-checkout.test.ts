import { expect, test } from 'vitest';
import type { BasketProblem } from '#ordering/basket.ts';
import { aMenu, anItem, aStore } from '#ordering/testing/samples.ts';
import { createBasketView } from '#ordering/web/basket/basket-view.ts';
import { dishesWithQuestions, questionsByLine, fieldProblemsOf } from '#ordering/web/checkout/use-checkout.ts';

const problem = (path: string): BasketProblem => ({ path, code: 'shop_closed', message: path });
const all = ['lines.0', 'lines.1.options', 'requested_for', 'tip'].map(problem);

test.each([
  ['a chosen time that is gone has its error', false, ['requested_for', 'tip']],
  ['as soon as possible, of which the shop has said no meanwhile, is asked about by the shop', true, ['tip']],
])('%s, and lines have questions of their own', (_, isSoonWanted, paths) => {
  expect(fieldProblemsOf(all, isSoonWanted).map(({ path }) => path)).toEqual(paths);
});

test.each([
  ['a higher price is asked about', 500, true, ['Soup']],
  ['a lower price is taken as it is', 400, true, []],
  ['the same price is no question', 450, true, []],
  ['a dish that is sold out is asked about, whatever it costs', 400, false, ['Soup']],
])('%s', (_, price, isAvailable, dishes) => {
  const store = aStore();
  const line = { key: 'k', item_id: 'soup', name: 'Soup', quantity: 1, note: '', options: [], seen_price: 450 };
  const held = {
    session: 'x',
    store_id: store.id,
    fulfilment_type: 'collection' as const,
    postcode: '',
    lines: [line],
  };
  const menu = aMenu([anItem('soup', { name: 'Soup', price, is_available: isAvailable })]);
  const view = createBasketView(store, [menu], held, new Date('2026-11-21T19:00:00Z'));
  expect(dishesWithQuestions(view, questionsByLine(view, view.quote?.problems ?? []))).toEqual(dishes);
});
