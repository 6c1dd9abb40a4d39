import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { defaultColumnValues, orderColumns } from '#ordering/order-columns.ts';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('the table of columns is the one of the database, types and first values included', async () => {
  const { rows } = await sql<{ name: string; type: string; first: string | null }>`
    select attname as name, format_type(atttypid, atttypmod) as type, pg_get_expr(adbin, adrelid) as first
    from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where attrelid = 'orders'::regclass and attnum > 0 and not attisdropped`.execute(database.db);
  const columns = Object.entries(orderColumns);
  expect(rows.map(({ name }) => name).toSorted()).toEqual(['number', ...columns.map(([name]) => name)].toSorted());

  const names = new Map([
    ['int', 'integer'],
    ['timestamptz', 'timestamp with time zone'],
  ]);
  const typed = columns.flatMap(([name, column]) =>
    'type' in column ? [[name, names.get(column.type) ?? column.type]] : [],
  );
  expect(typed.map(([name]) => [name, rows.find((row) => row.name === name)?.type])).toEqual(typed);

  const first = Object.keys(defaultColumnValues).map((name) => [
    name,
    rows.find((row) => row.name === name)?.first ?? 'null',
  ]);
  const { rows: read } = await sql<Record<string, unknown>>`
    select ${sql.raw(first.map(([name, value]) => `${value} as ${name}`).join(', '))}`.execute(database.db);
  expect(read).toEqual([defaultColumnValues]);
});
