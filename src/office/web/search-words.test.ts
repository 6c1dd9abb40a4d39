import { expect, test } from 'vitest';
import { keysOf } from '#platform/keys-of.ts';
import { navigationGroups } from '#office/web/navigation.ts';
import { pageSynonyms, searchRank, sectionSynonyms } from '#office/web/search-words.ts';
import { sectionLabels } from '#store/web/manage/settings-section.tsx';

test('a result ranks before another one that answers the search less well', () => {
  const inOrder = (typed: string, ...names: string[]) => names.map((name) => searchRank(typed, name));
  const cod = inOrder('cod', 'Cod', 'Cod and chips', 'Battered cod', 'QR code', 'Broccodo');
  expect(cod).toEqual([0, 1, 2, 3, 5]);
  expect(searchRank('cod', 'Haddock')).toBeNull();
  expect(searchRank('fish chips', 'Chips and fish')).toBe(2);
  expect(searchRank('pay', 'Money', 'payments')).toBe(4);
  expect(searchRank('ayments', 'Money', 'payments')).toBeNull();
});

const labels = navigationGroups().flatMap(({ links }) => links);
/** The best pages and sections of a search. */
function find(typed: string): string[] {
  const pages = keysOf(pageSynonyms).map((path) => ({
    id: path as string,
    rank: searchRank(typed, labels.find((link) => link.path === path)?.label ?? '', pageSynonyms[path]?.()),
  }));
  const sections = keysOf(sectionLabels).map((section) => ({
    id: section as string,
    rank: searchRank(typed, sectionLabels[section](), sectionSynonyms[section]()),
  }));
  return [...pages, ...sections].filter(({ rank }) => rank !== null).map(({ id }) => id);
}

test.each([
  ['set up', '/admin/set-up'],
  ['go live', '/admin/set-up'],
  ['minimum', 'zones'],
  ['delivery fee', 'zones'],
  ['christmas', 'closures'],
  ['bank holiday', 'closures'],
  ['password', '/kitchen/my-sign-in'],
  ['opening times', 'hours'],
  ['printer', '/admin/printers'],
  ['vat', 'receipts'],
  ['refund', '/admin/payments'],
  ['stripe', '/admin/payments/setup'],
  ['voucher', '/admin/offers'],
  ['takings', '/admin/reports'],
  ['logo', 'look'],
  ['gdpr', 'kept'],
  ['close early', 'now'],
  ['tablet', '/admin/devices'],
  ['toppings', '/admin/option-groups'],
])('an owner who looks for “%s” finds it', (typed, id) => {
  expect(find(typed)).toContain(id);
});
