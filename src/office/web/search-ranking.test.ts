import { expect, test } from 'vitest';
import { keysOf } from '#platform/keys-of.ts';
import { navigationGroups } from '#office/web/navigation.ts';
import { orderNumberOf, pageSynonyms, searchRank, sectionSynonyms } from '#office/web/search-ranking.ts';
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

test('an order is found by its number, as people type it', () => {
  const typed = [
    '7',
    '#12',
    'order 1',
    'Order #2',
    'order no 3',
    'order number 4',
    'order',
    'table 5',
    'borders 6',
    '7up',
  ];
  expect(typed.map(orderNumberOf)).toEqual(['7', '12', '1', '2', '3', '4', null, null, null, null]);
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
  ['new dish', '/admin/menuEditor'],
  ['stop delivery', 'now'],
  ['turn off delivery', 'now'],
  ['delivery off', 'now'],
  ['close at 21', 'now'],
  ['card machine', '/store/orders'],
  ['website address', '/admin/set-up'],
  ['domain', '/admin/set-up'],
  ['vegan', '/admin/menuEditor'],
  ['dietary', '/admin/menuEditor'],
  ['tips', '/admin/reports'],
  ['sound', '/store/orders'],
  ['undo', '/admin/audit'],
  ['wifi', '/admin/devices'],
  ['rota', '/admin/staff'],
])('an owner who looks for “%s” finds it', (typed, id) => {
  expect(find(typed)).toContain(id);
});
