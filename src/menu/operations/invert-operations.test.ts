import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { MenuParts } from '#menu/fields.ts';
import { applyOperations } from '#menu/operations/apply-operation.ts';
import {
  makeChangeOperation,
  makeGuardedChangeOperation,
  makeCreateOperation,
  makeLinkOperation,
  type MenuOperation,
  makeRemoveOperation,
  makeReorderOperation,
  makeReorderCategoriesOperation,
  makeUnlinkOperation,
} from '#menu/operations/menu-operation.ts';
import { sampleParts } from '#menu/testing/sample-parts.ts';
import { invertOperations } from '#menu/operations/invert-operations.ts';

const parts = sampleParts();
const [starters, mains] = parts.categories;
const [soup, pizza] = parts.items;
const [size, topping] = parts.option_groups;
const [small, large, olives] = parts.options;
if (!starters || !mains || !soup || !pizza || !size || !topping || !small || !large || !olives)
  throw new Error('the sample is complete');

/** Every operation but a removal, because only the server can show its undo. */
const operations: MenuOperation[] = [
  makeCreateOperation('item', { id: 'new', name: 'New', price: 100 }),
  makeCreateOperation('category', { id: 'newest', name: 'Newest', menu_id: 'm1' }),
  makeGuardedChangeOperation('item', pizza, { price: 1000, name: 'Pizza!' }),
  makeGuardedChangeOperation('menu', parts.menus[0] ?? fail(), { is_active: false }),
  makeGuardedChangeOperation('group', size, { options: [{ id: large.id, price_override: 500 }] }),
  makeGuardedChangeOperation('item', pizza, { option_groups: [{ id: topping.id, shown_when_option_id: large.id }] }),
  makeGuardedChangeOperation('category', starters, { menu_id: 'm2' }),
  makeReorderCategoriesOperation([mains.id, starters.id]),
  makeReorderOperation('category', mains.id, [pizza.id, soup.id]),
  makeReorderOperation('item', pizza.id, [topping.id, size.id]),
  makeReorderOperation('group', size.id, [large.id, small.id]),
  makeLinkOperation('category', starters.id, [pizza.id, soup.id]),
  makeUnlinkOperation('category', mains.id, [pizza.id]),
  makeLinkOperation('item', soup.id, [size.id]),
  makeUnlinkOperation('item', pizza.id, [size.id]),
  makeUnlinkOperation('group', size.id, [small.id, large.id]),
  makeLinkOperation('group', topping.id, [small.id]),
];

test('undo restores the original menu after any sequence of changes', () => {
  fc.assert(
    fc.property(fc.subarray(operations), (some) => {
      const made = some.filter((operation, index) => fitsAfter(some.slice(0, index), operation));
      const undone = applyOperations(applyOperations(parts, made), invertOperations(parts, made));
      expect(undone).toEqual(parts);
    }),
  );
});

test('a removal is undone by a restore, and a creation by a removal', () => {
  expect(invertOperations(parts, [makeRemoveOperation('option', olives.id)])).toEqual([
    { kind: 'restore', part: 'option', id: olives.id },
  ]);
  expect(invertOperations(parts, [makeCreateOperation('menu', { id: 'x', name: 'X' })])).toEqual([
    { kind: 'remove', part: 'menu', id: 'x' },
  ]);
});

test('the undo of an edit is guarded by the values that the edit set', () => {
  const [back] = invertOperations(parts, [makeGuardedChangeOperation('item', pizza, { price: 1200 })]);
  expect(back).toEqual(makeChangeOperation('item', pizza.id, { price: pizza.price }, { price: 1200 }));
});

test('a group whose condition was removed with another group always shows', () => {
  const conditional = applyOperations(parts, [
    makeGuardedChangeOperation('item', pizza, { option_groups: [{ id: topping.id, shown_when_option_id: large.id }] }),
  ]);
  const shown = (after: MenuParts) => after.items.find(({ id }) => id === pizza.id)?.option_groups.at(-1);
  expect(shown(conditional)?.shown_when_option_id).toBe(large.id);
  for (const operation of [
    makeUnlinkOperation('item', pizza.id, [size.id]),
    makeRemoveOperation('group', size.id),
    makeRemoveOperation('option', large.id),
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
    makeGuardedChangeOperation('item', pizza, { is_available: false, unavailable_until: until }),
  ]);
  const back = makeChangeOperation('item', pizza.id, { is_available: true });
  const onSale = applyOperations(soldOut, [back]);
  expect(onSale.items.find(({ id }) => id === pizza.id)).toMatchObject({ is_available: true, unavailable_until: null });
  expect(applyOperations(onSale, invertOperations(soldOut, [back]))).toEqual(soldOut);
});
