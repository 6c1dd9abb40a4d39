import { createSearchMatcher } from '#platform/fold-text.ts';

/** The view of a list, as it is written to the URL, so that reloads, Back and shared links restore it. */
export interface ListView {
  search: string;
  /** The key of the column to sort by, with a leading `-` for descending; empty: the list's own order. */
  sort: string;
  /** The page number, from 1. */
  page: number;
  /** The values of the page's own filters by name; unset filters are left out. */
  filters: Record<string, string>;
}

const own = new Set(['search', 'sort', 'page']);

export function readListView(query: string): ListView {
  const params = new URLSearchParams(query);
  const page = Number(params.get('page'));
  return {
    search: params.get('search') ?? '',
    sort: params.get('sort') ?? '',
    page: Number.isInteger(page) && page > 1 ? page : 1,
    filters: Object.fromEntries([...params].filter(([name, value]) => !own.has(name) && value !== '')),
  };
}

/** The query string of a view, with `?` unless it is empty; default values are left out. */
export function listViewToQuery(view: ListView): string {
  const params = new URLSearchParams(view.filters);
  if (view.search) params.set('search', view.search);
  if (view.sort) params.set('sort', view.sort);
  if (view.page > 1) params.set('page', String(view.page));
  const query = params.toString();
  return query === '' ? '' : `?${query}`;
}

export function changeView(view: ListView, change: Partial<ListView>): ListView {
  return { ...view, page: 1, ...change };
}

export function filtersWith(view: ListView, name: string, value: string): Record<string, string> {
  const { [name]: _was, ...rest } = view.filters;
  return value === '' ? rest : { ...rest, [name]: value };
}

/** A filter's value if it is a key of `known`; undefined for any other text. */
export function knownFilterValue<T extends string>(
  view: ListView,
  name: string,
  known: Record<T, unknown>,
): T | undefined {
  const value = view.filters[name];
  return value !== undefined && isKeyOf(known, value) ? value : undefined;
}

function isKeyOf<T extends string>(known: Record<T, unknown>, key: string): key is T {
  return Object.hasOwn(known, key);
}

/** The sort order after a click on a column heading: ascending, then descending, then none. */
export function nextSortOrder(current: string, key: string): string {
  if (current === key) return `-${key}`;
  return current === `-${key}` ? '' : key;
}

export interface VisibleRows<T> {
  rows: T[];
  total: number;
  pages: number;
  /** The number of the shown page: the last page if the list is too short for the requested one. */
  page: number;
}

/** Searches, sorts and paginates rows in the browser. */
export function visibleRowsOf<T>(
  all: readonly T[],
  view: ListView,
  rules: {
    textOf: (row: T) => string;
    /**
     * Creates the predicate for a search, which tests a row's text; by default the text must contain each word, in any
     * order and without accents.
     */
    finder?: (search: string) => (text: string) => boolean;
    sorts?: Record<string, (a: T, b: T) => number>;
    perPage?: number;
  },
): VisibleRows<T> {
  const { textOf, finder = createSearchMatcher, sorts = {}, perPage = 50 } = rules;
  const isFound = finder(view.search);
  const matching = view.search === '' ? [...all] : all.filter((row) => isFound(textOf(row)));
  const compare = sorts[view.sort.replace(/^-/, '')];
  if (compare) matching.sort(view.sort.startsWith('-') ? (a, b) => compare(b, a) : compare);
  const pages = Math.max(1, Math.ceil(matching.length / perPage));
  const page = Math.min(view.page, pages);
  return { rows: matching.slice((page - 1) * perPage, page * perPage), total: matching.length, pages, page };
}
