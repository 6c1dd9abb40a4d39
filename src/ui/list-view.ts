/** How a list is being looked at. It stands in the address, so that a reload, Back and a sent link show the same. */
export interface ListView {
  search: string;
  /** A column's key; `-` before it turns the order round; empty for the list's own order. */
  sort: string;
  /** From 1. */
  page: number;
  /** The page's own filters, by name; one that is not set is not here. */
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

/** The query of a view, with a `?` where there is one; what is at its default is left out. */
export function writeListView(view: ListView): string {
  const params = new URLSearchParams(view.filters);
  if (view.search) params.set('search', view.search);
  if (view.sort) params.set('sort', view.sort);
  if (view.page > 1) params.set('page', String(view.page));
  const query = params.toString();
  return query === '' ? '' : `?${query}`;
}

/** The view after one thing changed: whatever else changes, the list begins at its first page again. */
export function changeView(view: ListView, change: Partial<ListView>): ListView {
  return { ...view, page: 1, ...change };
}

/** The view's filters with another value for one of them; an empty one takes it away. */
export function withFilter(view: ListView, name: string, value: string): Record<string, string> {
  const { [name]: _was, ...rest } = view.filters;
  return value === '' ? rest : { ...rest, [name]: value };
}

/** What a filter is set to, out of the values it knows; undefined for what somebody wrote into the address. */
export function filterOf<T extends string>(view: ListView, name: string, known: Record<T, unknown>): T | undefined {
  const value = view.filters[name];
  return value !== undefined && isKeyOf(known, value) ? value : undefined;
}

function isKeyOf<T extends string>(known: Record<T, unknown>, key: string): key is T {
  return Object.hasOwn(known, key);
}

/** What a press on a column's head sorts by: upwards, then downwards, then not at all. */
export function nextSort(current: string, key: string): string {
  if (current === key) return `-${key}`;
  return current === `-${key}` ? '' : key;
}

export interface ShownRows<T> {
  rows: T[];
  /** How many rows match. */
  total: number;
  pages: number;
  /** The page that is shown, which may be before the one asked for when the list became shorter. */
  page: number;
}

/** Searches, sorts and pages rows that are all in the browser. Words of the search may stand in any order, without accents. */
export function showRows<T>(
  all: readonly T[],
  view: ListView,
  rules: {
    textOf: (row: T) => string;
    sorts?: Record<string, (a: T, b: T) => number>;
    perPage?: number;
  },
): ShownRows<T> {
  const { textOf, sorts = {}, perPage = 50 } = rules;
  const words = fold(view.search)
    .split(/\s+/)
    .filter((word) => word !== '');
  const matching = all.filter((row) => {
    const text = words.length > 0 ? fold(textOf(row)) : '';
    return words.every((word) => text.includes(word));
  });
  const compare = sorts[view.sort.replace(/^-/, '')];
  if (compare) matching.sort(view.sort.startsWith('-') ? (a, b) => compare(b, a) : compare);
  const pages = Math.max(1, Math.ceil(matching.length / perPage));
  const page = Math.min(view.page, pages);
  return { rows: matching.slice((page - 1) * perPage, page * perPage), total: matching.length, pages, page };
}

function fold(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/\p{Diacritic}/gu, '')
    .toLowerCase();
}
