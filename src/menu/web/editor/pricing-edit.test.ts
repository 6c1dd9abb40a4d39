import { expect, test } from 'vitest';
import { applyOperations } from '#menu/operations/apply-operation.ts';
import {
  makeChangeOperation,
  makeCreateOperation,
  indexParts,
  makeLinkOperation,
  type MenuOperation,
} from '#menu/operations/menu-operation.ts';
import { priceGroupLinksOf, findPriceGroupLinkProblem } from '#menu/price-group.ts';
import { startingPriceWords } from '#menu/starting-price.ts';
import { asPrice, sampleParts } from '#menu/testing/sample-parts.ts';
import { planCopy, planSharedGroupReplacement } from '#menu/web/editor/copies.ts';
import { listedDishPrice, itemWithChoices } from '#menu/web/editor/pricing-edit.tsx';

const sized = makeChangeOperation('group', 'size', asPrice);

/** The pizza, £9.50, has a size: small £0.00, large £3.00. */
function pizzaWith(...operations: MenuOperation[]) {
  const parts = applyOperations(sampleParts(), operations);
  const index = indexParts(parts);
  const item = index.items.get('pizza');
  if (!item) throw new Error('The sample has a pizza.');
  return { parts, index, item };
}

test('what customers see follows each change of the menu', () => {
  const seen = (...operations: MenuOperation[]) => {
    const { index, item } = pizzaWith(...operations);
    return startingPriceWords(itemWithChoices(index, item), 'GBP');
  };
  expect(seen()).toBe('from £9.50');
  const prices = [
    { id: 'small', price_override: 700 },
    { id: 'large', price_override: 1000 },
  ];
  expect(seen(makeChangeOperation('group', 'size', { options: prices }))).toBe('from £16.50');
  expect(seen(makeChangeOperation('group', 'size', { options: prices }), sized)).toBe('from £7.00');
  expect(seen(sized, makeChangeOperation('option', 'small', { price: 1200 }))).toBe('from £3.00');
  const typed = [
    makeCreateOperation('option', { id: 'tiny', name: '', price: 200 }),
    makeLinkOperation('group', 'size', ['tiny']),
  ];
  expect(seen(makeChangeOperation('group', 'size', { options: prices }), sized, ...typed)).toBe('from £2.00');
});

test('a list names the own price of a dish, and of one with sizes from which price they begin', () => {
  const own = pizzaWith();
  expect(listedDishPrice(own.index, own.item, 'GBP')).toEqual({ price: 950, words: '£9.50' });
  const priced = pizzaWith(sized, makeChangeOperation('option', 'small', { price: 700 }));
  expect(listedDishPrice(priced.index, priced.item, 'GBP')).toEqual({ price: 300, words: 'from £3.00' });
});

test('no copy gives a dish a second group whose choices are its price, not even between two changes', () => {
  const menu = pizzaWith(sized);
  const size = menu.index.groups.get('size');
  if (!size) throw new Error('The sample has sizes.');
  const copies = [
    planCopy(menu, 'group', 'size', 'pizza', (name) => name),
    planSharedGroupReplacement(menu, menu.item, size, 'Size'),
  ];
  for (const copy of copies) {
    let parts = menu.parts;
    for (const operation of copy?.operations ?? []) {
      parts = applyOperations(parts, [operation]);
      expect(findPriceGroupLinkProblem(priceGroupLinksOf(parts))).toBe(null);
    }
    expect(parts.option_groups.find(({ id }) => id === copy?.id)).toMatchObject({ name: 'Size', pricing: 'is_price' });
  }
});
