import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#database/schema.ts';
import { foldText, searchWords } from '#platform/fold-text.ts';

/** The days that a search for words covers. */
export interface SearchPeriod {
  /** The number of searched days; null: all. */
  days: number | null;
  /** The first searched day, YYYY-MM-DD; null: all are searched. */
  from: string | null;
}

/** The minimum length of a word that the index can find: the index has groups of three letters. */
const fewestLetters = 3;
const recentDays = 7;
const day = 86_400_000;
/** Without the index a search reads rows one by one, so it covers only this many days. */
const daysWithoutIndex = 90;

/**
 * Whether these indexes of words exist. They may be missing: a server may lack `pg_trgm`, and a large shop opens before
 * an upgrade has built them.
 */
export async function hasSearchIndexes(db: Db, names: readonly string[]): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`
    select count(*) = ${names.length} as has from pg_index
    where indisvalid and indexrelid in (select to_regclass(name) from unnest(${names}::text[]) as each (name))`.execute(
    db,
  );
  return rows[0]?.has ?? false;
}

export function searchPeriodOf(text: string, canUseIndex: boolean, now: Date): SearchPeriod {
  return reachOf(isTooShortForIndex(text) ? recentDays : canUseIndex ? null : daysWithoutIndex, now);
}

/** Whether a text has no word that is long enough for the index of words. */
export function isTooShortForIndex(text: string): boolean {
  return letterCount(text) < fewestLetters;
}

/**
 * Computes the days that a search covers if its words are too short for the index: from `since`, but at least one day
 * and at most `recentDays`.
 */
export function searchPeriodSince(since: Date, now: Date): SearchPeriod {
  const days = Math.floor((now.getTime() - since.getTime()) / day);
  return reachOf(Math.min(Math.max(days, 1), recentDays), now);
}

function reachOf(days: number | null, now: Date): SearchPeriod {
  return { days, from: days === null ? null : new Date(now.getTime() - days * day).toISOString().slice(0, 10) };
}

/** The number of letters of the longest word; the index ignores characters between words. */
function letterCount(text: string): number {
  return Math.max(0, ...(text.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => [...word].length));
}

/** A `like` pattern that finds a string anywhere; its `%` and `_` are literal. */
export function likePattern(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
}

export function foldedLikePattern(text: string): string {
  return likePattern(foldText(text));
}

/** A condition: a folded text contains each word of a search, in any order. `o neil` finds `oneil`. */
export function foldedTextHasWordsSql(folded: RawBuilder<unknown>, search: string): RawBuilder<boolean> {
  const words = searchWords(search);
  return sql`(${sql.join(
    (words.length > 0 ? words : ['']).map((word) => sql`${folded} like ${likePattern(word)}`),
    sql` and `,
  )})`;
}

/** A condition: one of the columns, folded, contains each word of a search. */
export function anyColumnHasWordsSql(columns: readonly string[], text: string): RawBuilder<boolean> {
  const each = columns.map((column) => foldedTextHasWordsSql(sql`fold_text(${sql.ref(column)})`, text));
  return sql`(${sql.join(each, sql` or `)})`;
}

/** SQL that sorts names: adam, Émile, Eve. In browsers `compareNames` sorts in the same order. */
export function nameSortKey(column: string): RawBuilder<string> {
  return sql`(${sql.ref(column)} collate by_name)`;
}
