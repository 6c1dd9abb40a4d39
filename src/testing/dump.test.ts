import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { setupCodeFrom, setupCode } from '#accounts/server/set-up-shop.ts';
import { storeOrdersChannelName } from '#ordering/channels.ts';
import { digestNetwork } from '#ordering/server/order-limits.ts';
import { signWebhook } from '#payment/server/sandbox/webhook.ts';
import { openRaw, socketUrl } from '#realtime/testing/server.ts';
import { signChannel, signPusherHttpApiCall, hashBody } from '#realtime/server/signature.ts';
import { startMailServer, type MailServer } from '#testing/mail-server.ts';
import { readDump, textsIn } from '#testing/read-dump.ts';
import { startTestApp, type TestApp } from '#testing/test-app.ts';
import { addUser } from '#testing/users.ts';

/* A stranger has a copy of the whole database, made while everything was going on, and none of the files. */

let smtp: MailServer;
let app: TestApp;
let dump: Awaited<ReturnType<typeof readDump>>;
let texts: string[];
const session = randomUUID();
/** What people hold, by its kind. */
const held: Record<string, string> = { session };

beforeAll(async () => {
  smtp = await startMailServer();
  app = await startTestApp({ max_orders_per_address_hour: 30 }, { SMTP_URL: smtp.url });
  const { db } = app.database;
  const post = async (path: string, body: object, token?: string) => {
    const answer = await app.request('POST', path, { body, ...(token !== undefined && { token }) });
    if (answer.status >= 300) throw new Error(JSON.stringify(answer.body));
    return answer.body;
  };
  await post('/v1/orders', app.orderBody({ session }));
  await post('/v1/orders', app.orderBody({ payment_method: 'card' }));
  const admin = await app.signIn('admin');
  const { storeId: store_id } = app.shop;
  const code = await post('/v1/devices/codes', { store_id, name: 'Tablet' }, admin);
  const used = await post('/v1/devices/codes', { store_id, name: 'Counter' }, admin);
  const device = await post('/v1/devices/sign-in', { code: used.data.code });
  const { email } = await addUser(db, 'store_admin', [store_id]);
  await post('/v1/auth/forgot-password', { email });
  const find = () => smtp.received.find(({ to, text }) => to.includes(email) && text.includes('#token='));
  await vi.waitUntil(find, { timeout: 60_000, interval: 50 });
  Object.assign(held, {
    'sign-in': admin,
    'code of a device': code.data.code,
    'sign-in of a device': device.data.token,
    'link to choose a password': /#token=([\w-]+)/.exec(find()?.text ?? '')?.[1],
  });
  dump = await readDump(db);
  texts = textsIn(dump);
});
afterAll(async () => {
  await app.close();
  await smtp.stop();
});

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

test('what people hold is not in it', () => {
  expect(Object.values(held).filter((secret) => !secret)).toEqual([]);
  for (const [kind, secret] of Object.entries(held)) {
    const tables = [...dump].filter(([, rows]) => rows.some((row) => row.toLowerCase().includes(secret.toLowerCase())));
    expect(
      tables.map(([table]) => table),
      kind,
    ).toEqual([]);
  }
});

test('no text in it is the secret of any digest in it, and no code that can be guessed has a fast one', () => {
  // The counters of attempts have digests of addresses of mail, which are no secrets.
  const rows = new Map([...dump].filter(([table]) => table !== 'public.throttles'));
  const digests = new Set(textsIn(rows).filter((text) => /^[0-9a-f]{64}$/.test(text)));
  expect(digests.has(sha256(session))).toBe(true);
  const opens = (text: string) => [text, text.toLowerCase()].some((secret) => digests.has(sha256(secret)));
  expect(texts.filter(opens)).toEqual([]);
  expect(digests.has(sha256(held['code of a device'] ?? ''))).toBe(false);
});

test('no text in it signs a channel of staff, an event, a message of the sandbox, a network or the set-up', async () => {
  const { realtime, payments, installationKeys, now } = app.services;
  const channel = storeOrdersChannelName(app.shop.storeId);
  const real = realtime.sign('1.1', channel);
  const signs = (secret: string) => signChannel({ key: realtime.key, secret }, '1.1', channel) === real;
  expect(texts.filter(signs)).toEqual([]);
  expect(signs(installationKeys.secret('hatch realtime'))).toBe(true);

  const body = JSON.stringify({ id: 'evt_1', reference: 'sbx_1' });
  const isTaken = (secret: string) =>
    payments.sandbox.readWebhook(body, () => signWebhook(body, secret, now()), now()).then((event) => event !== null);
  const taken = await Promise.all(texts.map(isTaken));
  expect(texts.filter((_text, index) => taken[index])).toEqual([]);
  expect(await isTaken(installationKeys.secret('hatch sandbox messages'))).toBe(true);

  const own = texts.filter((key) => texts.includes(digestNetwork(key, '127.0.0.1')));
  expect(own).toEqual([]);
  expect(texts).toContain(digestNetwork(app.services.networkKey, '127.0.0.1'));

  const code = setupCode(installationKeys);
  expect(texts.filter((text) => text.includes(code) || setupCodeFrom(text) === code)).toEqual([]);
});

test('with it nobody is signed in, reads an order whole, listens or publishes', async () => {
  const { realtime } = app.services;
  const likely = texts.filter((text) => /^[\x21-\x7e]{8,}$/.test(text));
  const { id } = await app.database.db
    .selectFrom('orders')
    .select('id')
    .where('payment_method', '=', 'cash')
    .executeTakeFirstOrThrow();
  const whole = await app.request('GET', `/v1/orders/${id}`, { headers: { 'x-order-session': session } });
  expect(whole.body.data).toMatchObject({ session, contact: { name: 'Ada Byron' } });
  for (const text of likely) {
    const signedIn = await app.request('GET', '/v1/auth/user', { token: text });
    expect(signedIn.status, text).toBe(401);
    const read = await app.request('GET', `/v1/orders/${id}`, { headers: { 'x-order-session': text } });
    expect(read.body.data.contact, text).toBeUndefined();
  }

  const secrets = (await app.database.db.selectFrom('installation_secrets').selectAll().execute()).map(
    ({ value }) => value,
  );
  const client = openRaw(socketUrl(Number(new URL(app.url).port), `/app/${realtime.key}?protocol=7`));
  const { socket_id: socketId } = (await client.next('pusher:connection_established')).data as { socket_id: string };
  for (const secret of secrets) {
    const channel = storeOrdersChannelName(app.shop.storeId);
    const data = JSON.stringify({ user_id: randomUUID(), signed_in_by: `sign-in ${randomUUID()}` });
    const auth = signChannel({ key: realtime.key, secret }, socketId, channel, data);
    client.send('pusher:subscribe', { channel, auth, channel_data: data });
    const refused = await client.next('pusher:subscription_error');
    expect(refused.data).toMatchObject({ status: 401 });

    const event = JSON.stringify({ name: 'order.placed', channel, data: '{}' });
    const query: Record<string, string> = {
      auth_key: realtime.key,
      auth_timestamp: String(Math.floor(Date.now() / 1000)),
      auth_version: '1.0',
      body_md5: hashBody(event),
    };
    const path = '/apps/hatch/events';
    query['auth_signature'] = signPusherHttpApiCall({ key: realtime.key, secret }, 'POST', path, query);
    const answer = await app.request('POST', `${path}?${new URLSearchParams(query).toString()}`, {
      body: JSON.parse(event),
    });
    expect(answer.status).toBe(401);
  }
  client.socket.terminate();
});
