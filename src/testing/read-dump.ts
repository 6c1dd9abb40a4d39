import { sql } from 'kysely';
import type { Db } from '#database/schema.ts';

/** Every row of every table in every schema, by the table's name: JSON, with bytes as `\x…` and hex digits. */
export async function readDump(db: Db): Promise<Map<string, string[]>> {
  const { rows: tables } = await sql<{ schema: string; name: string }>`
    select table_schema as schema, table_name as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`.execute(db);
  const dump = new Map<string, string[]>();
  for (const { schema, name } of tables) {
    const table = `${schema}.${name}`;
    const { rows } = await sql<{ text: string }>`select to_jsonb(t)::text as text from ${sql.table(table)} t`.execute(
      db,
    );
    dump.set(
      table,
      rows.map(({ text }) => text),
    );
  }
  return dump;
}

/** Every text in the rows that may be a secret: values, and the words in them; bytes as hex digits. */
export function textsIn(dump: ReadonlyMap<string, readonly string[]>): string[] {
  const found = new Set<string>();
  const add = (value: unknown): void => {
    if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) add(part);
    if (typeof value !== 'string') return;
    for (const text of [value, value.replace(/^\\x/, ''), ...value.split(/[\s"'<>()[\]{},;:=?#&/\\]+/)]) {
      if (text.length >= 6 && text.length <= 200) found.add(text);
    }
  };
  for (const row of [...dump.values()].flat()) add(JSON.parse(row));
  return [...found];
}
