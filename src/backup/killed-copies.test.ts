import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { rowsOf } from '#backup/testing/every-row.ts';
import { countSteps, dieAt, drawSteps, type Program, runUntil } from '#backup/testing/killed-commands.ts';
import { cleanUpRestoreFiles } from '#database/data-version.ts';
import { hatch, makeShopFolder, onEmbedded } from '#backup/testing/shop-folder.ts';
import { startOnce } from '#testing/start-once.ts';

// These tests start real servers, which are slow on a busy machine.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 });

const BACKUP_PASSPHRASE = 'seven cold chips on a plate';
let home: string;
let DATA_DIR: string;
let rows: Record<string, string[]>;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'hatch-killed-'));
  DATA_DIR = join(home, 'data');
  rows = await makeShopFolder(home, DATA_DIR, BACKUP_PASSPHRASE);
});
afterAll(() => rm(home, { recursive: true }));

// PostgreSQL frees the lock of a killed program after a moment.
const locked = /Another copy (of this shop is being made|is being sent)/;
const program = (...argv: string[]): Program => ({
  argv: ['src/hatch/hatch.ts', ...argv],
  environment: { DATA_DIR },
});

test.each([
  ['', 'killed', {}],
  ['sealed ', 'killed-sealed', { BACKUP_PASSPHRASE }],
])('a %sbackup killed at any step leaves whole copies only, and is repeated', async (_, name, settings) => {
  const copies = join(home, name);
  const { argv, environment } = program('backup', '--to', copies);
  const backup = { argv, environment: { ...environment, ...settings } };
  const all = await countSteps(backup);
  for (const step of drawSteps(all)) {
    const where = `step ${step} of ${all}`;
    const { isKilled, code, said } = await runUntil(backup, dieAt(step));
    expect(isKilled || code === 0 || locked.test(said), `${where}: ${said}`).toBe(true);
    const verified = await hatch(['verify', '--from', copies], {}, BACKUP_PASSPHRASE);
    expect([verified.code, verified.text], where).toEqual([0, expect.stringContaining('Nothing is damaged')]);
  }
  await expect.poll(async () => (await runUntil(backup)).said, { timeout: 60_000 }).not.toMatch(locked);
  expect((await readdir(join(copies, 'copies'))).filter((entry) => entry.startsWith('.'))).toEqual([]);
});

test('a restore killed at any step leaves a whole shop or none, and is repeated', async () => {
  const folder = join(home, 'restored');
  // A sealed copy lies decrypted in the folder during the restore.
  const { argv } = program('restore', '--from', join(home, 'sealed'), '--data-dir', folder);
  const restore = { argv, environment: { DATA_DIR, BACKUP_PASSPHRASE } };
  const all = await countSteps(restore);
  for (const step of drawSteps(all)) {
    const where = `step ${step} of ${all}`;
    // The step before may have left a whole shop.
    if (existsSync(join(folder, 'postgres'))) await rm(folder, { recursive: true });
    const { isKilled, code, said } = await runUntil(restore, dieAt(step));
    expect(isKilled || code === 0, `${where}: ${said}`).toBe(true);
    if (existsSync(join(folder, 'postgres'))) await isWhole(folder, where);
    else await isNone(folder, where);
  }
  if (existsSync(join(folder, 'postgres'))) await rm(folder, { recursive: true });
  expect((await runUntil(restore)).said).toContain('Every row was checked');
  await isWhole(folder, 'at last');
});

/** Expects a whole shop that is held. A start removes the leftovers of the killed restore. */
async function isWhole(folder: string, where: string): Promise<void> {
  await cleanUpRestoreFiles(folder, true);
  expect(
    (await readdir(folder)).filter((name) => /restoring/.test(name)),
    where,
  ).toEqual([]);
  const {
    stores,
    order_numbers: _numbers,
    restores,
    copy_folders: _copied,
    ...others
  } = await onEmbedded(folder, rowsOf);
  const { stores: _stores, order_numbers: _before, restores: _restores, copy_folders: _folders, ...wanted } = rows;
  expect(others, where).toEqual(wanted);
  expect(
    stores?.every((store) => store.includes('restored')),
    where,
  ).toBe(true);
  expect(restores?.length, where).toBe(1);
}

/** Expects that no command finds a shop, and that no start makes another one in the folder. */
async function isNone(folder: string, where: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const status = await hatch(['status'], { DATA_DIR: folder });
  expect([status.code, status.text], where).toEqual([1, expect.stringContaining('There is no database')]);
  // An unmarked folder has no file of the restore.
  const names = (await readdir(folder)).filter(
    (name) => !/^(hatch\.lock(-journal)?|running\.json|\..*\.part)$/.test(name),
  );
  if (names.length === 0) return;
  const { code, said } = await startOnce({ DATA_DIR: folder });
  expect([code, said], where).toEqual([1, expect.stringMatching(/had a shop|did not end/)]);
}
