import type { OrderStatus } from '#ordering/order.ts';

/** Trading days; empty: any. */
interface Days {
  from: string;
  to: string;
}

export interface HistoryFilter extends Days {
  search: string;
  status: OrderStatus | '';
  page: number;
  /** The days that come back when the search ends; null: they were chosen for the search. */
  before: Days | null;
}

export function startFilter(today: string): HistoryFilter {
  return { search: '', from: today, to: today, status: '', page: 1, before: null };
}

/** Somebody who types a name wants it on any day, and chooses a day only after it. */
export function changeFilter(filter: HistoryFilter, part: Partial<Omit<HistoryFilter, 'before'>>): HistoryFilter {
  const next = { ...filter, page: 1, ...part };
  if (part.from !== undefined || part.to !== undefined) return { ...next, before: null };
  if (part.search === undefined || isSameText(filter.search, part.search)) return next;
  const { from, to } = filter;
  if (part.search.trim() === '') return { ...next, ...filter.before, before: null };
  return { ...next, from: '', to: '', before: filter.before ?? { from, to } };
}

/** Whether one is the other while it is being typed. */
function isSameText(before: string, after: string): boolean {
  const [a, b] = [before.trim(), after.trim()];
  return a === b || (a !== '' && b !== '' && (a.startsWith(b) || b.startsWith(a)));
}

interface Counted {
  total: number;
  total_is_exact: boolean;
}

/** How many orders a filter leaves out: of more than are counted, at least so many. */
export function hiddenOf(shown: Counted, all: Counted): { count: number; isExact: boolean } {
  return { count: Math.max(0, all.total - shown.total), isExact: all.total_is_exact && shown.total_is_exact };
}

/** Whether something besides the search decides which orders are shown. */
export function hidesOrders({ from, to, status }: HistoryFilter): boolean {
  return from !== '' || to !== '' || status !== '';
}
