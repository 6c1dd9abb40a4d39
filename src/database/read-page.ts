import { sql, type SelectQueryBuilder } from 'kysely';
import type { Schema } from '#database/schema.ts';

interface PageRequest {
  page: number;
  per_page: number;
}

/** One page of a query, with the list's links and counts. `path` and the rest of the request make the links. */
export async function readPage<Row, Shown>(
  path: string,
  request: PageRequest & Record<string, unknown>,
  query: SelectQueryBuilder<Schema, never, Row>,
  present: (rows: Row[]) => Promise<Shown[]>,
) {
  const counted = await query
    .clearSelect()
    .clearOrderBy()
    .select(sql<string>`count(*)`.as('total'))
    .executeTakeFirstOrThrow();
  const rows = await query
    .limit(request.per_page)
    .offset((request.page - 1) * request.per_page)
    .execute();
  return envelope(path, request, Number(counted.total), await present(rows));
}

/** One page of a list that is already in memory. */
export function pageOf<Shown>(path: string, request: PageRequest & Record<string, unknown>, all: readonly Shown[]) {
  const start = (request.page - 1) * request.per_page;
  return envelope(path, request, all.length, all.slice(start, start + request.per_page));
}

function envelope<Shown>(
  path: string,
  { page, per_page: perPage, ...rest }: PageRequest & Record<string, unknown>,
  total: number,
  shown: Shown[],
) {
  const lastPage = Math.max(1, Math.ceil(total / perPage));
  const link = (to: number) => `${path}?${linkQuery({ ...rest, per_page: perPage, page: to })}`;
  const from = shown.length === 0 ? null : (page - 1) * perPage + 1;
  return {
    data: shown,
    links: {
      first: link(1),
      last: link(lastPage),
      prev: page > 1 ? link(Math.min(page - 1, lastPage)) : null,
      next: page < lastPage ? link(page + 1) : null,
    },
    meta: {
      current_page: page,
      from,
      last_page: lastPage,
      path,
      per_page: perPage,
      to: from === null ? null : from + shown.length - 1,
      total,
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
