import { sql, type RawBuilder } from 'kysely';

/** `'one', 'two'`: values in the statement's text, so that partial indexes and prepared statements know them. */
export function literals(values: readonly string[]): RawBuilder<unknown> {
  return sql.join(values.map((value) => sql.lit(value)));
}
