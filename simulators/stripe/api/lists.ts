import type Stripe from 'stripe';
import { invalid, missing } from './failure.ts';

export interface Page<Row> {
  object: 'list';
  data: Row[];
  has_more: boolean;
  url: string;
}

const usual = 10;
const most = 100;

/** One page of rows, which come in the order of the answer. */
export function pageOf<Row extends { id: string; object?: string }>(
  rows: readonly Row[],
  url: string,
  params: Stripe.PaginationParams,
  what = 'object',
): Page<Row> {
  const limit = params.limit ?? usual;
  if (limit < 1 || limit > most || !Number.isInteger(limit)) {
    throw invalid(
      limit < 1
        ? 'This value must be greater than or equal to 1.'
        : `This value must be less than or equal to ${most} (it currently is '${limit}').`,
      { code: 'parameter_invalid_integer', param: 'limit' },
    );
  }
  if (params.starting_after !== undefined && params.ending_before !== undefined) {
    throw invalid('Received both starting_after and ending_before parameters. Please pass in only one.');
  }
  const after = cursor(rows, params.starting_after, 'starting_after', what);
  const before = cursor(rows, params.ending_before, 'ending_before', what);
  if (before !== undefined) {
    const start = Math.max(before - limit, 0);
    return { object: 'list', data: rows.slice(start, before), has_more: start > 0, url };
  }
  const start = after === undefined ? 0 : after + 1;
  return { object: 'list', data: rows.slice(start, start + limit), has_more: rows.length > start + limit, url };
}

function cursor(rows: readonly { id: string }[], id: string | undefined, param: string, what: string) {
  if (id === undefined) return undefined;
  const at = rows.findIndex((row) => row.id === id);
  if (at < 0) throw missing(what, id, param, 400);
  return at;
}

/** The object with an id, or 404. */
export function found<Row>(table: ReadonlyMap<string, Row>, what: string, id: string, param = 'id'): Row {
  const row = table.get(id);
  if (!row) throw missing(what, id, param);
  return row;
}

/** The rows of a table as lists answer them. */
export function newestFirst<Row>(table: ReadonlyMap<string, Row>): Row[] {
  return [...table.values()].toReversed();
}

/** Whether a time is one that was asked for: the second itself, or a range. */
export function isWithin(time: number, asked: number | Stripe.RangeQueryParam | undefined): boolean {
  if (asked === undefined) return true;
  if (typeof asked === 'number') return time === asked;
  return (
    (asked.gt === undefined || time > asked.gt) &&
    (asked.gte === undefined || time >= asked.gte) &&
    (asked.lt === undefined || time < asked.lt) &&
    (asked.lte === undefined || time <= asked.lte)
  );
}
