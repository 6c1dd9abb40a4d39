import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { withBackupLock } from '#backup/server/backup-lock.ts';
import { requestBackup } from '#backup/server/backup-rows.ts';
import { listCopies } from '#backup/server/copy-layout.ts';
import { readCopySource } from '#backup/server/copy-source.ts';
import { makeCopy } from '#backup/server/make-copy.ts';
import { createNightlyBackups } from '#backup/server/nightly-backups.ts';
import {
  measureShop,
  localCopiesFolder,
  removeOldCopies,
  scratchFolderIn,
  estimateTrialRestoreBytes,
} from '#backup/server/own-copies.ts';
import { compareShopWithCopy } from '#backup/server/prove-copy.ts';
import { runBackupProgram } from '#backup/server/run-backup-program.ts';
import { stopSealingProcess } from '#backup/server/sealing/sealing-process.ts';
import { presentSecondPlace } from '#backup/server/second-place.ts';
import { verifyCopies } from '#backup/server/verify-copies.ts';
import type { DiskSpace } from '#database/health.ts';
import { currentStatementTimeoutMs } from '#database/transaction.ts';
import { runCommand } from '#hatch/commands.ts';
import { urlOf } from '#testing/database-url.ts';
import { startAppOn, startTestApp, type TestApp } from '#testing/test-app.ts';

const token = 'a-token-of-sixteen-or-more';
const enough: DiskSpace = { free: 50e9, all: 100e9 };
/** Enough disk space for a copy, and then too little for its trial. */
const withoutTrial: DiskSpace[] = [
  { free: 10.4e9, all: 100e9 },
  { free: 10.001e9, all: 100e9 },
];
const hour = 60 * 60_000;
let app: TestApp;
let admin: string;
let folder: string;

beforeAll(async () => {
  app = await startTestApp({}, { METRICS_TOKEN: token });
  admin = await app.signIn('admin');
  folder = localCopiesFolder(app.services.config.dataDir);
});
afterAll(() => app.close());
beforeEach(async () => {
  app.clock.now = new Date('2026-11-21T18:00:00Z');
  await app.database.db.deleteFrom('backups').execute();
  await app.database.db.deleteFrom('backup_watches').execute();
  await app.database.db.deleteFrom('mails').where('kind', '=', 'backup_late').execute();
  await check();
});

/** Checks once, on a disk with these spaces one after the other. */
async function check(...rooms: DiskSpace[]) {
  const room = async () => (rooms.length > 1 ? rooms.shift() : rooms[0]) ?? enough;
  await createNightlyBackups({ ...app.services, database: app.database.config, disk: { room } }).check();
}
const wait = (hours: number) => void (app.clock.now = new Date(app.clock.now.getTime() + hours * hour));
const backups = async () => (await app.request('GET', '/v1/backups', { token: admin })).body.data;
const order = async () => (await app.request('POST', '/v1/orders', { body: app.orderBody() })).status;
const drafts = async () =>
  (await readdir(folder, { recursive: true })).filter(
    (name) => name.includes('.hatch-draft') || name.includes('.proof'),
  );
const isThere = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );

