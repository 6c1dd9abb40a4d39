import { sql, type RawBuilder } from 'kysely';
import { foldText } from '#platform/fold-text.ts';

/** A pattern for `like` that finds a text anywhere: in it `%` and `_` are ordinary characters. */
export function containing(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
}

/** The same for folded texts: `fold_text(name) like` it. */
export function foldedContaining(text: string): string {
  return containing(foldText(text));
}

/** Whether a folded text contains each word of a search, in any order: `o neil` is in `oneil`. */
export function hasWords(folded: RawBuilder<unknown>, search: string): RawBuilder<boolean> {
  const words = foldText(search).split(/\s+/).filter(Boolean);
  return sql`(${sql.join(
    (words.length > 0 ? words : ['']).map((word) => sql`${folded} like ${containing(word)}`),
    sql` and `,
  )})`;
}

/** Whether one of the columns has the words, in any spelling that searches take for them. */
export function hasText(columns: readonly string[], text: string): RawBuilder<boolean> {
  const each = columns.map((column) => hasWords(sql`fold_text(${sql.ref(column)})`, text));
  return sql`(${sql.join(each, sql` or `)})`;
}

/** A column of names to sort by, as people do: adam, Émile, Eve. Browsers sort by `compareNames` alike. */
export function sortedName(column: string): RawBuilder<string> {
  return sql`(${sql.ref(column)} collate by_name)`;
}
