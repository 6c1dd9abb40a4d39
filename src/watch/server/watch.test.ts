import { createServer, type Server } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { listFiledMailIds, readFiledMail } from '#mail/server/mail-retention.ts';
import { storeBoardsChannel } from '#kitchen/channels.ts';
import { connectToApp, nextEvent, type PusherClient } from '#realtime/testing/clients.ts';
import { withTransactionRetries } from '#database/transaction.ts';
import { saturdayEvening } from '#testing/small-shop.ts';
import { startTestApp, type TestApp } from '#testing/test-app.ts';
import {
  type StoreBoardWatch,
  storeBoardWatchesJson,
  alertAboutWaitingOrders,
  checkBoards,
} from '#watch/server/watch.ts';

const pusher = { PUSHER_APP_KEY: 'test-key', PUSHER_APP_SECRET: 'test-secret', PUSHER_APP_ID: 'test' };
let hook: Hook;
let app: TestApp;
let admin: string;
let boards: PusherClient[] = [];
const cleanUp: (() => Promise<void>)[] = [];
beforeAll(async () => {
  hook = await openHook();
  app = await startTestApp({}, { ...pusher, ALERT_WEBHOOK_URL: hook.url });
  admin = await app.signIn('admin');
});
afterAll(async () => {
  await app.close();
  hook.server.close();
});
beforeEach(async () => {
  app.clock.now = saturdayEvening;
  // The running shop's own work may hold rows of one table and wait for rows of another; without orders it warns of
  // none.
  await withTransactionRetries(() => app.database.db.deleteFrom('orders').execute());
  await withTransactionRetries(() => app.database.db.deleteFrom('board_watches').execute());
  await change({ pause_when_unattended: false });
  await app.request('POST', `/v1/stores/${app.shop.storeId}/resume`, { token: admin });
  // What the test before owed, or the running shop's own clockwork in its time, is no news of this one.
  while ((await owedAlerts()) > 0) await setTimeout(20);
  hook.heard.length = 0;
});
afterEach(async () => {
  for (const board of boards) board.disconnect();
  boards = [];
  for (const close of cleanUp.splice(0)) await close();
});

/** Jobs and mail come as soon as the machine gets to them; how long that takes is no part of what is tested. */
const patient = { timeout: 60_000 };
vi.setConfig({ testTimeout: 200_000, hookTimeout: 100_000 });
const owedAlerts = async () => {
  const { rows } = await sql<{ owed: number }>`
    select count(*)::int as owed from pgboss.job where name in ('alert', 'mail') and state < 'completed'`.execute(
    app.database.db,
  );
  return rows[0]?.owed ?? 0;
};

const later = (minutes: number) => (app.clock.now = new Date(app.clock.now.getTime() + minutes * 60_000));
const look = async () => {
  const { rows } = await sql<{ stores: StoreBoardWatch[] }>`select (${storeBoardWatchesJson}) as stores`.execute(
    app.database.db,
  );
  await checkBoards(app.services, saturdayEvening, rows[0]?.stores ?? []);
};
const store = async () => (await app.request('GET', `/v1/stores/${app.shop.storeId}`)).body.data;
const heard = (kind: string) => hook.heard.filter((alert) => alert['kind'] === kind);
const change = (body: Record<string, unknown>) =>
  app.request('PATCH', `/v1/stores/${app.shop.storeId}`, { body, token: admin });

describe('no board is switched on while the shop is open', () => {
  test('the owner hears of it once by mail and by the webhook, and again when one is back', async () => {
    const since = await mailCount(app, 'No order board is on');
    later(1);
    await look();
    expect(await mailCount(app, 'No order board is on')).toBe(since);
    later(2);
    await Promise.all([look(), look(), look()]);
    await look();
    await expect.poll(() => heard('boards_lost').length, patient).toBe(1);
    await expect.poll(() => mailCount(app, 'No order board is on'), patient).toBe(since + 1);
    expect(heard('boards_lost')[0]).toMatchObject({ store_id: app.shop.storeId, at: app.clock.now.toISOString() });
    later(5);
    await look();
    await switchOn();
    await look();
    await look();
    await expect.poll(() => heard('boards_back').length, patient).toBe(1);
    await expect.poll(() => mailCount(app, 'An order board is on again'), patient).toBe(1);
    expect(heard('boards_lost')).toHaveLength(1);
  });

  test('with a board on, nobody hears anything, however late it gets', async () => {
    await switchOn();
    for (let minutes = 0; minutes < 30; minutes += 5) {
      later(5);
      await look();
    }
    const rows = await app.database.db.selectFrom('board_watches').selectAll().execute();
    expect(rows).toMatchObject([{ lost_at: null, seen_at: app.clock.now }]);
  });

  test('a board that another instance sees counts here', async () => {
    later(10);
    await app.database.db
      .insertInto('board_watches')
      .values({ store_id: app.shop.storeId, seen_at: app.clock.now })
      .execute();
    await look();
    const row = await app.database.db.selectFrom('board_watches').selectAll().executeTakeFirstOrThrow();
    expect(row.lost_at).toBeNull();
  });

  test('the shop pauses by itself where it is set to, and takes orders again when a board is on', async () => {
    await change({ pause_when_unattended: true });
    later(3);
    await look();
    expect(await store()).toMatchObject({
      paused_until: '2026-11-21T23:00:00.000Z',
      pause_reason: null,
      pause_cause: 'no_board',
    });
    const refused = await app.request('POST', '/v1/orders', { body: app.orderBody() });
    expect(refused.body.problems).toMatchObject([{ code: 'shop_paused' }]);
    await switchOn();
    await look();
    expect(await store()).toMatchObject({ paused_until: null, pause_reason: null, pause_cause: null });
  });

  test('a pause that somebody made instead stays when a board is on', async () => {
    await change({ pause_when_unattended: true });
    later(3);
    await look();
    const body = { minutes: 240, reason: 'Oven broken' };
    await app.request('POST', `/v1/stores/${app.shop.storeId}/pause`, { body, token: admin });
    await switchOn();
    await look();
    expect(await store()).toMatchObject({ pause_reason: 'Oven broken' });
  });

  test('an order is rejected at its deadline all the same', async () => {
    const { body } = await app.request('POST', '/v1/orders', { body: app.orderBody() });
    later(11);
    // The running shop's own clockwork does it.
    await expect
      .poll(async () => (await app.request('GET', `/v1/orders/${body.data.id}`)).body.data, patient)
      .toMatchObject({
        status: 'rejected',
        reject_reason: 'not_answered',
      });
  });
});

