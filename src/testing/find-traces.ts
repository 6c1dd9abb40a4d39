import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect } from 'vitest';
import type { TestApp } from '#testing/test-app.ts';

/** Every place in the whole database, in every schema, and in the mails on the disk, where one of the texts stands. They are in small letters. */
export async function findTraces({ database: { db }, services }: TestApp, texts: readonly string[]): Promise<string[]> {
  const { rows: tables } = await sql<{ schema: string; name: string }>`
    select table_schema as schema, table_name as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`.execute(db);
  expect(tables.length).toBeGreaterThan(60);
  const found: string[] = [];
  for (const { schema, name } of tables) {
    const { rows } = await sql<{ text: string }>`
      select to_jsonb(t)::text as text from ${sql.table(`${schema}.${name}`)} t`.execute(db);
    for (const { text } of rows) {
      for (const trace of texts) if (text.toLowerCase().includes(trace)) found.push(`${schema}.${name}: ${trace}`);
    }
  }
  const folder = join(services.config.dataDir, 'mail');
  for (const file of await readdir(folder).catch(() => [])) {
    const text = (await readFile(join(folder, file), 'utf8')).toLowerCase();
    for (const trace of texts) if (text.includes(trace)) found.push(`mail file: ${trace}`);
  }
  return [...new Set(found)].toSorted();
}
