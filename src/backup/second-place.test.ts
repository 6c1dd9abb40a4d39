import promises, { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { withBackupLock } from '#backup/server/backup-lock.ts';
import { readCopySource } from '#backup/server/copy-source.ts';
import { makeCopy } from '#backup/server/make-copy.ts';
import { stopSealingProcess } from '#backup/server/sealing/sealing-process.ts';
import { sendCopyToPlace, sendCopyToSecondPlace } from '#backup/server/send-backup.ts';
import { readConfig } from '#config.ts';
import { runCommand } from '#hatch/commands.ts';
import { startTestBucket, type TestBucket } from '#platform/testing/bucket.ts';
import { onEmbedded } from '#backup/testing/shop-folder.ts';
import { urlOf } from '#testing/database-url.ts';
import { startTestApp, type TestApp } from '#testing/test-app.ts';
import { createTestDatabase } from '#testing/test-database.ts';

const passphrase = 'seven cold chips on a plate';
const secretsKey = 's'.repeat(40);
let bucket: TestBucket;
let uploads: TestBucket;
let app: TestApp;
let admin: string;
let place: string;
beforeAll(async () => {
  [bucket, uploads] = await Promise.all([startTestBucket('copies'), startTestBucket('pictures')]);
  app = await startTestApp({}, { ...uploads.environment, S3_ACCESS_KEY_ID: 'uploads', SECRETS_KEY: secretsKey });
  admin = await app.signIn('admin');
  place = await mkdtemp(join(tmpdir(), 'hatch-place-'));
});
afterAll(async () => {
  await stopSealingProcess();
  await Promise.all([app.close(), bucket.close(), uploads.close()]);
  await rm(place, { recursive: true, force: true });
});
beforeEach(() => {
  bucket.mood = 'fine';
});

const call = (method: 'GET' | 'POST' | 'DELETE', path = '', body?: object) =>
  app.request(method, `/v1/backup-place${path}`, { token: admin, ...(body && { body }) });
const access = () => ({
  endpoint: bucket.environment['S3_ENDPOINT'] ?? '',
  region: 'eu-west-2',
  access_key_id: bucket.environment['S3_ACCESS_KEY_ID'] ?? '',
  secret_access_key: bucket.environment['S3_SECRET_ACCESS_KEY'] ?? '',
});
const setBucket = (change: object = {}) => call('POST', '', { to: 's3://copies/kitchen', ...access(), ...change });
const shop = () => ({
  config: app.services.config,
  database: app.database.config,
  db: app.database.db,
  now: () => app.clock.now,
});

async function copyAndSend() {
  const folder = join(app.services.config.dataDir, 'backups');
  const { number } = await makeCopy(await readCopySource(shop(), '1.0.0'), folder);
  return sendCopyToSecondPlace(shop(), { folder, number, isProven: true });
}

async function hatch(argv: string[], more: Record<string, string> = {}, typed = '') {
  const lines: string[] = [];
  const say = (line: string) => void lines.push(line);
  const terminal = { say, complain: say, askSecretly: async () => typed };
  const { endpoint, region, access_key_id, secret_access_key } = access();
  const environment = {
    DATABASE_URL: urlOf(app.database.config),
    DATA_DIR: app.services.config.dataDir,
    SECRETS_KEY: secretsKey,
    BACKUP_S3_ENDPOINT: endpoint,
    BACKUP_S3_REGION: region,
    BACKUP_S3_ACCESS_KEY_ID: access_key_id,
    BACKUP_S3_SECRET_ACCESS_KEY: secret_access_key,
    ...more,
  };
  return { code: await runCommand(argv, environment, terminal, () => app.clock.now), lines };
}

describe('the second place', () => {
  test('is refused until a passphrase is set, in the office and by the command', async () => {
    expect(await call('GET')).toMatchObject({ status: 200, body: { data: { key: null, place: null } } });
    expect(await setBucket()).toMatchObject({ status: 409, body: { code: 'conflict' } });
    expect(await call('POST', '/sheet', { passphrase })).toMatchObject({ status: 409 });
    const said = await hatch(['backup', '--to', 's3://copies/kitchen']);
    expect(said).toEqual({ code: 1, lines: [expect.stringContaining('set a passphrase in the office')] });
    expect(await copyAndSend()).toBeNull();
    expect(bucket.files.size).toBe(0);
  });

  test('needs a passphrase of twelve characters, which is set once and stored nowhere', async () => {
    expect(await call('POST', '/passphrase', { passphrase: 'eleven char' })).toMatchObject({ status: 422 });
    const { status, body } = await call('POST', '/passphrase', { passphrase: ` ${passphrase} ` });
    expect([status, body.data.key.sheet_confirmed_at]).toEqual([200, null]);
    expect(body.data.key.mark).toMatch(/^[a-z0-9]{4} [a-z0-9]{4}$/);
    expect(await call('POST', '/passphrase', { passphrase: 'another long one' })).toMatchObject({ status: 409 });
    const row = await app.database.db.selectFrom('backup_keys').selectAll().executeTakeFirstOrThrow();
    expect(JSON.stringify(row)).not.toContain(passphrase);
    expect(row.sealed_key).toMatch(/^-----BEGIN AGE ENCRYPTED FILE-----/);
  });

  test('needs a sheet, which is confirmed by typing the passphrase that is written on it', async () => {
    const wrong = await call('POST', '/sheet', { passphrase: 'seven cold chips on the plate' });
    expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([422, ['passphrase']]);
    expect((await call('GET')).body.data.key.sheet_confirmed_at).toBeNull();
    const { body } = await call('POST', '/sheet', { passphrase });
    expect(body.data.key.sheet_confirmed_at).toBe(app.clock.now.toISOString());
  });

  test.each<[string, () => object, string]>([
    ['the uploads’ own key', () => ({ access_key_id: 'uploads' }), 'access_key_id'],
    ['no secret', () => ({ secret_access_key: null }), 'secret_access_key'],
    ['no region', () => ({ region: null }), 'region'],
    ['plain http', () => ({ endpoint: 'http://s3.example.com' }), 'endpoint'],
    ['a wrong secret', () => ({ secret_access_key: 'wrong' }), 'to'],
    ['a bucket that is not there', () => ({ to: 's3://nowhere/kitchen' }), 'to'],
    ['a prefix with a hole', () => ({ to: 's3://copies/../pictures' }), 'to'],
    ['a path that is not whole', () => ({ to: 'backups' }), 'to'],
    ['the data folder', () => ({ to: app.services.config.dataDir }), 'to'],
    ['a folder in it', () => ({ to: join(app.services.config.dataDir, 'backups') }), 'to'],
    [
      'a folder of the same disk',
      () => ({ to: app.services.config.dataDir.replace(/\/?$/, '-near') }),
      'allows_same_disk',
    ],
  ])('is not %s', async (_, change, field) => {
    const { status, body } = await setBucket(change());
    expect([status, Object.keys(body.errors ?? {})]).toEqual([422, [field]]);
    expect((await call('GET')).body.data.place).toBeNull();
  });

  test('may be a folder of the same disk, if the owner says so', async () => {
    const address = app.services.config.dataDir.replace(/\/?$/, '-near');
    const { body } = await call('POST', '', { to: address, allows_same_disk: true });
    expect(body.data.place).toMatchObject({ to: address, is_same_disk: true, sent_at: null, copies: 0, problem: null });
    expect(await copyAndSend()).toMatchObject({ copies: 1, damaged: [] });
    expect(await readdir(address)).toEqual(['copies', 'hatch-sealed.json', 'objects']);
    expect((await call('GET')).body.data.place).toMatchObject({ copies: 1, sent_at: app.clock.now.toISOString() });
    await rm(address, { recursive: true });
    await expect(copyAndSend()).rejects.toThrow('Is its disk connected?');
    expect((await call('GET')).body.data.place.problem).toContain('Is its disk connected?');
  });

  test('is a bucket whose secret is shown nowhere, and which is tried before it is set', async () => {
    const { status, body } = await setBucket();
    expect([status, body.data.place.is_same_disk]).toEqual([200, false]);
    expect([...bucket.files.keys()]).toEqual(['/copies/kitchen/hatch-sealed.json']);
    const { secret_access_key: secret } = access();
    const stored = await app.database.db.selectFrom('backup_places').selectAll().execute();
    const audit = await app.database.db.selectFrom('audit_details').selectAll().execute();
    for (const text of [JSON.stringify(body), JSON.stringify(stored), JSON.stringify(audit)]) {
      expect(text).not.toContain(secret);
      expect(text).not.toContain(passphrase);
    }
    expect(JSON.stringify(audit)).toContain('s3://copies/kitchen');
  });

  test('gets what is new, and says when it does not', async () => {
    const first = await copyAndSend();
    const second = await copyAndSend();
    expect(first?.bytes).toBeGreaterThan(second?.bytes ?? Infinity);
    bucket.mood = 'forgetful';
    bucket.forgets = 'objects/';
    await app.database.db.updateTable('stores').set({ name: 'Renamed' }).execute();
    await expect(copyAndSend()).rejects.toThrow('did not store what it was given');
    expect((await call('GET')).body.data.place.problem).toContain('did not store what it was given');
    bucket.mood = 'fine';
    await copyAndSend();
    expect((await call('GET')).body.data.place).toMatchObject({ problem: null, copies: 1 });
    const known = await app.database.db
      .selectFrom('backup_objects')
      .select('name')
      .where('place', '=', 's3://copies/kitchen')
      .execute();
    const stored = [...bucket.files.keys()].filter((path) => path.includes('/objects/')).map((path) => path.slice(-64));
    // The contents are the only object that is no file of the shop.
    expect(stored.length - new Set(known.map(({ name }) => name)).size).toBe(1);
  });

  test('is set by BACKUP_TO before the office, which then cannot change it', async () => {
    const config = readConfig({ BACKUP_TO: '/mnt/disk/hatch', DATA_DIR: app.services.config.dataDir });
    expect(config.backupPlace).toEqual({ address: '/mnt/disk/hatch', s3: null });
    const other = await startTestApp({}, { BACKUP_TO: '/mnt/disk/hatch' });
    try {
      const token = await other.signIn('admin');
      const { body } = await other.request('GET', '/v1/backup-place', { token });
      expect(body.data.place).toMatchObject({ to: '/mnt/disk/hatch', is_from_settings: true });
      const change = { token, body: { to: '/mnt/other' } };
      expect((await other.request('POST', '/v1/backup-place', change)).status).toBe(409);
      expect((await other.request('DELETE', '/v1/backup-place', { token })).status).toBe(409);
    } finally {
      await other.close();
    }
  });
});

describe('an erasure', () => {
  test('reaches the second place by itself, by its id alone, and is applied to a shop from there', async () => {
    const contact = { name: 'Grace Guest', phone: '07700 900123', email: 'guest@example.com' };
    const { id } = (await app.request('POST', '/v1/orders', { body: app.orderBody({ contact }) })).body.data;
    await app.request('POST', `/v1/orders/${id}/reject`, { token: admin, body: { reason: 'too_busy' } });
    await copyAndSend();
    const list = () => bucket.files.get('/copies/kitchen/erasures.json')?.bytes.toString() ?? '';
    expect(list()).toBe('');
    bucket.mood = 'silent';
    expect((await app.request('POST', `/v1/orders/${id}/forget`, { token: admin })).status).toBe(200);
    bucket.mood = 'fine';
    // A failed attempt is repeated after an hour.
    await expect
      .poll(
        async () => {
          await app.database.db.updateTable('copy_folders').set({ check_at: app.clock.now }).execute();
          return list();
        },
        { timeout: 60_000 },
      )
      .toContain(id);
    expect(list()).not.toMatch(/Grace|example/);
    const verified = await hatch(['verify', '--from', 's3://copies/kitchen'], {}, passphrase);
    expect(verified.lines.at(-1)).toBe('Nothing is damaged in s3://copies/kitchen.');

    const dataDir = join(place, 'erased');
    const offline = { DATABASE_URL: '', DATA_DIR: place };
    const restored = await hatch(
      ['restore', '--from', 's3://copies/kitchen', '--data-dir', dataDir],
      offline,
      passphrase,
    );
    expect([restored.code, restored.lines.join(' ')]).toEqual([0, expect.not.stringContaining('erase them again')]);
    const due = await onEmbedded(dataDir, async (connection) => {
      const client = new pg.Client(connection);
      await client.connect();
      return client.query('select subject from erasures where due_at is not null').finally(() => client.end());
    });
    expect(due.rows).toContainEqual({ subject: id });
  }, 120_000);
});

test('copies are sent one at a time, by a lock at PostgreSQL itself', async () => {
  const other = await createTestDatabase('template1');
  const folder = join(app.services.config.dataDir, 'backups');
  const { number } = await makeCopy(await readCopySource(shop(), '1.0.0'), folder);
  const address = join(place, 'direct');
  await mkdir(address);
  const send = (database: pg.PoolConfig) =>
    sendCopyToPlace({ ...shop(), database }, { address, s3: null }, { folder, number, isProven: true });
  try {
    await withBackupLock(other.config, 'place', async () => {
      await expect(send(other.config)).rejects.toThrow('Another copy is being sent');
      expect(await send(app.database.config)).toMatchObject({ copies: 1 });
    });
    expect(await send(other.config)).toMatchObject({ copies: 1 });
  } finally {
    await other.drop();
  }
});

describe('settings', () => {
  const s3 = {
    BACKUP_TO: 's3://copies/kitchen',
    BACKUP_S3_ENDPOINT: 'https://s3.example.com',
    BACKUP_S3_REGION: 'eu-west-2',
    BACKUP_S3_ACCESS_KEY_ID: 'backups',
    BACKUP_S3_SECRET_ACCESS_KEY: 'secret',
  };
  const pictures = {
    S3_ENDPOINT: 'https://s3.example.com',
    S3_BUCKET: 'pictures',
    S3_ACCESS_KEY_ID: 'backups',
    S3_SECRET_ACCESS_KEY: 'secret',
  };
  test.each<[string, Record<string, string>, string]>([
    ['a key is missing', { ...s3, BACKUP_S3_REGION: '' }, 'set BACKUP_S3_REGION as well'],
    [
      'only the uploads have keys',
      { ...pictures, BACKUP_TO: s3.BACKUP_TO },
      'set BACKUP_S3_ENDPOINT, BACKUP_S3_REGION',
    ],
    ['the key is that of the uploads', { ...s3, ...pictures }, 'BACKUP_S3_ACCESS_KEY_ID is the key of the uploads'],
    ['the traffic could be read', { ...s3, BACKUP_S3_ENDPOINT: 'http://s3.example.com' }, 'must begin with https://'],
    ['the path is not whole', { BACKUP_TO: 'backups' }, 'BACKUP_TO must be a whole path'],
    ['the passphrase is short', { BACKUP_PASSPHRASE: 'short' }, 'BACKUP_PASSPHRASE: must have at least 12'],
  ])('are refused where %s', (_, environment, words) => {
    expect(() => readConfig(environment)).toThrow(words);
  });
});

describe('hatch', () => {
  const at = 's3://copies/kitchen';

  test('sends a copy to the bucket, verifies it, and restores it with the passphrase and SECRETS_KEY', async () => {
    const made = await hatch(['backup', '--to', `${at}/`]);
    expect(made).toEqual({
      code: 0,
      lines: [expect.stringMatching(/is in s3:\/\/copies\/kitchen, sealed, and was read back/)],
    });
    const wrong = await hatch(['verify', '--from', at], {}, 'not the passphrase');
    expect(wrong).toEqual({
      code: 1,
      lines: ['This is not the passphrase of these copies. Type it as it is on the recovery sheet.'],
    });
    const verified = await hatch(['verify', '--from', at], { DATA_DIR: place }, passphrase);
    const { mark } = (await call('GET')).body.data.key;
    expect([verified.code, ...verified.lines.slice(-2)]).toEqual([
      0,
      expect.stringContaining(`Their key mark is ${mark}.`),
      `Nothing is damaged in ${at}.`,
    ]);
    const json = await hatch(['verify', '--from', at, '--json'], { BACKUP_PASSPHRASE: passphrase });
    expect(JSON.parse(json.lines.join(''))).toMatchObject({ damages: [] });

    const dataDir = join(place, 'restored');
    const offline = { DATABASE_URL: '', SECRETS_KEY: '', DATA_DIR: place };
    const refused = await hatch(['restore', '--from', at, '--data-dir', dataDir], offline, 'not the passphrase');
    expect(refused).toEqual({ code: 1, lines: [expect.stringContaining('not the passphrase')] });
    await expect(readdir(dataDir)).rejects.toThrow('ENOENT');
    const restored = await hatch(['restore', '--from', at, '--data-dir', dataDir], offline, passphrase);
    expect([restored.code, restored.lines.at(-1)]).toEqual([0, `One of them is SECRETS_KEY=${secretsKey}`]);
    const names = await readdir(dataDir);
    expect(names).toContain('postgres');
    expect(names.filter((name) => name.startsWith('.'))).toEqual([]);
  }, 60_000);

  test('says in one line that a copy in a bucket is damaged, and restores nothing', async () => {
    for (const [path, file] of [...bucket.files].filter(([name]) => name.includes('/objects/'))) {
      const bytes = Buffer.from(file.bytes);
      bytes[bytes.length - 20] = (bytes[bytes.length - 20] ?? 0) ^ 1;
      bucket.files.set(path, { type: '', bytes });
    }
    const verified = await hatch(['verify', '--from', at], {}, passphrase);
    expect([verified.code, verified.lines.at(-1)]).toEqual([1, `${at} is damaged.`]);
    const offline = { DATABASE_URL: '', DATA_DIR: place };
    const refused = await hatch(['restore', '--from', at, '--data-dir', join(place, 'not')], offline, passphrase);
    expect(refused).toEqual({
      code: 1,
      lines: [expect.stringMatching(/is damaged or missing\. Nothing was restored/)],
    });
    expect(await readdir(join(place, 'not'))).toEqual(['hatch.lock']);
  });

  test('seals copies in a new folder once there is a passphrase, and goes on with a folder that is not sealed', async () => {
    const [sealed, plain] = [join(place, 'sealed'), join(place, 'plain')];
    expect((await hatch(['backup', '--to', sealed])).code).toBe(0);
    expect(await readdir(sealed)).toContain('hatch-sealed.json');
    const folder = join(app.services.config.dataDir, 'backups');
    await makeCopy(await readCopySource(shop(), '1.0.0'), plain);
    expect((await hatch(['backup', '--to', plain])).lines[0]).toContain('Copy 2 is in');
    expect((await readdir(join(folder, 'copies'))).length).toBeLessThanOrEqual(3);
    for (const name of await readdir(folder)) expect(name.startsWith('.')).toBe(false);
    // SECRETS_KEY is in no copy of the data folder.
    for (const name of await readdir(folder, { recursive: true })) {
      const bytes = await readFile(join(folder, name)).catch(() => Buffer.alloc(0));
      expect(bytes.includes(secretsKey)).toBe(false);
    }
  });

  test('makes no copy on the shop’s own disk that would leave too little room', async () => {
    const folders = [join(place, 'no-room'), join(place, 'sealed')];
    const { statfs } = promises;
    const almostFull = Object.assign(await statfs(place), { bsize: 1, bavail: 10.00001e9, blocks: 100e9 });
    // Node's own function, because a worker's files share the modules, and a mock of one of ours may come too late.
    Object.assign(promises, { statfs: async () => almostFull });
    syncBuiltinESMExports();
    try {
      for (const to of folders) {
        const said = await hatch(['backup', '--to', to]);
        expect(said).toEqual({
          code: 1,
          lines: [expect.stringContaining('Too little room would be left on the disk')],
        });
      }
      await expect(readdir(folders[0] ?? '')).rejects.toThrow('ENOENT');
    } finally {
      Object.assign(promises, { statfs });
      syncBuiltinESMExports();
    }
  });

  test('needs all settings of a bucket, by name', async () => {
    await writeFile(join(place, 'a-file'), '');
    const said = await hatch(['verify', '--from', at], { BACKUP_S3_ENDPOINT: '', BACKUP_S3_REGION: '' });
    expect(said).toEqual({
      code: 1,
      lines: ['For s3://copies/kitchen, set BACKUP_S3_ENDPOINT, BACKUP_S3_REGION as well.'],
    });
  });
});

test('another place asks for the sheet again, which names it, and its secrets take the place of the earlier ones', async () => {
  const without = await startTestApp();
  const token = await without.signIn('admin');
  const files = async () => (await readdir(join(without.services.config.dataDir, 'backup-keys'))).length;
  const post = (path: string, body: object) => without.request('POST', `/v1/backup-place${path}`, { token, body });
  const confirmed = async () =>
    (await without.request('GET', '/v1/backup-place', { token })).body.data.key.sheet_confirmed_at;
  try {
    await post('/passphrase', { passphrase });
    const parseBucket = (to: string) => post('', { to, ...access() });
    for (const to of ['s3://copies/one', 's3://copies/two']) {
      await post('/sheet', { passphrase });
      expect(await confirmed()).not.toBeNull();
      expect((await parseBucket(to)).status).toBe(200);
      expect(await confirmed()).toBeNull();
      // One signs lists of copies, and one opens the bucket.
      expect(await files()).toBe(2);
    }
    await post('/sheet', { passphrase });
    await post('/passphrase', { passphrase: 'nine warm pies in a box', starts_again: true });
    expect([await confirmed(), await files()]).toEqual([null, 1]);
  } finally {
    await without.close();
  }
});

test('another passphrase forgets the place, whose copies the first one still opens', async () => {
  const { body } = await call('POST', '/passphrase', { passphrase: 'nine warm pies in a box', starts_again: true });
  expect(body.data).toMatchObject({ place: null, key: { sheet_confirmed_at: null } });
  const again = await setBucket();
  expect([again.status, again.body.message]).toEqual([422, expect.stringContaining('copies of an earlier passphrase')]);
  expect((await setBucket({ to: 's3://copies/kitchen-2' })).status).toBe(200);
  expect(await copyAndSend()).toMatchObject({ number: expect.any(Number), copies: 1 });
  expect((await call('DELETE')).body.data.place).toBeNull();
  expect(await copyAndSend()).toBeNull();
});

test('of two who set another passphrase at once, one is told that theirs does not count', async () => {
  const texts = ['eleven hot wraps in a bag', 'twelve cold rolls in a tin'];
  const answers = await Promise.all(
    texts.map((text) => call('POST', '/passphrase', { passphrase: text, starts_again: true })),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  const counts = answers.findIndex(({ status }) => status === 200);
  expect(await call('POST', '/sheet', { passphrase: texts[1 - counts] })).toMatchObject({ status: 422 });
  expect(await call('POST', '/sheet', { passphrase: texts[counts] })).toMatchObject({ status: 200 });
});
