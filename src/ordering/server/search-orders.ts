import { sql, type RawBuilder } from 'kysely';
import { containing, hasWords } from '#database/patterns.ts';
import { hasIndexes, searchReach, type SearchReach } from '#database/search-reach.ts';
import type { Db } from '#database/schema.ts';
import { readWanted, type Wanted } from '#ordering/find-orders.ts';

/** The terms of a search. */
export interface OrderWords extends Wanted {
  reach: SearchReach;
  /** Further orders that count as found, because the typed text is theirs: a payment's reference. */
  ids: readonly string[];
}

const indexes = ['order_names_folded', 'order_search_names', 'order_search_digits'];

/** Null: nothing was typed. */
export async function readWords(
  db: Db,
  search: string | undefined,
  now: Date,
  idsOf: (text: string) => Promise<string[]> = async () => [],
): Promise<OrderWords | null> {
  const wanted = readWanted(search ?? '');
  if (wanted.text === '') return null;
  const [has, ids] = [await hasIndexes(db, indexes), await idsOf((search ?? '').trim())];
  return { ...wanted, ids, reach: searchReach(wanted.text, has, now) };
}

/** Whether any of it is found in a row of `order_search`. No index of words is used: the rows are read one by one. */
export function matches(words: OrderWords, row: RawBuilder<unknown>): RawBuilder<boolean> {
  const { text, digits, reach } = words;
  const any = [
    hasWords(sql`fold_text(${row}.name)`, text),
    // An expression that has no index.
    ...(digits === null ? [] : [sql`${row}.digits || '' like ${containing(digits)}`]),
  ];
  const found = sql`(${sql.join(any, sql` or `)})`;
  const all = [reach.from === null ? found : sql`(${row}.trading_day >= ${reach.from}::date and ${found})`];
  return sql`(${sql.join([...all, ...exactly(words, row)], sql` or `)})`;
}

/**
 * The same rows, found by indexes. `rowsOf` reads those of `order_search s` that fulfil a condition. The names are
 * found first, each once, and then the orders of each along a covering index.
 */
export function matchingRows(
  words: OrderWords,
  rowsOf: (condition: RawBuilder<unknown>) => RawBuilder<unknown>,
): RawBuilder<unknown> {
  const { text, digits, reach } = words;
  if (reach.from !== null) return rowsOf(matches(words, sql`s`));
  const named = sql`
    select s.* from (select distinct name from order_names where ${hasWords(sql`fold_text(name)`, text)}) as n
    cross join lateral (${rowsOf(sql`s.name = n.name and s.name <> ''`)}) as s`;
  const others = [
    ...(digits === null ? [] : [sql`s.digits like ${containing(digits)}`]),
    ...exactly(words, sql`s`),
  ].map((condition) => sql`(${rowsOf(condition)})`);
  return sql.join([named, ...others], sql` union `);
}

function exactly({ number, ids }: OrderWords, row: RawBuilder<unknown>): RawBuilder<boolean>[] {
  return [
    ...(number === null ? [] : [sql<boolean>`${row}.number = ${number}`]),
    ...(ids.length === 0 ? [] : [sql<boolean>`${row}.order_id = any(${ids}::uuid[])`]),
  ];
}
