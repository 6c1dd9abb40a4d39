import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect } from '#database/connect.ts';
import { createDiskMonitor, isDiskLow } from '#database/health.ts';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';

let database: TestDatabase;
let dataDir: string;
beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'hatch-disk-'));
});
afterAll(async () => {
  await rm(dataDir, { recursive: true });
  await database.drop();
});

test('says what room there is, also where the data folder is still to be made', async () => {
  const of = (folder: string) => createDiskMonitor({ dataDir: folder, hasDatabase: true, db: database.db }).room();
  const { free, all } = await of(dataDir);
  expect(free).toBeGreaterThan(0);
  expect(all).toBeGreaterThan(free);
  expect((await of(join(dataDir, 'not', 'yet'))).all).toBe(all);
});

test.each([
  ['little is left', { free: 0.9e9, all: 10e9 }, true],
  ['much is left, and a small part of all', { free: 40e9, all: 1000e9 }, true],
  ['there is room', { free: 2e9, all: 10e9 }, false],
])('%s', (_words, room, expected) => {
  expect(isDiskLow(room)).toBe(expected);
});

test('a database that said that its disk is full is asked to write until it can', async () => {
  const { db } = database;
  const disk = createDiskMonitor({ dataDir, hasDatabase: true, db });
  disk.noteFull();
  expect(await disk.state()).not.toBe('full');
  const { db: gone } = connect({ host: '127.0.0.1', port: 1, user: 'nobody' }, () => {});
  const without = createDiskMonitor({ dataDir, hasDatabase: true, db: gone });
  expect(await without.state()).not.toBe('full');
  without.noteFull();
  expect(await without.state()).toBe('full');
});