describe('the nightly backup', () => {
  test('is made on the first day, restored for a trial, and made again each night; the last three stay', async () => {
    expect(await order()).toBe(201);
    expect(await backups()).toMatchObject({ state: 'none_yet', good_at: null, running: null, copies: [] });
    wait(1);
    await check();
    const [first] = (await backups()).copies;
    expect(first).toMatchObject({ made_at: '2026-11-21T19:00:00.000Z', state: 'good', reason: null });
    expect(first.bytes).toBeGreaterThan(1_000);
    await check();
    wait(7.9);
    await check();
    expect((await backups()).copies).toHaveLength(1);
    for (let night = 0; night < 3; night += 1) {
      app.clock.now = new Date(Date.parse('2026-11-22T15:00:00Z') + night * 24 * hour);
      await check();
      wait(13);
      await check(...withoutTrial);
    }
    const { copies } = await backups();
    // The last good copy stays as the oldest of three.
    const numbers = [3, 2, 0].map((more) => first.number + more);
    expect(copies.map(({ number }: { number: number }) => number)).toEqual(numbers);
    expect(copies.map(({ state }: { state: string }) => state)).toEqual(['unproven', 'unproven', 'good']);
    expect(await verifyCopies(folder)).toMatchObject({ damages: [], copies: [{}, {}, {}] });
    expect(await drafts()).toEqual([]);
  }, 300_000);

  test('is made once by two instances that check at once', async () => {
    const environment = { DATA_DIR: app.services.config.dataDir };
    const shared = { ...app.database, drop: async () => {} };
    const other = await startAppOn(shared, app.shop, environment);
    const [ours, theirs] = [app, other].map(({ services }) =>
      createNightlyBackups({
        ...services,
        database: app.database.config,
        now: () => app.clock.now,
        disk: { room: async () => enough },
      }),
    );
    wait(1);
    await Promise.all([ours?.check(), theirs?.check(), ours?.check(), theirs?.check()]);
    expect((await backups()).copies).toHaveLength(1);
    await other.stop();
  }, 300_000);

  test('is made when somebody asks for it, and shows how far it is', async () => {
    const asked = await app.request('POST', '/v1/backups', { token: admin, body: {} });
    expect([asked.status, asked.body.data.running?.step]).toEqual([200, 'waiting']);
    await app.request('POST', '/v1/backups', { token: admin, body: {} });
    const steps = new Set<string>();
    for (let found = asked.body.data; found.running !== null; found = await backups()) {
      steps.add(found.running.step);
      await sleep(100);
    }
    await app.services.backups.check();
    expect([...steps]).toEqual(expect.arrayContaining(['waiting', 'copying']));
    expect((await app.database.db.selectFrom('backups').selectAll().execute()).length).toBe(1);
    const staff = await app.signIn('store_admin', [app.shop.storeId]);
    for (const method of ['GET', 'POST'])
      expect((await app.request(method, '/v1/backups', { token: staff })).status).toBe(403);
  }, 300_000);
});

