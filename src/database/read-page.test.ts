import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readPage } from '#database/read-page.ts';
import type { Db } from '#database/schema.ts';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const readNumbers = async (db: Db, count: number, page: number) => {
  const numbers = db
    .selectFrom(sql<{ number: number }>`generate_series(1, ${count}::int)`.as<'g'>(sql`g(number)`))
    .select('g.number')
    .orderBy('g.number');
  return readPage(db, '/v1/numbers', { page, per_page: 200 }, numbers, async (rows) =>
    rows.map(({ number }) => number),
  );
};

test.each([10_001, 10_400, 10_401])('links.next leads through a list of %i rows without an order', async (count) => {
  const seen: number[] = [];
  let page: number | null = 49;
  while (page !== null) {
    const { data, links } = await readNumbers(database.db, count, page);
    seen.push(...data);
    const next = links.next && new URL(links.next, 'http://shop').searchParams.get('page');
    page = next ? Number(next) : null;
  }
  expect([seen[0], seen.at(-1), seen.length]).toEqual([9601, count, count - 9600]);
});
