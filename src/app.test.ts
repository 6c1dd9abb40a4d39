import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createApp } from '#app.ts';
import { readConfig } from '#config.ts';
import { startServerParts } from '#platform/server/parts.ts';
import { seedSmallShop } from '#testing/small-shop.ts';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';

let database: TestDatabase;
let dataDir: string;
beforeEach(async () => {
  database = await createTestDatabase();
  await seedSmallShop(database.db);
  dataDir = await mkdtemp(join(tmpdir(), 'hatch-app-'));
});
afterEach(async () => {
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

/** The number of connections to the test's database that do not belong to its own pool. */
async function othersConnected(): Promise<number> {
  const own = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(database.db);
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and pid <> ${own.rows[0]?.pid} and query not like '%pg_stat_activity%'
      and backend_start >= ${since}`.execute(database.db);
  return rows[0]?.count ?? 0;
}
let since: Date;

test('an application that cannot start closes everything that it had opened', async () => {
  since = (await sql<{ now: Date }>`select clock_timestamp() as now`.execute(database.db)).rows[0]?.now ?? new Date(0);
  const log = pino({ level: 'silent' });
  const config = readConfig({ PORT: '0', HOST: '127.0.0.1', DATA_DIR: dataDir });
  const stillOpen: number[] = [];
  const starting = startServerParts(log, (parts) =>
    createApp(
      {
        config,
        db: database.db,
        database: database.config,
        log,
        async servePages() {
          stillOpen.push(await othersConnected());
          throw new Error('there is no build');
        },
      },
      parts,
    ),
  );
  await expect(starting).rejects.toThrow('there is no build');
  expect(stillOpen[0]).toBeGreaterThan(2);
  await expect.poll(othersConnected).toBe(0);
});
