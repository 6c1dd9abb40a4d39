import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { MenuParts } from '#menu/fields.ts';
import { applyOperations } from '#menu/operations/apply-operation.ts';
import {
  changeOperation,
  guardedChangeOperation,
  createOperation,
  linkOperation,
  type MenuOperation,
  removeOperation,
  reorderOperation,
  reorderCategoriesOperation,
  unlinkOperation,
} from '#menu/operations/menu-operation.ts';
import { sampleParts } from '#menu/testing/sample-parts.ts';
import { undoOperations } from '#menu/operations/invert-operations.ts';

const parts = sampleParts();
const [starters, mains] = parts.categories;
const [soup, pizza] = parts.items;
const [size, topping] = parts.option_groups;
const [small, large, olives] = parts.options;
if (!starters || !mains || !soup || !pizza || !size || !topping || !small || !large || !olives)
  throw new Error('the sample is complete');

/** Every operation but a removal, because only the server can show its undo. */
const operations: MenuOperation[] = [
  createOperation('item', { id: 'new', name: 'New', price: 100 }),
  createOperation('category', { id: 'newest', name: 'Newest', menu_id: 'm1' }),
  guardedChangeOperation('item', pizza, { price: 1000, name: 'Pizza!' }),
  guardedChangeOperation('menu', parts.menus[0] ?? fail(), { is_active: false }),
  guardedChangeOperation('group', size, { options: [{ id: large.id, price_override: 500 }] }),
  guardedChangeOperation('item', pizza, { option_groups: [{ id: topping.id, shown_when_option_id: large.id }] }),
  guardedChangeOperation('category', starters, { menu_id: 'm2' }),
  reorderCategoriesOperation([mains.id, starters.id]),
  reorderOperation('category', mains.id, [pizza.id, soup.id]),
  reorderOperation('item', pizza.id, [topping.id, size.id]),
  reorderOperation('group', size.id, [large.id, small.id]),
  linkOperation('category', starters.id, [pizza.id, soup.id]),
  unlinkOperation('category', mains.id, [pizza.id]),
  linkOperation('item', soup.id, [size.id]),
  unlinkOperation('item', pizza.id, [size.id]),
  unlinkOperation('group', size.id, [small.id, large.id]),
  linkOperation('group', topping.id, [small.id]),
];

test('undo restores the original menu after any sequence of changes', () => {
  fc.assert(
    fc.property(fc.subarray(operations), (some) => {
      const made = some.filter((operation, index) => fitsAfter(some.slice(0, index), operation));
      const undone = applyOperations(applyOperations(parts, made), undoOperations(parts, made));
      expect(undone).toEqual(parts);
    }),
  );
});

test('a removal is undone by a restore, and a creation by a removal', () => {
  expect(undoOperations(parts, [removeOperation('option', olives.id)])).toEqual([
    { kind: 'restore', part: 'option', id: olives.id },
  ]);
  expect(undoOperations(parts, [createOperation('menu', { id: 'x', name: 'X' })])).toEqual([
    { kind: 'remove', part: 'menu', id: 'x' },
  ]);
});

test('the undo of an edit is guarded by the values that the edit set', () => {
  const [back] = undoOperations(parts, [guardedChangeOperation('item', pizza, { price: 1200 })]);
  expect(back).toEqual(changeOperation('item', pizza.id, { price: pizza.price }, { price: 1200 }));
});

test('a group whose condition was removed with another group always shows', () => {
  const conditional = applyOperations(parts, [
    guardedChangeOperation('item', pizza, { option_groups: [{ id: topping.id, shown_when_option_id: large.id }] }),
  ]);
  const shown = (after: MenuParts) => after.items.find(({ id }) => id === pizza.id)?.option_groups.at(-1);
  expect(shown(conditional)?.shown_when_option_id).toBe(large.id);
  for (const operation of [
    unlinkOperation('item', pizza.id, [size.id]),
    removeOperation('group', size.id),
    removeOperation('option', large.id),
  ])
    expect(shown(applyOperations(conditional, [operation]))?.shown_when_option_id).toBe(null);
});

/** A reorder names every sibling, so it is valid only if nothing was linked or removed before. */
function fitsAfter(before: readonly MenuOperation[], { kind }: MenuOperation): boolean {
  if (kind !== 'reorder') return true;
  return before.every((one) => one.kind === 'reorder' || (one.kind === 'change' && one.part === 'item'));
}

function fail(): never {
  throw new Error('the sample has a menu');
}

test('undoing a change that made a part available makes it sold out until the same time', () => {
  const until = '2026-11-25T05:00:00.000Z';
  const soldOut = applyOperations(parts, [
    guardedChangeOperation('item', pizza, { is_available: false, unavailable_until: until }),
  ]);
  const back = changeOperation('item', pizza.id, { is_available: true });
  const onSale = applyOperations(soldOut, [back]);
  expect(onSale.items.find(({ id }) => id === pizza.id)).toMatchObject({ is_available: true, unavailable_until: null });
  expect(applyOperations(onSale, undoOperations(soldOut, [back]))).toEqual(soldOut);
});
