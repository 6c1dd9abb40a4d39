import { expect, test } from 'vitest';
import { indexMenus } from '#menu/menu-index.ts';
import { normaliseSelections } from '#menu/option-rules.ts';
import { linesWithConflicts } from '#ordering/web/menu/avoided-allergens.ts';
import { aGroup, aMenu, anItem, anOption } from '#ordering/testing/samples.ts';

const sauces = aGroup('sauces', [
  anOption('satay', { allergens: { contains: ['peanuts'], may_contain: [] } }),
  anOption('secret', { allergens: null }),
  anOption('plain'),
]);
const index = indexMenus([aMenu([anItem('chips', { name: 'Chips', option_groups: [sauces] })])]);

/** A line of the basket as the page sees it; null: its dish is no longer on the menu. */
function line(key: string, option: string | null) {
  const found = index.items.get('chips');
  const options = option === null ? [] : [{ option_group_id: 'sauces', option_id: option, quantity: 1 }];
  const held = { key, item_id: 'chips', name: 'Old chips', quantity: 1, note: '', options, seen_price: 0 };
  if (!found) throw new Error('no chips');
  const { selected } = normaliseSelections(found, options);
  return { line: held, now: { name: 'Chips', unit_price: 0, selected, allergens: found.item.allergens } };
}

test('a line is concerned by what is chosen with it, and not by what could be', () => {
  const lines = [line('a', 'satay'), line('b', 'plain'), line('c', 'secret'), line('d', null)];
  expect(linesWithConflicts(lines, ['peanuts'])).toEqual([
    { key: 'a', name: 'Chips', conflicts: [{ code: 'peanuts', kind: 'contains' }] },
    { key: 'c', name: 'Chips', conflicts: [{ code: 'peanuts', kind: 'not_stated' }] },
  ]);
  expect(linesWithConflicts(lines, [])).toEqual([]);
});

test('a line whose dish is gone is not asked about: it cannot be ordered', () => {
  expect(linesWithConflicts([{ ...line('a', 'satay'), now: null }], ['peanuts'])).toEqual([]);
});