test('a statement that takes longer than a caller would wait ends no backup', async () => {
  const { db, pool, config: database } = app.database;
  const { dataDir } = app.services.config;
  const blocker = await db.startTransaction().execute();
  await sql`lock table installation in access exclusive mode`.execute(blocker);
  const task = { database, folder, scratch: scratchFolderIn(folder), hatch: '1.0.0', number: null, isProven: false };
  const config = { dataDir, backupPlace: null, bucket: null };
  const at = app.clock.now.toISOString();
  let isOver = false;
  const copied = runBackupProgram({ ...task, kind: 'copy', config, at }, new AbortController().signal).finally(
    () => (isOver = true),
  );
  copied.catch(() => undefined);
  const waited = async () => {
    const { rows } = await pool.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
        and clock_timestamp() - query_start > $1 * interval '1 ms'`,
      [1.2 * currentStatementTimeoutMs()],
    );
    return rows.length > 0;
  };
  while (!isOver && !(await waited())) await sleep(50);
  await blocker.rollback().execute();
  expect(await copied).toMatchObject({ made_at: at });
}, 120_000);

describe('a disk', () => {
  test('that would be too full has no backup made on it, and orders go on', async () => {
    wait(1);
    await check({ free: 9.9e9, all: 100e9 });
    expect(await backups()).toMatchObject({ copies: [], problem: { reason: 'no_room' } });
    expect(await order()).toBe(201);
    wait(0.5);
    await check();
    expect((await backups()).copies).toEqual([]);
    wait(0.5);
    await check();
    expect(await backups()).toMatchObject({ copies: [{ state: 'good' }], problem: null });
  }, 300_000);

  test('without room for a trial has a backup that counts as unproven', async () => {
    wait(1);
    await check(...withoutTrial);
    expect(await backups()).toMatchObject({
      state: 'none_yet',
      copies: [{ state: 'unproven', reason: 'no_room', detail: expect.stringContaining('was not tried out') }],
    });
    expect(await drafts()).toEqual([]);
  }, 300_000);

  test('that fills up meanwhile ends the backup, and nothing half done is left', async () => {
    const copied = async () => (await readdir(join(folder, 'copies')).catch(() => [])).length;
    const before = await copied();
    wait(1);
    const room = async () => ({ free: existsSync(join(folder, '.proof')) ? 1e9 : 50e9, all: 100e9 });
    await createNightlyBackups({ ...app.services, database: app.database.config, disk: { room } }).check();
    const { problem } = await backups();
    expect(problem).toMatchObject({ reason: 'no_room', detail: expect.stringContaining('became too full') });
    expect(await drafts()).toEqual([]);
    expect((await copied()) - before).toBeLessThan(2);
    expect(await order()).toBe(201);
  }, 300_000);
});

describe('a program that is killed', () => {
  test.each([
    ['while it copies', () => has(join(folder, 'copies'), '.hatch-draft'), []],
    [
      'while it loads a copy',
      () => isThere(join(folder, '.proof/.restoring/postgres/cluster/postmaster.pid')),
      ['unproven'],
    ],
    ['while it compares', () => isThere(join(folder, '.proof/postgres/cluster/postmaster.pid')), ['unproven']],
  ])(
    '%s leaves nothing half done, and the next backup is good',
    async (_, isAtStep, states) => {
      wait(1);
      let isOver = false;
      const looked = check().finally(() => (isOver = true));
      while (!isOver && !(await isAtStep())) await sleep(2);
      await killProgram();
      await looked;
      const { copies, problem } = await backups();
      expect(problem).toMatchObject({ reason: 'interrupted', detail: expect.stringContaining('SIGKILL') });
      expect(copies.map(({ state }: { state: string }) => state)).toEqual(states);
      expect(await drafts()).toEqual([]);
      expect(await databasesIn(folder)).toEqual([]);
      expect(await order()).toBe(201);
      wait(6);
      await check();
      expect(await backups()).toMatchObject({
        problem: null,
        copies: expect.arrayContaining([expect.objectContaining({ state: 'good' })]),
      });
    },
    300_000,
  );

  test('with the shop itself is found by the next check', async () => {
    wait(1);
    const { db } = app.database;
    await db.insertInto('backups').values({ step: 'copying', began_at: app.clock.now }).execute();
    await check();
    expect(await backups()).toMatchObject({ running: null, problem: { reason: 'interrupted' } });
    wait(1);
    await check();
    expect(await backups()).toMatchObject({ problem: null, copies: [{ state: 'good' }] });
  }, 300_000);

  const has = async (place: string, start: string) =>
    (await readdir(place).catch(() => [])).some((name) => name.startsWith(start));
});

describe('a clock that jumps', () => {
  test('by a day, forwards and back, stops no backup and alarms nobody', async () => {
    wait(1);
    await check();
    const machine = app.clock.now.getTime();
    // The monotonic clock does not jump.
    app.clock.uptime = machine;
    wait(30);
    await check();
    expect(await backups()).toMatchObject({ state: 'good', copies: [{ state: 'good' }, { state: 'good' }] });
    wait(-30);
    await check();
    expect((await backups()).copies).toHaveLength(3);
    wait(9);
    app.clock.uptime = machine + 9 * hour;
    await check();
    expect((await backups()).copies.map(({ state }: { state: string }) => state)).toEqual(['good', 'good', 'good']);
    expect(await alarms()).toBe(0);
    app.clock.uptime = undefined as never;
  }, 300_000);
});

/** Runs a `hatch` command beside the running shop. */
async function hatch(command: string, more: Record<string, string> = {}) {
  const lines: string[] = [];
  const say = (line: string) => void lines.push(line);
  const environment = { DATABASE_URL: urlOf(app.database.config), DATA_DIR: app.services.config.dataDir, ...more };
  await runCommand([command], environment, { say, complain: say, askSecretly: async () => '' }, () => app.clock.now);
  return { text: lines.join('\n') };
}
const told = async () => (await hatch('doctor')).text;
/** Reads the metric in seconds. */
const age = async () => {
  const { body } = await app.request('GET', '/metrics', { headers: { authorization: `Bearer ${token}` } });
  return Number(/^hatch_shop_backup_age_seconds (\S+)$/m.exec(String(body))?.[1]);
};
const alarms = async () => {
  const { rows } = await app.database.pool.query(`select count(*)::int as count from mails where kind = 'backup_late'`);
  return rows[0].count;
};

describe('the owner', () => {
  test('is told once that the last good backup is 26 hours old, and again only after there was one', async () => {
    wait(1);
    await check({ free: 1e9, all: 100e9 });
    wait(24.9);
    await check({ free: 1e9, all: 100e9 });
    expect(await alarms()).toBe(0);
    wait(0.1);
    await check({ free: 1e9, all: 100e9 });
    await check({ free: 1e9, all: 100e9 });
    expect([await alarms(), (await backups()).state]).toEqual([1, 'late']);
    expect(await age()).toBe(26 * 3600);
    expect(await told()).toContain('There is no good backup yet. Too little room would be left on the disk');
    wait(2);
    await check();
    expect((await backups()).state).toBe('good');
    expect(await age()).toBe(0);
    const { text } = await hatch('status');
    expect(text).toMatch(/Backup    last good one 2026-11-22 22:00 UTC, \d cop(y|ies) here/);
    expect(await told()).toContain('Backups are on the disk of this machine only');
    expect(
      (await hatch('doctor', { BACKUP_TO: '/mnt/disk', BACKUP_PASSPHRASE: 'seven cold chips on a plate' })).text,
    ).not.toContain('Backups are on the disk');
    wait(26);
    await check({ free: 1e9, all: 100e9 });
    expect([await alarms(), (await backups()).state]).toEqual([2, 'late']);
  }, 300_000);
});

async function killProgram(): Promise<void> {
  const [child] = await childrenOf(process.pid, 'backup-program');
  // `kill` of process 0 would kill the tests.
  if (child === undefined) throw new Error('The program that makes backups does not run.');
  process.kill(child, 'SIGKILL');
}

/** Finds the child processes that run a program. */
async function childrenOf(parent: number, program: string): Promise<number[]> {
  const found: number[] = [];
  for (const name of await readdir('/proc')) {
    const status = /^\d+$/.test(name) ? await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '') : '';
    const command = status ? await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '') : '';
    if (Number(status.slice(status.lastIndexOf(')') + 4).split(' ')[0]) === parent && command.includes(program))
      found.push(Number(name));
  }
  return found;
}

async function databasesIn(place: string): Promise<string[]> {
  const names = (await readdir(place, { recursive: true }).catch(() => [])).filter((name) =>
    name.endsWith('postmaster.pid'),
  );
  return names;
}

describe('a copy that is compared with the shop', () => {
  test('is good only if closed days and journals are those of the shop', async () => {
    const { db } = app.database;
    app.clock.now = new Date('2026-11-20T18:00:00Z');
    expect(await order()).toBe(201);
    app.clock.now = new Date('2026-11-21T18:00:00Z');
    const at = app.clock.now;
    expect(await compareShopWithCopy(db, db, at)).toMatchObject({ orders: 1, days: 1 });
    /** Compares after a change, which it rolls back. */
    const words = async (change: string) => {
      const tx = await db.startTransaction().execute();
      try {
        await sql.raw(change).execute(tx);
        return await compareShopWithCopy(db, tx, at).then(
          () => 'good',
          (error: unknown) => String(error),
        );
      } finally {
        await tx.rollback().execute();
      }
    };
    const ofDay = `where trading_day = '2026-11-20'`;
    const other = 'Error: Orders or money of 2026-11-20 are not those of the shop.';
    expect(await words(`update orders set total = total + 1 ${ofDay}`)).toBe(other);
    expect(await words(`delete from orders ${ofDay}`)).toBe(other);
    expect(await words(`update orders set version = version + 1 ${ofDay}`)).toBe(other);
    // A later version in the shop is a later change.
    expect(await words(`update orders set version = version - 1, total = 1 ${ofDay}`)).toBe('good');
    expect(await words(`update orders set total = total + 1 where trading_day = '2026-11-21'`)).toBe('good');
    const journal = `update audit_chain set hash = sha256('x') where position = 1`;
    expect(await words(`alter table audit_chain disable trigger user; ${journal}`)).toBe(
      'Error: Entry 1 of the journal of audit is not that of the shop.',
    );
  });
});

describe('the second place', () => {
  const held = { isHeld: () => true };
  const settings = (address: string) => ({
    BACKUP_PASSPHRASE: 'seven cold chips on a plate',
    backupPlace: { address, s3: null },
  });
  const shopWith = (address: string, more: object = {}) => ({
    ...app.services,
    config: { ...app.services.config, ...settings(address) },
    ...more,
  });
  const night = async (address: string, more: object = {}, rooms: DiskSpace[] = []) => {
    const room = async () => (rooms.length > 1 ? rooms.shift() : rooms[0]) ?? enough;
    await createNightlyBackups({ ...shopWith(address, more), database: app.database.config, disk: { room } }).check();
  };
  const ask = () => requestBackup(app.database.db, app.clock.now);
  const doctor = async (address: string) =>
    (await hatch('doctor', { BACKUP_TO: address, BACKUP_PASSPHRASE: 'seven cold chips on a plate' })).text;
  const placeAge = async () => {
    const { body } = await app.request('GET', '/metrics', { headers: { authorization: `Bearer ${token}` } });
    return Number(/^hatch_shop_backup_place_age_seconds (\S+)$/m.exec(String(body))?.[1]);
  };
  beforeEach(async () => {
    await app.database.db.deleteFrom('backup_places').execute();
  });
  afterAll(stopSealingProcess);

  test('gets each good backup sealed; one that is away is seen everywhere, and alarms after 26 hours', async () => {
    const place = await mkdtemp(join(tmpdir(), 'hatch-second-'));
    wait(1);
    await night(place);
    expect((await backups()).second_place).toMatchObject({ to: place, state: 'good', problem: null });
    expect((await presentSecondPlace(shopWith(place))).place).toMatchObject({ to: place, copies: 1, problem: null });
    expect((await readdir(place, { recursive: true })).length).toBeGreaterThan(3);
    expect(await doctor(place)).not.toContain(place);
    await rm(place, { recursive: true });
    wait(1);
    await ask();
    await night(place);
    const { copies, second_place: failing } = await backups();
    expect(copies[0]).toMatchObject({ state: 'good', reason: null });
    expect(failing).toMatchObject({ state: 'failing', problem: expect.stringContaining(place) });
    expect(await doctor(place)).toMatch(
      new RegExp(`The last backup got to ${place} 2026-11-21 19:00 UTC. There is no folder`),
    );
    expect((await hatch('status')).text).toContain(`${place}: last sent 2026-11-21 19:00 UTC, failing`);
    expect([await alarms(), await placeAge()]).toEqual([0, 3600]);
    wait(25);
    await night(place);
    await night(place);
    expect((await backups()).second_place.state).toBe('late');
    expect([await alarms(), await placeAge()]).toEqual([1, 26 * 3600]);
    await mkdir(place);
    wait(1);
    await ask();
    await night(place);
    expect((await backups()).second_place).toMatchObject({
      state: 'late',
      problem: expect.stringContaining('is empty'),
    });
    await app.database.db.updateTable('backup_places').set({ sent_number: null }).execute();
    const made = (await backups()).copies.length;
    await night(place);
    expect((await backups()).second_place.state).toBe('late');
    // An hour later the newest copy is sent, and no new one is made.
    wait(1);
    await night(place);
    expect((await backups()).second_place).toMatchObject({ state: 'good', problem: null });
    expect((await backups()).copies).toHaveLength(made);
    const told = await app.database.db.selectFrom('backup_places').select('told_at').executeTakeFirst();
    expect(told?.told_at).toBeNull();
  }, 300_000);

  test('gets a backup without a trial too, marked; the sending is a step of its own, by a program of its own', async () => {
    const place = await mkdtemp(join(tmpdir(), 'hatch-second-'));
    wait(1);
    await night(place, {}, [...withoutTrial]);
    expect((await backups()).copies[0]).toMatchObject({ state: 'unproven', reason: 'no_room' });
    const listings = async () => {
      const names = await readdir(join(place, 'copies'));
      const texts = await Promise.all(names.map((name) => readFile(join(place, 'copies', name), 'utf8')));
      return texts.map((text) => (JSON.parse(text.split('\n')[0] ?? '') as { is_proven: boolean }).is_proven);
    };
    expect(await listings()).toEqual([false]);
    wait(1);
    await ask();
    let isOver = false;
    const looked = night(place).finally(() => (isOver = true));
    while (!isOver && (await backups()).running?.step !== 'sending') await sleep(20);
    await killProgram();
    await looked;
    const { copies, problem, second_place } = await backups();
    expect([copies[0].state, problem]).toEqual(['good', null]);
    expect(second_place).toMatchObject({ state: 'failing', problem: expect.stringContaining('SIGKILL') });
    wait(1);
    await ask();
    await night(place);
    expect((await backups()).second_place.state).toBe('good');
    expect(await listings()).toContain(true);
    expect(await drafts()).toEqual([]);
  }, 300_000);

  test('is not blamed for a shop that ended while it sent: the next check says so', async () => {
    const place = await mkdtemp(join(tmpdir(), 'hatch-second-'));
    const { db } = app.database;
    wait(1);
    await night(place);
    await db
      .insertInto('backups')
      .values({ step: 'sending', began_at: app.clock.now, state: 'good', made_at: app.clock.now, number: 999 })
      .execute();
    await night(place);
    expect(await backups()).toMatchObject({ running: null, problem: null });
    expect((await backups()).second_place).toMatchObject({
      state: 'failing',
      problem: expect.stringContaining('ended'),
    });
  }, 120_000);

  test('gets nothing from a restored shop that waits, whose original may send there still', async () => {
    const place = await mkdtemp(join(tmpdir(), 'hatch-second-'));
    wait(1);
    await night(place, { restored: held });
    expect((await backups()).copies[0]).toMatchObject({ state: 'good' });
    expect(await readdir(place)).toEqual([]);
  }, 120_000);
});

describe('old copies in the data folder', () => {
  const shop = () => ({ db: app.database.db, database: app.database.config, now: () => app.clock.now });
  const numbers = async () => (await listCopies(folder)).map(({ number }) => number);
  const another = async () => {
    const source = { ...shop(), config: app.services.config };
    return (await makeCopy(await readCopySource(source, '1.0.0'), folder)).number;
  };

  test('go, but never the last good one: not while the folder was away, nor while a copy is made', async () => {
    wait(1);
    await check();
    const good = (await numbers()).at(-1) ?? 0;
    await rename(folder, `${folder}-away`);
    await removeOldCopies(shop(), folder);
    expect((await backups()).copies).toEqual([]);
    await rename(`${folder}-away`, folder);
    for (let n = 0; n < 3; n += 1) await another();
    await withBackupLock(app.database.config, 'copies', () => removeOldCopies(shop(), folder));
    expect((await numbers()).slice(-4)).toEqual([0, 1, 2, 3].map((more) => good + more));
    await removeOldCopies(shop(), folder);
    expect(await numbers()).toEqual([good, good + 2, good + 3]);
    expect((await backups()).copies).toMatchObject([{ number: good, state: 'good' }]);
  }, 120_000);

  test('of a new disk are not those of an earlier one with their numbers', async () => {
    const made_at = new Date('2026-11-01T03:00:00Z');
    await app.database.db
      .insertInto('backups')
      .values({ step: 'ended', began_at: made_at, made_at, number: await another(), state: 'good' })
      .execute();
    await removeOldCopies(shop(), folder);
    expect((await backups()).copies).toEqual([]);
  });

  test('need room with their pictures: for a copy once, and twice for its trial', async () => {
    const uploads = join(app.services.config.dataDir, 'uploads');
    const picture = `${'ef'.repeat(32)}.webp`;
    const before = await measureShop(app.database.db, app.services.config.dataDir, folder);
    await mkdir(uploads, { recursive: true });
    await writeFile(join(uploads, picture), Buffer.alloc(3_000_000));
    const sizes = await measureShop(app.database.db, app.services.config.dataDir, folder);
    expect([sizes.uploads - before.uploads, sizes.copy - before.copy]).toEqual([3_000_000, 3_000_000]);
    expect(estimateTrialRestoreBytes({ ...before, uploads: sizes.uploads }) - estimateTrialRestoreBytes(before)).toBe(
      6_000_000,
    );
    await another();
    const copied = await measureShop(app.database.db, app.services.config.dataDir, folder);
    expect(copied.copy).toBeLessThan(3_000_000);
    await rm(join(uploads, picture));
  });
});
