import { expect, test } from 'vitest';
import { linkedChildIds, indexParts, makeLinkOperation, makeUnlinkOperation } from '#menu/operations/menu-operation.ts';
import { sampleParts } from '#menu/testing/sample-parts.ts';
import { type PartMove, makeMoveOperations, parentKinds, buildTreeRows } from '#menu/web/editor/tree/tree-rows.ts';
import { applyOperations } from '#menu/operations/apply-operation.ts';

const parts = sampleParts();
const index = indexParts(parts);
const show = (expanded: string[], search = '') =>
  buildTreeRows(parts, index, new Set(expanded), search).map(
    ({ level, part, isExpanded }) => `${'.'.repeat(level - 1)}${part.name}${isExpanded ? ' ▾' : ''}`,
  );

test('only expanded lines show their children', () => {
  expect(show([])).toEqual(['All day', 'Lunch']);
  expect(show(['m1', 'm1/mains', 'm1/mains/pizza'])).toEqual([
    'All day ▾',
    '.Starters',
    '.Mains ▾',
    '..Soup',
    '..Pizza ▾',
    '...Size',
    '...Toppings',
    'Lunch',
  ]);
});

test('a line without children is never expanded', () => {
  expect(show(['m2'])).toEqual(['All day', 'Lunch']);
});

test('a line knows its place among its siblings', () => {
  const rows = buildTreeRows(parts, index, new Set(['m1', 'm1/mains']));
  const pizza = rows.find(({ id }) => id === 'pizza');
  expect(pizza).toMatchObject({ parentKey: 'm1/mains', level: 3, place: 2, siblings: 2, children: 2 });
});

test('a search shows its results with their parents, whatever is expanded', () => {
  expect(show([], 'olive')).toEqual(['All day ▾', '.Mains ▾', '..Pizza ▾', '...Toppings ▾', '....Olives']);
  expect(show([], 'PIZZÀ')).toEqual(['All day ▾', '.Mains ▾', '..Pizza']);
  expect(show([], 'nothing like it')).toEqual([]);
});

test('a result of a search can be expanded', () => {
  expect(show(['m1/mains/pizza'], 'pizza')).toEqual(['All day ▾', '.Mains ▾', '..Pizza ▾', '...Size', '...Toppings']);
});

test('a dish comes before the options with that name in earlier dishes', () => {
  const options = parts.options.map((option) => (option.id === 'olives' ? { ...option, name: 'Zander' } : option));
  const items = parts.items.map((item) => (item.id === 'soup' ? { ...item, name: 'Zander soup' } : item));
  const categories = parts.categories.map((one) => ({ ...one, item_ids: one.item_ids.toReversed() }));
  const named = { ...parts, options, items, categories };
  const rows = buildTreeRows(named, indexParts(named), new Set(), 'zander').map(({ part }) => part.name);
  expect(rows).toEqual(['All day', 'Mains', 'Zander soup', 'Pizza', 'Toppings', 'Zander']);
});

const after = (move: PartMove) => {
  const changed = applyOperations(parts, makeMoveOperations(parts, move));
  const list = (id: string) => linkedChildIds(changed, parentKinds[move.kind], id).join(' ');
  return move.from === move.to ? list(move.to) : [list(move.from), list(move.to)];
};

test.each<[PartMove, string | string[]]>([
  [{ kind: 'item', id: 'pizza', from: 'mains', to: 'mains', at: 0 }, 'pizza soup'],
  [{ kind: 'item', id: 'pizza', from: 'mains', to: 'starters', at: 0 }, ['soup', 'pizza']],
  [{ kind: 'category', id: 'mains', from: 'm1', to: 'm1', at: 0 }, 'mains starters'],
  [{ kind: 'category', id: 'mains', from: 'm1', to: 'm2', at: 0 }, ['starters', 'mains']],
  [{ kind: 'group', id: 'size', from: 'pizza', to: 'pizza', at: 1 }, 'topping size'],
  [{ kind: 'group', id: 'size', from: 'pizza', to: 'soup', at: 0 }, ['topping', 'size']],
  [{ kind: 'option', id: 'large', from: 'size', to: 'topping', at: 0 }, ['small', 'large olives']],
  [{ kind: 'option', id: 'large', from: 'size', to: 'topping', at: 1 }, ['small', 'olives large']],
])('%o', (move, wanted) => {
  expect(after(move)).toEqual(wanted);
});

test('a thing that is dropped at its own place does not move', () => {
  expect(makeMoveOperations(parts, { kind: 'item', id: 'pizza', from: 'mains', to: 'mains', at: 1 })).toEqual([]);
});

test('an item that is already in the other category is only removed from the first', () => {
  const both = applyOperations(parts, [makeLinkOperation('category', 'starters', ['pizza'])]);
  const moves = makeMoveOperations(both, { kind: 'item', id: 'pizza', from: 'mains', to: 'starters', at: 0 });
  expect(moves).toEqual([makeUnlinkOperation('category', 'mains', ['pizza'])]);
});
