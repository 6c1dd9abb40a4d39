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

/** Whether one of the columns has the text, in any spelling that searches take for it. */
export function hasText(columns: readonly string[], text: string): RawBuilder<boolean> {
  const pattern = foldedContaining(text);
  const each = columns.map((column) => sql`fold_text(${sql.ref(column)}) like ${pattern}`);
  return sql`(${sql.join(each, sql` or `)})`;
}

/** A column of names to sort by, as people do: adam, Émile, Eve. Browsers sort by `compareNames` alike. */
export function sortedName(column: string): RawBuilder<string> {
  return sql`(${sql.ref(column)} collate by_name)`;
}
