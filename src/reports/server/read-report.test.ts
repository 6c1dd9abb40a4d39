import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readInDayBatches } from '#reports/server/read-report.ts';
import { readMovements } from '#reports/server/handlers.ts';
import { writeOrders } from '#reports/testing/samples.ts';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  const days = Array.from({ length: 40 }, (_, index) =>
    new Date(Date.UTC(2026, 9, 1 + index)).toISOString().slice(0, 10),
  );
  await writeOrders(
    app.database.db,
    app.shop.storeId,
    days.flatMap((day) => [1, 2, 3].map((n) => ({ day, subtotal: 100 * n, vat: [] }))),
  );
});
afterAll(() => app.close());

const scope = () => ({
  storeId: app.shop.storeId,
  timezone: 'Europe/London',
  from: '2026-10-01',
  to: '2026-11-09',
  now: new Date(),
});
const held = async () => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int from pg_stat_activity
    where datname = current_database() and state = 'idle in transaction'`.execute(app.database.db);
  return rows[0]?.count;
};

describe('an export', () => {
  test('has the rows of one read, in their order, in several parts', async () => {
    const whole = await readMovements(app.database.db, scope());
    const parts = [];
    for await (const part of readInDayBatches(app.database.db, scope(), readMovements)) parts.push(part);
    expect(parts.length).toBeGreaterThan(3);
    expect(parts.flat()).toEqual(whole);
    expect(await held()).toBe(0);
  });

  test('shows the orders as they were when it began', async () => {
    const found = [];
    for await (const part of readInDayBatches(app.database.db, scope(), readMovements)) {
      found.push(...part);
      await sql`update orders set tip = tip + 1 where trading_day = '2026-11-09'`.execute(app.database.db);
    }
    expect(found.filter(({ trading_day }) => trading_day === '2026-11-09').map(({ tip }) => tip)).toEqual([0, 0, 0]);
  });

  test('ends, and gives its connection back, when its reader stops', async () => {
    for await (const part of readInDayBatches(app.database.db, scope(), readMovements)) {
      expect(part.length).toBeGreaterThan(0);
      expect(await held()).toBe(1);
      break;
    }
    expect(await held()).toBe(0);
  });
});
