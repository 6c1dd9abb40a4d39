import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { MenuParts } from '#menu/endpoints-editing.ts';
import { applyChanges } from '#menu/web/editor/apply-change.ts';
import {
  type Change,
  create,
  link,
  patch,
  remove,
  reorder,
  reorderCategories,
  unlink,
} from '#menu/web/editor/menu-change.ts';
import { sampleParts } from '#menu/web/editor/sample-parts.ts';
import { undoOf } from '#menu/web/editor/undo-changes.ts';

const parts = sampleParts();
const [starters, mains] = parts.categories;
const [soup, pizza] = parts.items;
const [size, topping] = parts.option_groups;
const [small, large, olives] = parts.options;
if (!starters || !mains || !soup || !pizza || !size || !topping || !small || !large || !olives)
  throw new Error('the sample is complete');

/** Everything but a deletion, whose undo only the server can show. */
const changes: Change[] = [
  create('item', { id: 'new', name: 'New', price: 100 }),
  create('category', { id: 'newest', name: 'Newest', menu_id: 'm1' }),
  patch('item', pizza, { price: 1000, name: 'Pizza!' }),
  patch('menu', parts.menus[0] ?? fail(), { is_active: false }),
  patch('group', size, { options: [{ id: large.id, price_override: 500 }] }),
  patch('item', pizza, { option_groups: [{ id: topping.id, shown_when_option_id: large.id }] }),
  patch('category', starters, { menu_id: 'm2' }),
  reorderCategories([mains.id, starters.id]),
  reorder('category', mains.id, [pizza.id, soup.id]),
  reorder('item', pizza.id, [topping.id, size.id]),
  reorder('group', size.id, [large.id, small.id]),
  link('category', starters.id, [pizza.id, soup.id]),
  unlink('category', mains.id, [pizza.id]),
  link('item', soup.id, [size.id]),
  unlink('item', pizza.id, [size.id]),
  unlink('group', size.id, [small.id, large.id]),
  link('group', topping.id, [small.id]),
];

test('whatever was changed, one after another, undoing leads back to the menu as it was', () => {
  fc.assert(
    fc.property(fc.subarray(changes), (some) => {
      const made = some.filter((change, index) => fitsAfter(some.slice(0, index), change));
      const undone = applyChanges(applyChanges(parts, made), undoOf(parts, made));
      expect(undone).toEqual(parts);
    }),
    { numRuns: 500 },
  );
});

test('a deletion is undone by bringing the thing back, and a creation by deleting it', () => {
  expect(undoOf(parts, [remove('option', olives.id)])).toEqual([
    { call: 'POST /v1/options/{id}/restore', id: olives.id, body: {} },
  ]);
  expect(undoOf(parts, [create('menu', { id: 'x', name: 'X' })])).toEqual([
    { call: 'DELETE /v1/menus/{id}', id: 'x', body: {} },
  ]);
});

test('undoing an edit is guarded by what the edit said', () => {
  const [back] = undoOf(parts, [patch('item', pizza, { price: 1200 })]);
  expect(back?.body).toEqual({ price: pizza.price, was: { price: 1200 } });
});

test('a group whose condition went away with another group shows always', () => {
  const conditional = applyChanges(parts, [
    patch('item', pizza, { option_groups: [{ id: topping.id, shown_when_option_id: large.id }] }),
  ]);
  const shown = (after: MenuParts) => after.items.find(({ id }) => id === pizza.id)?.option_groups.at(-1);
  expect(shown(conditional)?.shown_when_option_id).toBe(large.id);
  for (const change of [unlink('item', pizza.id, [size.id]), remove('group', size.id), remove('option', large.id)])
    expect(shown(applyChanges(conditional, [change]))?.shown_when_option_id).toBe(null);
});

/** A reorder names every sibling, so it fits only where nothing was linked or taken out before. */
function fitsAfter(before: readonly Change[], { call }: Change): boolean {
  if (!call.endsWith('reorder')) return true;
  return before.every((one) => one.call.startsWith('PATCH /v1/items') || one.call.endsWith('reorder'));
}

function fail(): never {
  throw new Error('the sample has a menu');
}
