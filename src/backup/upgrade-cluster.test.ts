import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { rowsOf, rulesOf } from '#backup/testing/every-row.ts';
import { countSteps, dieAt, drawSteps, type Program, runUntil } from '#backup/testing/killed-commands.ts';
import { makeShopFolder, onEmbedded } from '#backup/testing/shop-folder.ts';
import { finishClusterUpgrade, findOlderCluster } from '#database/embedded/older-cluster.ts';
import { startOnce } from '#testing/start-once.ts';

// These tests start real servers, which are slow on a busy machine.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 });

let home: string;
let DATA_DIR: string;
let rows: Record<string, string[]>;
let program: Program;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'hatch-carry-'));
  DATA_DIR = join(home, 'data');
  rows = await makeShopFolder(home, DATA_DIR);
  program = { argv: ['src/backup/testing/upgrade-once.ts', DATA_DIR], environment: {} };
});
afterAll(() => rm(home, { recursive: true }));

const inFolder = (name: string) => join(DATA_DIR, name);

test('a database of an older major version, whose programs were not kept, is left as it was', async () => {
  const file = inFolder('postgres/cluster/PG_VERSION');
  await writeFile(file, '17\n');
  expect(await findOlderCluster(DATA_DIR)).toEqual({ from: '17', to: '18' });
  const { code, said } = await startOnce({ DATA_DIR });
  expect([code, said]).toEqual([1, expect.stringContaining('it keeps its PostgreSQL there')]);
  await writeFile(file, '19\n');
  expect(await findOlderCluster(DATA_DIR)).toBeNull();
  await writeFile(file, '18\n');
  expect((await readdir(DATA_DIR)).filter((name) => /carr|^postgres/.test(name))).toEqual(['postgres']);
});

test('a start keeps the programs by which a later version carries every row over', async () => {
  await onEmbedded(DATA_DIR, (_connection, embedded) => embedded.keepBinaries());
  expect(await readdir(inFolder('postgres/binaries'))).toEqual([expect.stringMatching(/^postgresql-18\.[\d.a-z-]+$/)]);
  const rules = await onEmbedded(DATA_DIR, rulesOf);
  const { code, said } = await runUntil(program);
  expect([code, said.trim()]).toEqual([0, inFolder('postgres.18')]);
  expect(await onEmbedded(DATA_DIR, rowsOf)).toEqual(rows);
  expect(await onEmbedded(DATA_DIR, rulesOf)).toEqual(rules);
  const noted = JSON.parse(await readFile(inFolder('postgres/cluster/hatch-version.json'), 'utf8'));
  expect(noted).toEqual({ hatch: expect.any(String), migration: expect.stringMatching(/^\d{3}-/) });
  expect((await readdir(DATA_DIR)).filter((name) => name.startsWith('.'))).toEqual([]);
  await putBack();
  expect(await onEmbedded(DATA_DIR, rowsOf)).toEqual(rows);
});

test('killed at any step leaves the older database as it was, or the whole new one, and is repeated', async () => {
  const all = await countSteps(program);
  await putBack();
  for (const step of drawSteps(all)) {
    const where = `step ${step} of ${all}`;
    const { isKilled, code, said } = await runUntil(program, dieAt(step));
    expect(isKilled || code === 0, `${where}: ${said}`).toBe(true);
    await finishClusterUpgrade(DATA_DIR);
    expect(existsSync(inFolder('postgres')), where).toBe(true);
    if (!existsSync(inFolder('postgres.18'))) continue;
    expect(await onEmbedded(DATA_DIR, rowsOf), where).toEqual(rows);
    await putBack();
  }
  expect((await runUntil(program)).code).toBe(0);
  expect(await onEmbedded(DATA_DIR, rowsOf)).toEqual(rows);
  await putBack();
  expect(await onEmbedded(DATA_DIR, rowsOf)).toEqual(rows);
});

/** Returns the folder of the older database. */
async function putBack(): Promise<void> {
  await rm(inFolder('postgres'), { recursive: true });
  await rename(inFolder('postgres.18'), inFolder('postgres'));
}
