import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { warnIfIcuIsMissing, rebuildIndexesOfChangedCollations } from '#database/collations.ts';
import { connect, type Connection } from '#database/connect.ts';
import { buildLargeIndexes } from '#database/indexes.ts';
import { migrate } from '#database/migrate.ts';
import * as foldedText from '#database/migrations/095-folded-text.ts';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';

function aLog() {
  const lines: string[] = [];
  const note = (...parts: unknown[]) => void lines.push(parts.map((part) => JSON.stringify(part)).join(' '));
  return { lines, log: { info: note, warn: note, error: note } };
}

const filesOf = async ({ pool }: Pick<Connection, 'pool'>) => {
  const { rows } = await pool.query<{ name: string; file: string }>(
    `select relname as name, pg_relation_filenode(oid)::text as file from pg_class
     where relkind = 'i' and relnamespace = current_schema()::regnamespace`,
  );
  return new Map(rows.map(({ name, file }) => [name, file]));
};
const changedIn = (before: Map<string, string>, after: Map<string, string>) =>
  [...after].filter(([name, file]) => before.get(name) !== file).map(([name]) => name);

describe('the collation of names', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());
  /** As after an update of the library that sorts. */
  const age = async () => {
    await database.pool.query(`
      drop index users_sorted; drop collation by_name;
      create collation by_name (provider = icu, locale = 'und-u-kn', version = '0.1');
      create index users_sorted on users (role, name collate by_name, id)`);
  };

  test('of an earlier version has its indexes made anew by one of those that start, and no other index', async () => {
    await age();
    const { lines, log } = aLog();
    const before = await filesOf(database);
    const other = connect(database.config, () => {});
    await Promise.all([
      rebuildIndexesOfChangedCollations(database.db, log),
      rebuildIndexesOfChangedCollations(other.db, log),
    ]);
    await other.close();
    expect(lines).toEqual([expect.stringContaining('{"indexes":["users_sorted"]}')]);
    expect(changedIn(before, await filesOf(database))).toEqual(['users_sorted']);
    const { rows } = await sql`
      select collversion = pg_collation_actual_version(oid) as "isNew" from pg_collation where collname = 'by_name'`.execute(
      database.db,
    );
    expect(rows).toEqual([{ isNew: true }]);
    await rebuildIndexesOfChangedCollations(database.db, log);
    expect(lines).toHaveLength(1);
  });

  test('is tried again by the next start where a start was ended meanwhile', async () => {
    await age();
    const invalid = async () => {
      const { rows } = await database.pool.query<{ name: string }>(
        'select indexrelid::regclass::text as name from pg_index where not indisvalid',
      );
      return rows.map(({ name }) => name);
    };
    const client = new pg.Client({ ...database.config, statement_timeout: 300 });
    await client.connect();
    await database.db.transaction().execute(async (tx) => {
      await sql`update users set name = name`.execute(tx);
      await sql`lock table users in row exclusive mode`.execute(tx);
      await expect(client.query('reindex index concurrently users_sorted')).rejects.toThrow(/timeout/);
    });
    await client.end();
    expect(await invalid()).toEqual(['users_sorted_ccnew']);
    const { lines, log } = aLog();
    await rebuildIndexesOfChangedCollations(database.db, log);
    expect(await invalid()).toEqual([]);
    expect(lines).toEqual([expect.stringContaining('{"indexes":["users_sorted"]}')]);
  });

  test('is the server’s own where it has no ICU, and the start says so', async () => {
    const { lines, log } = aLog();
    await warnIfIcuIsMissing(database.db, log);
    expect(lines).toEqual([]);
    await database.pool.query(`
      drop index users_sorted; drop collation by_name; create collation by_name (provider = libc, locale = 'C')`);
    await buildLargeIndexes(database.db, log);
    expect(lines).toEqual(['"PostgreSQL was built without ICU: names are sorted by its own rules for C."']);
  });
});

test('a database whose own collation has another version gets its indexes of texts anew', async () => {
  const server = connect(inject('postgres'), () => {});
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await server.pool.query(
    `create database ${name} template template0 locale_provider icu icu_locale 'en-GB' locale 'C' collation_version '0.1'`,
  );
  const own = connect({ ...inject('postgres'), database: name }, () => {});
  try {
    await migrate(own.db);
    const { lines, log } = aLog();
    const before = await filesOf(own);
    await rebuildIndexesOfChangedCollations(own.db, log);
    const anew = changedIn(before, await filesOf(own));
    expect(anew).toEqual(expect.arrayContaining(['users_email', 'stores_name']));
    expect(anew).not.toContain('users_pkey');
    expect(lines).toHaveLength(1);
    await rebuildIndexesOfChangedCollations(own.db, log);
    expect(lines).toHaveLength(1);
  } finally {
    await own.close();
    await server.pool.query(`drop database ${name} with (force)`);
    await server.close();
  }
});

test('tables can be made on a server that was built without ICU', async () => {
  const database = await createTestDatabase('template1');
  try {
    await database.db.transaction().execute(async (tx) => {
      // As such a server refuses it.
      await foldedText.up(tx as unknown as Kysely<unknown>, `raise feature_not_supported`);
      const { rows } = await sql`
        select collprovider as provider, collcollate as locale from pg_collation where collname = 'by_name'`.execute(
        tx,
      );
      expect(rows).toEqual([{ provider: 'c', locale: 'C' }]);
    });
  } finally {
    await database.drop();
  }
});