describe('an order waits', () => {
  const place = async () => (await app.request('POST', '/v1/orders', { body: app.orderBody() })).body.data.id as string;

  test('the owner hears of it when half of its time is gone, once', async () => {
    await place();
    await place();
    later(4);
    expect(await alertAboutWaitingOrders(app.services)).toBe(0);
    later(1);
    // The running shop's own clockwork may be before both.
    await Promise.all([alertAboutWaitingOrders(app.services), alertAboutWaitingOrders(app.services)]);
    const ofBoth = () => heard('orders_waiting').filter(({ text }) => /the orders #\d+, #\d+ at/.test(String(text)));
    await expect.poll(() => ofBoth().length, patient).toBe(1);
    later(2);
    expect(await alertAboutWaitingOrders(app.services)).toBe(0);
    expect(ofBoth()).toHaveLength(1);
  });

  const warned = async (id: string) => {
    const watches = app.database.db.selectFrom('order_watches').select('warned_at').where('order_id', '=', id);
    return (await watches.executeTakeFirst())?.warned_at ?? null;
  };
  const hear = (ids: string[]) =>
    app.request('POST', `/v1/stores/${app.shop.storeId}/heard`, { body: { order_ids: ids }, token: admin });

  test('it makes no difference that somebody at a board has heard it: nobody has answered', async () => {
    const id = await place();
    expect((await hear([id])).status).toBe(204);
    later(4);
    expect((await hear([id])).status).toBe(204);
    expect(await alertAboutWaitingOrders(app.services)).toBe(0);
    later(1);
    await alertAboutWaitingOrders(app.services);
    await expect.poll(() => heard('orders_waiting').length, patient).toBe(1);
    expect(heard('orders_waiting')[0]).toMatchObject({
      text: expect.stringContaining('Someone pressed “Heard it” at an order board at 18:04'),
    });
  });

  test('no order goes unmentioned because another was told of just before', async () => {
    await place();
    later(2);
    const second = await place();
    const { number } = (await app.request('GET', `/v1/orders/${second}`)).body.data;
    later(3);
    await alertAboutWaitingOrders(app.services);
    await expect.poll(() => heard('orders_waiting').length, patient).toBe(1);
    later(2);
    // Half of its time is gone too, but there is time yet to tell of it together with others.
    expect(await alertAboutWaitingOrders(app.services)).toBe(0);
    expect(await warned(second)).toBeNull();
    later(2);
    await alertAboutWaitingOrders(app.services);
    await expect.poll(() => heard('orders_waiting').length, patient).toBe(2);
    expect(heard('orders_waiting').filter(({ text }) => String(text).includes(`#${number}`))).toHaveLength(1);
  });

  test('a pre-order made at night has its half after the opening', async () => {
    app.clock.now = new Date('2026-11-21T23:30:00Z');
    const body = app.orderBody({ requested_for: '2026-11-22T13:00:00Z' });
    await app.request('POST', '/v1/orders', { body });
    app.clock.now = new Date('2026-11-22T12:04:00Z');
    expect(await alertAboutWaitingOrders(app.services)).toBe(0);
    app.clock.now = new Date('2026-11-22T12:05:00Z');
    await alertAboutWaitingOrders(app.services);
    await expect.poll(() => heard('orders_waiting').length, patient).toBe(1);
  });
});

test('an alert that the webhook refuses is sent again', async () => {
  hook.refuseNext = 1;
  later(3);
  await look();
  await expect.poll(() => heard('boards_lost').length, patient).toBe(1);
  expect(hook.refuseNext).toBe(0);
});

interface Hook {
  server: Server;
  url: string;
  heard: Record<string, unknown>[];
  refuseNext: number;
}

/** Somebody who listens for alerts. */
async function openHook(): Promise<Hook> {
  const opened: Omit<Hook, 'server' | 'url'> = { heard: [], refuseNext: 0 };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (hook.refuseNext > 0) {
        hook.refuseNext -= 1;
        response.writeHead(503).end();
        return;
      }
      hook.heard.push(JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>);
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return Object.assign(opened, { server, url: `http://127.0.0.1:${port}/alerts` });
}

/** A board with its shift begun. */
async function switchOn(): Promise<void> {
  const board = connectToApp(app.url, admin);
  boards.push(board);
  await nextEvent(board.subscribe(storeBoardsChannel(app.shop.storeId)), 'pusher:subscription_succeeded');
}

async function mailCount({ services }: TestApp, subject: string): Promise<number> {
  const ids = await listFiledMailIds(services.config);
  const mails = await Promise.all(ids.map((id) => readFiledMail(services.config, id)));
  return mails.filter((mail) => mail?.subject.startsWith(subject)).length;
}
