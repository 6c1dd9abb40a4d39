import '#testing/calendar-clock.ts';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import type { TestProject } from 'vitest/node';
import { connect } from '#database/connect.ts';
import type { EmbeddedConnection } from '#database/embedded/access.ts';
import { startEmbeddedPostgres } from '#database/embedded/embedded-postgres.ts';
import { buildLargeIndexes } from '#database/indexes.ts';
import { migrate } from '#database/migrate.ts';
import { startJobs } from '#database/jobs/jobs.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    postgres: pg.PoolConfig;
  }
}

export const template = 'hatch_template';

/** One real PostgreSQL for the whole run, with a database that has every table; each test file uses a copy of it. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'hatch-test-'));
  const quiet = { info() {}, warn() {}, error: (text: unknown) => process.stderr.write(`${String(text)}\n`) };
  const embedded = await startEmbeddedPostgres({
    dataDir,
    log: quiet,
    // Crash tests start their own PostgreSQL, a durable one.
    settings: {
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      max_connections: '200',
      autovacuum: 'off',
    },
  });
  const server = connect(embedded.connection, () => {});
  await refuseOtherTime(server.pool);
  await server.pool.query(`create database ${template}`);
  await signInFaster(server.pool, embedded.connection);
  await server.close();
  const made = connect({ ...embedded.connection, database: template }, () => {});
  await migrate(made.db);
  await buildLargeIndexes(made.db, console);
  await made.close();
  // The job queue creates its tables at its first start.
  await startJobs({ ...embedded.connection, database: template }, () => {}).then((jobs) => jobs.stop());
  project.provide('postgres', embedded.connection);
  return async () => {
    await embedded.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}

/** The calendar soak moves both clocks; if only one of them moved, the run would show nothing. */
async function refuseOtherTime(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ now: Date }>('select now()');
  const apart = Math.abs((rows[0]?.now.getTime() ?? 0) - Date.now());
  if (apart > 60_000) throw new Error(`The clocks of PostgreSQL and of the tests are ${apart} ms apart.`);
}

/** Every connection derives a key from its password in 4,096 rounds; here one does. */
async function signInFaster(pool: pg.Pool, { user, password }: EmbeddedConnection): Promise<void> {
  const client = await pool.connect();
  await client.query('set scram_iterations = 1');
  await client.query(`alter role ${user} password '${password}'`);
  client.release();
}
