import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  changeView,
  knownFilterValue,
  type ListView,
  nextSortOrder,
  readListView,
  visibleRowsOf,
  filtersWith,
  listViewToQuery,
} from '#ui/list-view.ts';

const plain: ListView = { search: '', sort: '', page: 1, filters: {} };
const rules = { textOf: (name: string) => name, sorts: { name: (a: string, b: string) => a.localeCompare(b) } };

test.each([
  ['fish and chips', ['Fish & chips']],
  ['FISH + chips', ['Fish & chips']],
  ['\u200beclair', ['Éclair']],
  ['and', ['Sand eel']],
  ['&', ['Fish & chips']],
])('%j finds %j', (search, found) => {
  const { rows } = visibleRowsOf(['Fish & chips', 'Éclair', 'Sand eel'], { ...plain, search }, rules);
  expect(rows).toEqual(found);
});

test('a view survives the address', () => {
  const name = fc.constantFrom('status', 'from', 'role');
  const view = fc.record({
    search: fc.string(),
    sort: fc.string(),
    page: fc.integer({ min: 1, max: 999 }),
    filters: fc.dictionary(name, fc.string({ minLength: 1 }), { noNullPrototype: true }),
  });
  fc.assert(
    fc.property(view, (each) => {
      expect(readListView(listViewToQuery(each))).toEqual(each);
    }),
  );
});

test.each(['?page=0', '?page=-3', '?page=1.5', '?page=x', ''])('%s is the first page', (query) => {
  expect(readListView(query)).toEqual(plain);
});

test('another search begins at the first page', () => {
  expect(changeView({ ...plain, page: 4 }, { search: 'soup' })).toEqual({ ...plain, search: 'soup' });
});

test('a column sorts upwards, downwards, and then not at all', () => {
  expect(['', 'name', '-name'].map((sort) => nextSortOrder(sort, 'name'))).toEqual(['name', '-name', '']);
});

test('a search takes words in any order, whatever their case and accents', () => {
  const { rows, total } = visibleRowsOf(
    ['Jalapeño burger', 'Burger', 'Cola'],
    { ...plain, search: 'burger jalap' },
    rules,
  );
  expect([rows, total]).toEqual([['Jalapeño burger'], 1]);
});

test('rows are sorted both ways, and the given ones stay as they are', () => {
  const all = ['b', 'a', 'c'];
  expect(visibleRowsOf(all, { ...plain, sort: '-name' }, rules).rows).toEqual(['c', 'b', 'a']);
  expect(all).toEqual(['b', 'a', 'c']);
});

test('a page beyond the end is the last one', () => {
  const all = Array.from({ length: 7 }, (_, index) => String(index));
  const shown = visibleRowsOf(all, { ...plain, page: 9 }, { ...rules, perPage: 3 });
  expect(shown).toEqual({ rows: ['6'], total: 7, pages: 3, page: 3 });
});

test('a filter is set beside the others, and taken away by nothing', () => {
  const view = { ...plain, filters: { status: 'paid', from: '2026-11-01' } };
  expect(filtersWith(view, 'status', 'failed')).toEqual({ status: 'failed', from: '2026-11-01' });
  expect(filtersWith(view, 'status', '')).toEqual({ from: '2026-11-01' });
});

test.each(['', 'bribed', 'toString'])('a filter that says %j, which nobody offers, is not set', (status) => {
  const view = { ...plain, filters: { status } };
  expect(knownFilterValue(view, 'status', { paid: 'Paid' })).toBeUndefined();
});

test('a filter that is offered is set', () => {
  expect(knownFilterValue({ ...plain, filters: { status: 'paid' } }, 'status', { paid: 'Paid' })).toBe('paid');
});
