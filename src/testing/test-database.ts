import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { connect, type Connection } from '#database/connect.ts';
import { template } from '#testing/postgres.ts';
import { spentOnDatabase } from '#testing/processor-time.ts';

export interface TestDatabase extends Connection {
  config: pg.PoolConfig;
  /** Closes the pool and drops the database. */
  drop(): Promise<void>;
}

let databaseTime = 0;

/** Seconds of processor that PostgreSQL spent on the databases dropped since the last call. */
export function takeDatabaseTime(): number {
  const taken = databaseTime;
  databaseTime = 0;
  return taken;
}

/** An empty database for one test on the run's PostgreSQL: with all tables, or with `template1` without any. */
export async function createTestDatabase(from: typeof template | 'template1' = template): Promise<TestDatabase> {
  const server = inject('postgres');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  // Its other way writes every page to the log as well, which takes three times as long.
  await runOn(server, `create database ${name} template ${from} strategy file_copy`);
  const config = { ...server, database: name };
  const connection = connect(config, () => {});
  return {
    ...connection,
    config,
    async drop() {
      databaseTime += spentOnDatabase(name);
      await connection.close();
      await runOn(server, `drop database ${name} with (force)`);
    },
  };
}

async function runOn(config: pg.PoolConfig, statement: string): Promise<void> {
  const client = new pg.Client(config);
  await client.connect();
  // PostgreSQL refuses two parallel copies of one template, so they are made one by one.
  await client.query('select pg_advisory_lock(7301)');
  await client.query(statement).finally(() => client.end());
}
