import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { extendChains } from '#payment/server/journal/chains.ts';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';

const run = promisify(execFile);
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await sql`
    insert into payment_events (provider, id, received_at)
    select 'sandbox', 'evt_' || n, now() from generate_series(1, 3) as n`.execute(database.db);
  await extendChains(database.db);
});
afterAll(() => database.drop());

const verify = (environment: Record<string, string>) =>
  run(process.execPath, ['scripts/verify-journal.ts'], { env: { ...process.env, ...environment } }).then(
    ({ stdout }) => ({ code: 0, stdout, stderr: '' }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, stdout, stderr }),
  );

test('the journals of a database are verified from outside, and a change is named', async () => {
  const DATABASE_URL = urlOf(database.config);
  const whole = await verify({ DATABASE_URL });
  expect(whole.code).toBe(0);
  expect(whole.stdout).toMatch(/^events: 3 entries, the last hash is [0-9a-f]{64}$/m);
  expect(whole.stdout).toContain('All is well.');
  await sql`update payment_events set amount = 5 where id = 'evt_2'`.execute(database.db);
  const changed = await verify({ DATABASE_URL });
  expect(changed.code).toBe(1);
  expect(changed.stdout).toContain('events: entry 2 (sandbox evt_2) is not what was written');
});

test('a database that cannot be reached is said, and is not called well', async () => {
  const { code, stdout } = await verify({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing' });
  expect(code).toBe(2);
  expect(stdout).not.toContain('well');
});

test('a folder without a shop is named, and stays as it was', async () => {
  const DATA_DIR = await mkdtemp(join(tmpdir(), 'hatch-nothing-'));
  const { code, stderr } = await verify({ DATABASE_URL: '', DATA_DIR });
  expect([code, stderr]).toEqual([2, expect.stringContaining(`There is no database of a shop in ${DATA_DIR}`)]);
  expect(await readdir(DATA_DIR)).toEqual([]);
  await rm(DATA_DIR, { recursive: true });
});

function urlOf({ host, port, user, password, database: name }: pg.PoolConfig): string {
  const secret = typeof password === 'string' ? password : '';
  return `postgres://${user}:${secret}@localhost:${port}/${name}?host=${encodeURIComponent(host ?? '')}`;
}
