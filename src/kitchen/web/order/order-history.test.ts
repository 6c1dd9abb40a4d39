import { expect, test } from 'vitest';
import {
  changeHistoryFilter,
  countHiddenOrders,
  hasDayOrStatusFilter,
  type HistoryFilter,
  initialHistoryFilter,
} from '#kitchen/web/order/order-history.tsx';

const today = '2026-11-21';
const day = '2026-11-14';
const after = (...steps: Parameters<typeof changeHistoryFilter>[1][]): HistoryFilter =>
  steps.reduce<HistoryFilter>(changeHistoryFilter, initialHistoryFilter(today));
const daysOf = ({ from, to }: HistoryFilter) => [from, to];

test.each<[string, Parameters<typeof changeHistoryFilter>[1][], [string, string]]>([
  ['nothing typed', [], [today, today]],
  ['a name', [{ search: 'A' }, { search: 'Ad' }], ['', '']],
  ['a day, then a name', [{ from: day }, { to: day }, { search: 'Ada' }], ['', '']],
  ['a name, then a day', [{ search: 'Ada' }, { from: day }, { to: day }], [day, day]],
  ['a name typed on after a day', [{ search: 'Ad' }, { from: day }, { search: 'Ada' }], [day, '']],
  ['another name after the day of the first', [{ search: 'Ada' }, { from: day }, { search: 'Bo' }], ['', '']],
  ['a name that was removed again', [{ search: 'Ada' }, { search: 'Bo' }, { search: '' }], [today, today]],
  ['a name that was removed after a day', [{ search: 'Ada' }, { from: day }, { search: ' ' }], [day, '']],
  ['blanks', [{ search: '  ' }], [today, today]],
  ['all shown', [{ search: 'Ada' }, { search: '', from: '', to: '', status: '' }], ['', '']],
  ['a status', [{ search: 'Ada' }, { status: 'rejected' }], ['', '']],
])('after %s', (_name, steps, days) => {
  expect(daysOf(after(...steps))).toEqual(days);
});

test('a change leads to the first page, and a page stays in its list', () => {
  expect(after({ page: 3 }).page).toBe(3);
  expect(after({ page: 3 }, { search: 'Ada' }).page).toBe(1);
});

test('days and statuses hide orders, a name does not', () => {
  expect(
    [after(), after({ search: 'Ada' }), after({ search: 'Ada' }, { status: 'rejected' })].map(hasDayOrStatusFilter),
  ).toEqual([true, false, true]);
});

test('the orders that a filter leaves out are those that match without it', () => {
  const exactly = (total: number) => ({ total, total_is_exact: true });
  expect(countHiddenOrders(exactly(2), exactly(5))).toEqual({ count: 3, isExact: true });
  expect(countHiddenOrders(exactly(0), { total: 10_000, total_is_exact: false })).toEqual({
    count: 10_000,
    isExact: false,
  });
  // One that was placed between the two answers.
  expect(countHiddenOrders(exactly(5), exactly(4)).count).toBe(0);
});
