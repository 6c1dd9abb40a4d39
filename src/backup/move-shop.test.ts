import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { countSteps, dieAt, drawSteps, type Program, runUntil } from '#backup/testing/killed-commands.ts';
import { rowsOf, rulesOf } from '#backup/testing/every-row.ts';
import { hatch, makeShopFolder, onEmbedded } from '#backup/testing/shop-folder.ts';
import { refuseUnfinishedMove } from '#database/data-version.ts';
import { urlOf } from '#testing/database-url.ts';
import { startOnce } from '#testing/start-once.ts';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';

// These tests start real servers, which are slow on a busy machine.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 });

let home: string;
let DATA_DIR: string;
let rows: Record<string, string[]>;
let target: TestDatabase;

/** A shop with orders, in a data folder of its own. */
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'hatch-move-'));
  DATA_DIR = join(home, 'data');
  rows = await makeShopFolder(home, DATA_DIR);
  target = await createTestDatabase('template1');
});
afterAll(async () => {
  await target.drop();
  await rm(home, { recursive: true });
});

const move = (to = urlOf(target.config)) => hatch(['move', '--to', to], { DATA_DIR });

describe('hatch move', () => {
  test('while the shop runs does nothing: one line, and exit code 2', async () => {
    await onEmbedded(DATA_DIR, async () => {
      const { code, lines } = await move();
      expect([code, lines]).toEqual([2, [expect.stringMatching(/already running on .* Stop it first/)]]);
      const asJson = await hatch(['move', '--to', urlOf(target.config), '--json'], { DATA_DIR });
      expect([asJson.code, JSON.parse(asJson.text)]).toEqual([2, { error: lines[0] }]);
    });
  });

  test('to a database that does not fit says why, and changes nothing there or here', async () => {
    const client = new pg.Client(target.config);
    await client.connect();
    const { database } = target.config;
    const latin = `${database}_latin`;
    await client.query(`create database ${latin} encoding 'LATIN1' locale_provider libc locale 'C' template template0`);
    const url = urlOf(target.config);
    const other = (name: string) => url.replace(/[^/]+$/, name);
    const readOnly = `alter database ${database} set default_transaction_read_only`;
    const refusals: { to?: string; words: string; before?: string; after?: string }[] = [
      ...['https://example.com', 'hatch', 'postgres://hatch@one,two/x'].map((to) => ({
        to,
        words: 'must look like postgres://',
      })),
      { to: `postgres://hatch:secret@127.0.0.1:${await closedPort()}/x`, words: 'does not answer' },
      { to: other(latin), words: 'keeps its text as LATIN1' },
      { to: other('no_such'), words: 'does not exist' },
      { words: 'is not empty: it has cats', before: 'create table cats ()', after: 'drop table cats' },
      { words: 'is not empty: it has pgboss', before: 'create schema pgboss', after: 'drop schema pgboss' },
      { words: 'read-only', before: `${readOnly} to on`, after: `begin read write; ${readOnly} to off; commit` },
      {
        words: 'does not let hatch make tables',
        before: 'revoke create on schema public from pg_database_owner',
        after: 'grant create on schema public to pg_database_owner',
      },
    ];
    try {
      for (const { to = url, words, before = '', after = '' } of refusals) {
        await client.query(before);
        const { code, lines } = await move(to);
        await client.query(after);
        expect([code, lines]).toEqual([1, [expect.stringContaining(words)]]);
        for (const secret of ['secret', String(target.config.password)]) expect(lines[0]).not.toContain(secret);
      }
      const { rows: left } = await client.query(`select from pg_class where relnamespace = 'public'::regnamespace`);
      expect(left).toEqual([]);
    } finally {
      await client.query(`drop database ${latin}`);
      await client.end();
    }
    expect(await onEmbedded(DATA_DIR, rowsOf)).toEqual(rows);
    expect(await readdir(DATA_DIR)).not.toContain('.moving');
  });

  test('carries every row, with keys, triggers and counters, and says which setting to write', async () => {
    const rules = await onEmbedded(DATA_DIR, rulesOf);
    const { code, text } = await move();
    const { host, port, database, password } = target.config;
    const setting = `DATABASE_URL=postgres://hatch@${encodeURIComponent(host ?? '')}:${port}/${database}`;
    expect([code, text]).toEqual([0, expect.stringContaining(`before you start it: ${setting}\n`)]);
    expect(text).toContain('Every row was checked');
    expect(text).not.toContain(password);
    expect(await rowsOf(target.config)).toEqual(rows);
    expect(await rulesOf(target.config)).toEqual(rules);
    expect(await readdir(DATA_DIR)).toEqual(expect.arrayContaining(['postgres.moved', 'installation-key']));
    expect((await readdir(DATA_DIR)).filter((name) => /^(postgres|\.moving)$/.test(name))).toEqual([]);
    const there = await hatch(['status', '--json'], { DATA_DIR, DATABASE_URL: urlOf(target.config) });
    expect([there.code, JSON.parse(there.text)]).toEqual([0, expect.objectContaining({ stores: [expect.anything()] })]);
    // A start without DATABASE_URL must not open the old database.
    const forgetful = await startOnce({ DATA_DIR });
    expect([forgetful.code, forgetful.said]).toEqual([1, expect.stringContaining('was moved to a server')]);
    // Later copies must not contain the old database.
    const copies = join(home, 'later');
    await hatch(['backup', '--to', copies], { DATA_DIR, DATABASE_URL: urlOf(target.config) });
    expect(await readdir(join(copies, 'copies', '000001', 'keys'))).not.toContain('postgres.moved');
    await putBack();
    const again = await move();
    expect([again.code, again.text]).toEqual([1, expect.stringContaining('has a shop already')]);
  });

  test('killed after its last row is ended by the next run, with what the shop has changed since', async () => {
    const to = await createTestDatabase('template1');
    const client = new pg.Client(to.config);
    try {
      await tell(
        `insert into backups (step, began_at, made_at, number, state) values ('ended', now(), now(), 7, 'good')`,
      );
      expect((await move(urlOf(to.config))).code).toBe(0);
      await client.connect();
      // The copies stay in the data folder.
      const { rows: copies } = await client.query(`select number, state from backups`);
      expect(copies).toEqual([{ number: 7, state: 'good' }]);
      await putBack();
      await client.query(`comment on table kysely_migration is 'hatch move ${'a1'.repeat(32)}'`);
      // As a start with DATABASE_URL asks.
      await expect(refuseUnfinishedMove(to.db, DATA_DIR)).rejects.toThrow(
        'did not end. Nothing was changed: run "hatch move" again',
      );
      await tell(`update stores set name = 'Renamed since'; delete from backups`);
      const { code, text } = await move(urlOf(to.config));
      expect([code, text]).toEqual([0, expect.stringContaining('Every row was checked')]);
      const { rows: found } = await client.query(
        `select name, obj_description('kysely_migration'::regclass) as mark from stores`,
      );
      expect(found).toEqual([{ name: 'Renamed since', mark: null }]);
      const again = await move(urlOf(to.config));
      expect([again.code, again.text]).toEqual([1, expect.stringContaining('was moved already')]);
    } finally {
      await client.end();
      await to.drop();
      if (existsSync(join(DATA_DIR, 'postgres.moved'))) await putBack();
      rows = await onEmbedded(DATA_DIR, rowsOf);
    }
  });

  test('killed at any step leaves the shop where it was or all of it there, and is repeated', async () => {
    const program = (to: TestDatabase): Program => ({
      argv: ['src/hatch/hatch.ts', 'move', '--to', urlOf(to.config)],
      environment: { DATA_DIR },
    });
    const first = await createTestDatabase('template1');
    const all = await countSteps(program(first));
    await first.drop();
    await putBack();
    expect(all).toBeGreaterThan(100);
    let to = await createTestDatabase('template1');
    for (const step of drawSteps(all)) {
      const where = `step ${step} of ${all}`;
      const { isKilled, code, said } = await runUntil(program(to), dieAt(step));
      expect(isKilled || code === 0, `${where}: ${said}`).toBe(true);
      const isThere = await hasStore(to.config);
      expect(isThere ? await rowsOf(to.config) : rows, where).toEqual(rows);
      const isAside = existsSync(join(DATA_DIR, 'postgres.moved'));
      expect(isThere || !isAside, where).toBe(true);
      if (isAside) await putBack();
      // The next run finishes a move whose old database was not renamed.
      if (isAside) {
        await to.drop();
        to = await createTestDatabase('template1');
      }
    }
    const { code, text } = await eventualMove(to);
    expect([code, text]).toEqual([0, expect.stringContaining('Every row was checked')]);
    expect(await rowsOf(to.config)).toEqual(rows);
    await to.drop();
    await putBack();
    expect(await onEmbedded(DATA_DIR, rowsOf)).toEqual(rows);
  });
});

// PostgreSQL frees the lock of a killed program after a moment.
async function eventualMove(to: TestDatabase) {
  let done = await move(urlOf(to.config));
  await expect
    .poll(async () => {
      if (/being moved/.test(done.text)) done = await move(urlOf(to.config));
      return done.text;
    })
    .not.toMatch(/being moved/);
  return done;
}

async function tell(statement: string): Promise<void> {
  await onEmbedded(DATA_DIR, async (connection) => {
    const client = new pg.Client(connection);
    await client.connect();
    await client.query(statement).finally(() => client.end());
  });
}

async function putBack(): Promise<void> {
  await rename(join(DATA_DIR, 'postgres.moved'), join(DATA_DIR, 'postgres'));
}

async function hasStore(config: pg.PoolConfig): Promise<boolean> {
  const client = new pg.Client(config);
  await client.connect();
  const { rows: made } = await client.query(`select to_regclass('stores') as found`);
  const { rows: found } = made[0]?.found ? await client.query('select from stores') : { rows: [] };
  await client.end();
  return found.length > 0;
}

async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
}
