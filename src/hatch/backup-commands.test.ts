import { randomUUID } from 'node:crypto';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rowsOf, rulesOf } from '#backup/testing/every-row.ts';
import { hasHadShop } from '#database/data-version.ts';
import { findDatabase } from '#database/find-database.ts';
import { runCommand } from '#hatch/commands.ts';
import { urlOf } from '#testing/database-url.ts';
import { startTestApp, type TestApp } from '#testing/test-app.ts';
import { createTestDatabase } from '#testing/test-database.ts';

let app: TestApp;
let place: string;
let admin: string;
beforeAll(async () => {
  app = await startTestApp();
  place = await mkdtemp(join(tmpdir(), 'hatch-copies-'));
  admin = await app.signIn('admin');
});
afterAll(async () => {
  await app.close();
  await rm(place, { recursive: true, force: true });
});

async function hatch(argv: string[], more: Record<string, string> = {}) {
  const lines: string[] = [];
  const say = (line: string) => void lines.push(line);
  const terminal = { say, complain: say, askSecretly: async () => '' };
  const environment = { DATABASE_URL: urlOf(app.database.config), DATA_DIR: app.services.config.dataDir, ...more };
  const code = await runCommand(argv, environment, terminal, () => app.clock.now);
  return { code, text: lines.join('\n') };
}

/** Orders with everything that follows them, and an uploaded picture. */
async function trade(): Promise<void> {
  const { body } = await app.request('POST', '/v1/orders', { body: app.orderBody() });
  await app.request('POST', `/v1/orders/${body.data.id}/accept`, { token: admin, body: {} });
  await app.request('POST', '/v1/orders', {
    body: app.orderBody({ contact: { name: 'Tab\t"quoted" \\N 🍕', phone: '07700 900123', email: 'b@example.com' } }),
  });
  await mkdir(join(app.services.config.dataDir, 'uploads'), { recursive: true });
  await writeFile(join(app.services.config.dataDir, 'uploads', picture), Buffer.from('a picture'));
}
const picture = `${'ab'.repeat(32)}-640.avif`;

const offline = (dataDir: string) => ({ DATABASE_URL: '', DATA_DIR: dataDir });

