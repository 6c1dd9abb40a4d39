import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { Db, Schema } from '#database/schema.ts';
import { m } from '#messages';
import { invalidFieldError } from '#platform/errors.ts';

/** The largest total that is counted exactly. A longer list has this total and `isExact: false`. */
export const maxExactTotal = 10_000;

export interface PageRequest {
  page: number;
  per_page: number;
  /**
   * The cursor from `links.next`, which is the key of the last row. With a cursor, `page` is only the number that is
   * shown.
   */
  after?: string | undefined;
}

const types: Record<CursorColumn['type'], RawBuilder<unknown>> = {
  date: sql`date`,
  int: sql`int`,
  text: sql`text`,
  timestamptz: sql`timestamptz`,
  uuid: sql`uuid`,
};

export interface RowTotal {
  total: number;
  isExact: boolean;
}

type Anything = PageRequest & Record<string, unknown>;

/**
 * Reads one page of a query, with links and the total. The links have `path` and the other parameters of the request.
 * `order`: replaces the sorting of `query`; `links.next` then continues after the last row's key, so that every page
 * costs the same. `counted`: a cheaper statement with as many rows as `query`, for the total.
 */
export async function readPage<Row, Shown>(
  db: Db,
  path: string,
  request: Anything,
  query: SelectQueryBuilder<Schema, never, Row>,
  present: (rows: Row[]) => Promise<Shown[]>,
  order?: ListOrder,
  counted: RawBuilder<unknown> = sql`${query
    .clearSelect()
    .clearOrderBy()
    .select(sql`1`.as('one'))}`,
) {
  const total = await countUpToLimit(db, sql`${counted} limit ${maxExactTotal + 1}`);
  if (total.total === 0) return pageAnswer(path, request, total, await present([]), null);
  const start = pageOffsetOf(request);
  if (!order) {
    const rows = await query
      .limit(request.per_page + 1)
      .offset(start)
      .execute();
    const shown = rows.slice(0, request.per_page);
    return pageAnswer(path, request, total, await present(shown), null, rows.length > shown.length);
  }
  const keyed = query
    .clearOrderBy()
    .orderBy(orderBySql(order))
    .select(sql<string[]>`array[${sql.join(order.columns.map(({ of }) => sql`${of}::text`))}]`.as('page_key'));
  const from =
    request.after === undefined ? keyed : keyed.where(isAfterKeySql(order, decodePageKey(order, request.after)));
  const rows = await from
    .limit(request.per_page + 1)
    .offset(start)
    .execute();
  const shown = rows.slice(0, request.per_page);
  const next = rows.length > shown.length ? encodePageKey(shown.at(-1)?.page_key ?? []) : null;
  return pageAnswer(path, request, total, await present(shown as Row[]), next);
}

/**
 * Counts the rows of a statement up to `maxExactTotal`. The caller limits the statement to one row more, which shows
 * that the total is not exact.
 */
export async function countUpToLimit(db: Db, rows: RawBuilder<unknown>): Promise<RowTotal> {
  const { rows: counted } = await sql<{
    total: number;
  }>`select count(*)::int as total from (${rows}) as counted`.execute(db);
  return rowTotalOf(counted[0]?.total ?? 0);
}

export function rowTotalOf(counted: number): RowTotal {
  return { total: Math.min(counted, maxExactTotal), isExact: counted <= maxExactTotal };
}

/** The number of rows that are skipped before a page; 0 for a page that is found by its cursor. */
export function pageOffsetOf({ page, per_page: perPage, after }: PageRequest): number {
  return after === undefined ? (page - 1) * perPage : 0;
}

export function orderBySql({ columns, direction }: ListOrder): RawBuilder<unknown> {
  return sql.join(columns.map(({ of }) => sql`${of} ${direction === 'asc' ? sql`asc` : sql`desc`}`));
}

export function isAfterKeySql({ columns, direction }: ListOrder, key: readonly string[]): RawBuilder<boolean> {
  const values = columns.map(({ type }, index) => sql`${key[index]}::${types[type]}`);
  return sql`(${sql.join(columns.map(({ of }) => of))}) ${direction === 'asc' ? sql`>` : sql`<`} (${sql.join(values)})`;
}

export function paginateArray<Shown>(path: string, request: Anything, all: readonly Shown[]) {
  const start = (request.page - 1) * request.per_page;
  const shown = all.slice(start, start + request.per_page);
  return pageAnswer(path, request, { total: all.length, isExact: true }, shown, null);
}

/**
 * The answer with one page of a list. `next`: the cursor for the link to the next page; null: that link has only the
 * page's number. `hasNext`: whether a further page exists. An inexact total cannot show this.
 */
export function pageAnswer<Shown>(
  path: string,
  { page, per_page: perPage, after: _after, ...rest }: Anything,
  { total, isExact }: RowTotal,
  shown: Shown[],
  next: string | null,
  hasNext = next !== null || page * perPage < total,
) {
  const lastPage = Math.max(1, Math.ceil(total / perPage));
  const link = (to: number, after?: string) => `${path}?${linkQuery({ ...rest, per_page: perPage, page: to, after })}`;
  const from = shown.length === 0 ? null : (page - 1) * perPage + 1;
  return {
    data: shown,
    links: {
      first: link(1),
      last: link(lastPage),
      prev: page > 1 ? link(isExact ? Math.min(page - 1, lastPage) : page - 1) : null,
      next: hasNext ? link(page + 1, next ?? undefined) : null,
    },
    meta: {
      current_page: page,
      from,
      last_page: lastPage,
      path,
      per_page: perPage,
      to: from === null ? null : from + shown.length - 1,
      total,
      total_is_exact: isExact,
    },
  };
}

function linkQuery(query: Record<string, unknown>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || (Array.isArray(value) && value.length === 0)) continue;
    parameters.set(name, Array.isArray(value) ? value.join(',') : String(value));
  }
  return parameters.toString();
}

export interface CursorColumn {
  of: RawBuilder<unknown>;
  type: 'date' | 'int' | 'text' | 'timestamptz' | 'uuid';
}

/** The columns that order a list in one direction. The last column is unique. */
export interface ListOrder {
  columns: readonly CursorColumn[];
  direction: 'asc' | 'desc';
}

/** The formats of a key's values, by column type, as PostgreSQL writes them. */
const shapes: Record<CursorColumn['type'], RegExp> = {
  date: /^\d{4}-\d\d-\d\d$/,
  int: /^-?\d{1,9}$/,
  text: /^[^\0]{0,300}$/,
  timestamptz: /^(-infinity|\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?[+-]\d\d(:\d\d)?)$/,
  uuid: /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/,
};

export function encodePageKey(key: readonly string[]): string {
  return Buffer.from(JSON.stringify(key)).toString('base64url');
}

/**
 * Decodes the key in a link to a page. Throws 422 `invalidFieldError` if the key does not fit the columns of this list.
 */
export function decodePageKey({ columns }: ListOrder, text: string): string[] {
  const key = parsed(text);
  const isKey =
    Array.isArray(key) &&
    key.length === columns.length &&
    columns.every(({ type }, index) => typeof key[index] === 'string' && shapes[type].test(key[index]));
  if (!isKey) throw invalidFieldError('after', m.platform_page_key());
  return key as string[];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return null;
  }
}
