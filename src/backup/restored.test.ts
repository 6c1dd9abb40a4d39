import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { holdRestoredShop } from '#backup/server/load-rows.ts';
import type { Manifest } from '#backup/manifest.ts';
import { runCommand } from '#hatch/commands.ts';
import { urlOf } from '#testing/database-url.ts';
import { startAppOn, startTestApp, type TestApp } from '#testing/test-app.ts';

const noted = { number: 7, made_at: '2026-11-21T18:30:00.000Z' } as Manifest;
let before: TestApp;
/** Two instances of the restored shop. */
let shop: TestApp;
let other: TestApp;
let admin: string;
let open: { id: string; number: string };

beforeAll(async () => {
  before = await startTestApp();
  admin = await before.signIn('admin');
  open = (await before.request('POST', '/v1/orders', { body: before.orderBody() })).body.data;
  await before.stop();
  const at = new Date(before.clock.now.getTime() + 60_000);
  await holdRestoredShop(before.database.db, noted, at);
  const shared = { ...before.database, drop: async () => {} };
  shop = await startAppOn(shared, before.shop);
  other = await startAppOn(shared, before.shop);
});
afterAll(async () => {
  await shop.close();
  await other.close();
  await before.database.drop();
});

const place = (app: TestApp, change: Record<string, unknown> = {}, token?: string) =>
  app.request('POST', '/v1/orders', { body: app.orderBody(change), ...(token && { token }) });
const columnsOf = (table: 'mails' | 'order_mails') =>
  shop.database.db.selectFrom(table).selectAll().where('order_id', '=', open.id).execute();
const statusOf = async () => (await shop.request('GET', `/v1/orders/${open.id}`, { token: admin })).body.data.status;

test('a restored shop is well, says its epoch, and takes no orders, not even those of staff', async () => {
  const health = await shop.request('GET', '/health');
  expect([health.status, health.body.status]).toEqual([200, 'ok']);
  const epoch = health.headers.get('x-hatch-epoch');
  expect(epoch).toMatch(/^[0-9a-f-]{36}$/);
  const stores = await shop.request('GET', '/v1/stores');
  expect(stores.headers.get('x-hatch-epoch')).toBe(epoch);
  expect(stores.body.data[0]).toMatchObject({ pause_cause: 'restored' });
  expect((await other.request('GET', '/v1/page-config')).body.data.epoch).toBe(epoch);
  expect(stores.body.data[0].open_state ?? {}).not.toMatchObject({ is_open: true });
  const refused = await place(shop);
  expect([refused.status, refused.body.code]).toEqual([422, 'order_refused']);
  const byPhone = await place(shop, { channel: 'phone', override: true }, admin);
  expect([byPhone.status, byPhone.body.code]).toEqual([422, 'order_refused']);
});

test('hatch status and doctor say that it waits, and where its owner continues it', async () => {
  const lines: string[] = [];
  const say = (line: string) => void lines.push(line);
  const environment = { DATABASE_URL: urlOf(shop.database.config), DATA_DIR: shop.services.config.dataDir };
  for (const command of ['status', 'doctor'])
    await runCommand([command], environment, { say, complain: say, askSecretly: async () => '' }, () => shop.clock.now);
  const words = /backup of 2026-11-21 18:30 UTC.*\/admin\/restored$/;
  expect(lines.filter((line) => words.test(line))).toHaveLength(2);
  expect(lines.join()).not.toContain('paused until');
});

test('nobody ends its pause but by its own call', async () => {
  for (const call of ['resume', 'pause']) {
    const path = `/v1/stores/${shop.shop.storeId}/${call}`;
    const { status, body } = await shop.request('POST', path, { token: admin, body: { minutes: 5 } });
    expect([status, body.message]).toEqual([409, expect.stringContaining('restored from a backup')]);
  }
  const staff = await shop.signIn('store_admin', [shop.shop.storeId]);
  expect((await shop.request('GET', '/v1/restored', { token: staff })).status).toBe(403);
  expect((await shop.request('POST', '/v1/restored/continue', { token: staff, body: {} })).status).toBe(403);
});

test('it says what was open, and nothing that is due happens', async () => {
  shop.clock.now = other.clock.now = new Date(before.clock.now.getTime() + 24 * 60 * 60_000);
  const { body } = await shop.request('GET', '/v1/restored', { token: admin });
  expect(body.data).toMatchObject({
    copy_number: 7,
    copy_made_at: noted.made_at,
    continued_at: null,
    open_orders: [{ id: open.id, number: Number(open.number), status: 'placed', name: 'Ada Byron' }],
  });
  const audited = () => shop.database.db.selectFrom('audit_unchained').selectAll().execute();
  // The audit log's chain is due work that is not held.
  await shop.request('POST', `/v1/stores/${shop.shop.storeId}/busy`, { token: admin, body: { minutes: 5 } });
  await expect.poll(audited, { timeout: 10_000 }).toEqual([]);
  expect(await statusOf()).toBe('placed');
});

test('one tap sells again, at every instance, and the second person’s tap changes nothing', async () => {
  await shop.database.db
    .insertInto('order_mails')
    .values({ order_id: open.id, kind: 'accepted', refund_id: null, owed_at: before.clock.now })
    .execute();
  const goOn = (app: TestApp) => app.request('POST', '/v1/restored/continue', { token: admin, body: {} });
  const [one, two] = await Promise.all([goOn(shop), goOn(other)]);
  expect([one?.status, two?.status]).toEqual([200, 200]);
  expect(one?.body.data.continued_at).toBe(two?.body.data.continued_at);
  expect(await columnsOf('order_mails')).toEqual([]);
  expect((await columnsOf('mails')).map(({ state }) => state)).not.toContain('queued');
  const store = await shop.request('GET', `/v1/stores/${shop.shop.storeId}`);
  expect(store.body.data).toMatchObject({ pause_cause: null, paused_until: null });
  // The deadline had passed, so staff get more time.
  const accepted = await other.request('POST', `/v1/orders/${open.id}/accept`, { token: admin, body: {} });
  expect([accepted.status, accepted.body.data?.status]).toEqual([200, 'accepted']);
  const numbered = await place(other, { session: randomUUID() });
  expect([numbered.status, numbered.body.data?.number]).toEqual([201, '101']);
  // Due work goes on at both instances.
  await expect
    .poll(() => columnsOf('mails').then((rows) => rows.map(({ kind, state }) => `${kind} ${state}`)), {
      timeout: 10_000,
    })
    .toContain('order_accepted filed');
});