describe('hatch backup, verify and restore', () => {
  test('bring every row, picture and key back on an empty folder', async () => {
    await trade();
    const copies = join(place, 'first');
    let rows: Record<string, string[]> = {};
    // The shop's own work goes on: a copy counts whose shop was the same before and after it.
    await expect
      .poll(
        async () => {
          await rm(copies, { recursive: true, force: true });
          const before = await rowsOf(app.database.config);
          const made = await hatch(['backup', '--to', copies]);
          expect([made.code, made.text]).toEqual([0, expect.stringMatching(/^Copy 1 is in /)]);
          rows = await rowsOf(app.database.config);
          return isDeepStrictEqual(before, rows);
        },
        { timeout: 60_000 },
      )
      .toBe(true);
    expect(rows['orders']).toHaveLength(2);
    expect((await hatch(['verify', '--from', copies])).code).toBe(0);

    const dataDir = join(place, 'restored');
    const restored = await hatch(['restore', '--from', copies, '--data-dir', dataDir], offline(place));
    expect([restored.code, restored.text]).toEqual([0, expect.stringContaining('Every row was checked')]);
    expect((await readdir(dataDir)).toSorted()).toEqual(
      expect.arrayContaining(['hatch.json', 'installation-key', 'postgres', 'uploads']),
    );
    for (const file of ['installation-key/key', `uploads/${picture}`])
      expect(await readFile(join(dataDir, file))).toEqual(await readFile(join(app.services.config.dataDir, file)));
    const { connection, stop } = await findDatabase({ dataDir });
    try {
      const [found, wanted] = [await rowsOf(connection), rows].map((all) => {
        // A restored shop is paused, and skips numbers.
        const { stores, order_numbers: _numbers, restores, ...others } = all;
        return { ...others, stores: stores?.length, restores };
      });
      expect(found).toEqual({ ...wanted, restores: [expect.stringContaining(',1,')] });
      // Keys, triggers and counters are as the migrations made them.
      expect(await rulesOf(connection)).toEqual(await rulesOf(app.database.config));
    } finally {
      await stop();
    }
  });

  test('say no to a folder of other things, of another shop, and in the data folder', async () => {
    const other = join(place, 'other');
    await mkdir(other);
    await writeFile(join(other, 'holiday.jpg'), '');
    const { dataDir } = app.services.config;
    for (const [to, words] of [
      [other, 'has other things in it'],
      [join(dataDir, 'uploads', 'copies'), 'own folder'],
      [dataDir, 'own folder'],
      [join(other, 'holiday.jpg'), 'cannot be used for copies: there is a file of this name'],
    ] as const) {
      const { code, text } = await hatch(['backup', '--to', to]);
      expect([code, text]).toEqual([1, expect.stringContaining(words)]);
    }
    const copies = join(place, 'strangers');
    expect((await hatch(['backup', '--to', copies])).code).toBe(0);
    const index = join(copies, 'hatch-backups.json');
    await writeFile(index, (await readFile(index, 'utf8')).replace(/"shop_id":"[^"]+"/, `"shop_id":"${randomUUID()}"`));
    expect((await hatch(['backup', '--to', copies])).text).toContain('the copies of another shop');
    expect((await hatch(['verify', '--from', copies])).code).toBe(1);
  });

  test('of another shop are found by the id of this machine’s shop, folder and all', async () => {
    const copies = join(place, 'theirs');
    expect((await hatch(['backup', '--to', copies])).code).toBe(0);
    expect((await hatch(['verify', '--from', copies])).code).toBe(0);
    const { db } = app.database;
    const { shop_id } = await db.selectFrom('installation').select('shop_id').executeTakeFirstOrThrow();
    await db.updateTable('installation').set({ shop_id: randomUUID() }).execute();
    const { code, text } = await hatch(['verify', '--from', copies]);
    await db.updateTable('installation').set({ shop_id }).execute();
    expect([code, text]).toEqual([1, expect.stringContaining('It is a copy of another shop.')]);
    // A new machine has no shop yet.
    expect((await hatch(['verify', '--from', copies], offline(place))).code).toBe(0);
  });

  test('one after the other share pictures, and two at once make one', async () => {
    const copies = join(place, 'several');
    const first = await hatch(['backup', '--to', copies, '--json']);
    expect(JSON.parse(first.text)).toMatchObject({ number: 1 });
    await rm(join(app.services.config.dataDir, 'uploads', picture));
    const both = await Promise.all([hatch(['backup', '--to', copies]), hatch(['backup', '--to', copies])]);
    expect(both.map(({ code }) => code).toSorted()).toEqual([0, 1]);
    expect(both.find(({ code }) => code === 1)?.text).toContain('Another copy of this shop is being made');
    expect(await readdir(join(copies, 'copies'))).toEqual(['000001', '000002']);
    expect(await readdir(join(copies, 'uploads'))).toEqual([picture]);
    const { code, text } = await hatch(['verify', '--from', copies, '--json']);
    expect([code, JSON.parse(text)]).toMatchObject([0, { damages: [], copies: [{ is_whole: true }, { number: 2 }] }]);
  });

  test('a folder that is used, a copy that is damaged and a missing key end a restore, and leave nothing', async () => {
    const copies = join(place, 'first');
    const used = join(place, 'restored');
    const refused = async (from: string, dataDir: string, more = {}) => {
      const { code, text } = await hatch(['restore', '--from', from, '--data-dir', dataDir], {
        ...offline(place),
        ...more,
      });
      expect(code).toBe(1);
      return text;
    };
    expect(await refused(copies, used)).toContain('is not empty');
    expect(await refused(join(place, 'nowhere'), join(place, 'no'))).toContain('There is no folder');
    const damaged = join(place, 'damaged');
    await cp(copies, damaged, { recursive: true });
    await rm(join(damaged, 'copies', '000001', 'tables', 'orders.copy.gz'));
    const fresh = join(place, 'fresh');
    expect(await refused(damaged, fresh)).toContain('tables/orders.copy.gz: It is missing');
    expect(await readdir(place)).not.toContain('fresh');
    expect(await refused(copies, fresh, { DATABASE_URL: 'postgres://127.0.0.1/x' })).toContain('unset DATABASE_URL');
  });

  test('a copy from before the set-up becomes a shop that may be set up', async () => {
    const empty = await createTestDatabase();
    const unset = join(place, 'unset');
    await mkdir(unset);
    const copies = join(place, 'before');
    const made = await hatch(['backup', '--to', copies], { DATABASE_URL: urlOf(empty.config), DATA_DIR: unset });
    expect([made.code, made.text]).toEqual([0, expect.stringContaining('Copy 1')]);
    const dataDir = join(place, 'to-set-up');
    const restored = await hatch(['restore', '--from', copies, '--data-dir', dataDir], offline(place));
    expect([restored.code, restored.text]).toEqual([0, expect.stringContaining('Every row was checked')]);
    // Otherwise its start would look for the shop that was there.
    expect(await hasHadShop(dataDir)).toBe(false);
    expect(await hasHadShop(join(place, 'restored'))).toBe(true);
    await empty.drop();
  });

  test('ask for what they need', async () => {
    for (const argv of [['backup'], ['verify'], ['restore', '--from', place], ['verify', '--from', place, 'more']])
      expect((await hatch(argv)).code).toBe(2);
  });
});
