import { sql, type RawBuilder } from 'kysely';
import { hasTrigrams, searchReach, type SearchReach } from '#database/search-reach.ts';
import type { Db } from '#database/schema.ts';
import { readWanted, type Wanted } from '#ordering/find-orders.ts';

/** What a search asks for. */
export interface OrderWords extends Wanted {
  reach: SearchReach;
  /** Further orders that count as found, because what was typed is theirs: a payment's reference. */
  ids: readonly string[];
}

/** Null: nothing was typed. */
export async function readWords(
  db: Db,
  search: string | undefined,
  now: Date,
  idsOf: (text: string) => Promise<string[]> = async () => [],
): Promise<OrderWords | null> {
  const wanted = readWanted(search ?? '');
  if (wanted.text === '') return null;
  const [has, ids] = [await hasTrigrams(db), await idsOf((search ?? '').trim())];
  return { ...wanted, ids, reach: searchReach(wanted.text, has, now) };
}

/** Whether any of it is found in a row of `order_search`; `isGoneThrough`: row by row, not by the index of words. */
export function matches(
  { text, number, digits, ids, reach }: OrderWords,
  row: RawBuilder<unknown>,
  isGoneThrough = false,
): RawBuilder<boolean> {
  const pattern = `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  // An expression that has no index: for a letter or two the index of words would be read from end to end.
  const byRow = isGoneThrough || reach.from !== null;
  const any = [
    byRow ? sql`lower(${row}.name) like ${pattern}` : sql`${row}.name ilike ${pattern}`,
    ...(digits === null
      ? []
      : [byRow ? sql`${row}.digits || '' like ${`%${digits}%`}` : sql`${row}.digits like ${`%${digits}%`}`]),
  ];
  const words = sql`(${sql.join(any, sql` or `)})`;
  const all = [reach.from === null ? words : sql`(${row}.trading_day >= ${reach.from}::date and ${words})`];
  if (number !== null) all.push(sql`${row}.number = ${number}`);
  if (ids.length > 0) all.push(sql`${row}.order_id = any(${ids}::uuid[])`);
  return sql`(${sql.join(all, sql` or `)})`;
}
