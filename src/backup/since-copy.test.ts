import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readCopySource } from '#backup/server/copy-source.ts';
import { makeCopy } from '#backup/server/make-copy.ts';
import { restoreCopy } from '#backup/server/restore-copy.ts';
import { connect } from '#database/connect.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#database/embedded/embedded-postgres.ts';
import { openStripeShop, type StripeShop } from '#payment/testing/stripe-shop.ts';
import { startEscPosPrinter } from '#simulators/printers/escpos-wire.ts';
import type { TcpPrinter } from '#simulators/printers/tcp-printer.ts';
import { addPrinter } from '#testing/fake-printers.ts';
import { startMailServer, type MailServer } from '#testing/mail-server.ts';
import { startAppOn, type TestApp } from '#testing/test-app.ts';

/*
 * A shop is copied, goes on selling, and burns. It is restored from the copy, beside a Stripe, a printer and a mail server that
 * know what came after it.
 */

let place: string;
let smtp: MailServer;
let printer: TcpPrinter;
let old: StripeShop;
let postgres: EmbeddedPostgres;
/** Two instances of the restored shop. */
let shop: TestApp;
let other: TestApp;
let admin: string;
const ids: Record<string, string> = {};
const quiet = { info() {}, warn() {}, error() {} };
const soon = { timeout: 30_000, interval: 50 };

beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'hatch-since-copy-'));
  smtp = await startMailServer();
  printer = await startEscPosPrinter();
  const settings = { SMTP_URL: smtp.url, PRINTER_SIMULATOR: '1' };
  old = await openStripeShop(settings);
  await old.call('POST', '/v1/payments/setup', { secret_key: old.newKey() });
  await addPrinter(old.app, { address: `127.0.0.1:${printer.port}` }, old.owner);
  await sellUntilTheCopy();
  const { config, db } = old.app.services;
  const copied = { config, db, database: old.app.database.config, now: () => old.app.clock.now };
  await makeCopy(await readCopySource(copied, '1.0.0'), join(place, 'copies'));
  await sellAfterTheCopy();
  await burn();
  const dataDir = join(place, 'restored');
  await restoreCopy({
    from: join(place, 'copies'),
    dataDir,
    until: null,
    secretsKey: undefined,
    hatch: '1.0.0',
    log: quiet,
  });
  postgres = await startEmbeddedPostgres({ dataDir, log: quiet });
  const database = {
    ...connect(postgres.connection, () => undefined),
    config: postgres.connection,
    drop: async () => {},
  };
  // The shop's clock stands on a Saturday evening.
  const at = old.app.clock.now;
  await database.db.updateTable('provider_readings').set({ check_at: at }).execute();
  const environment = { ...settings, STRIPE_API_BASE: old.stripe.origin };
  shop = await startAppOn(database, old.app.shop, { ...environment, DATA_DIR: dataDir });
  other = await startAppOn(database, old.app.shop, { ...environment, DATA_DIR: dataDir });
  shop.clock.now = other.clock.now = at;
  admin = old.owner;
}, 180_000);
afterAll(async () => {
  await shop.close();
  await other.close();
  await shop.database.close();
  await postgres.stop();
  await old.close();
  await printer.stop();
  await smtp.stop();
  await rm(place, { recursive: true, force: true });
});

const accept = (id: string) => old.call('POST', `/v1/orders/${id}/accept`, {});
const stateOf = async (id: string) => (await old.call('GET', `/v1/orders/${id}`)).payment_status as string;
const refund = (id: string, amount: number) =>
  old.call('POST', `/v1/orders/${id}/refunds`, { key: crypto.randomUUID(), amount, reason: 'Cold' });
async function charged(): Promise<string> {
  const id = await old.placed();
  await accept(id);
  await old.until(async () => (await stateOf(id)) === 'paid');
  return id;
}

async function sellUntilTheCopy(): Promise<void> {
  ids['refunded later'] = await charged();
  ids['accepted later'] = await old.placed();
  const { id, session } = await old.order();
  ids['paid later'] = id;
  sessionOf.set(id, session);
}
const sessionOf = new Map<string, string>();

/** Sells, prints, mails and refunds after the restore point. */
async function sellAfterTheCopy(): Promise<void> {
  old.wait(60);
  await refund(ids['refunded later'] ?? '', 400);
  await old.until(async () => (await stateOf(ids['refunded later'] ?? '')) === 'partially_refunded');
  await accept(ids['accepted later'] ?? '');
  await old.until(async () => (await stateOf(ids['accepted later'] ?? '')) === 'paid');
  old.stripe.control.pay(sessionOf.get(ids['paid later'] ?? '') ?? '');
  ids['new and charged'] = await charged();
  ids['new and held'] = await old.placed();
  ids['new and refunded'] = await charged();
  const { total } = await old.call('GET', `/v1/orders/${ids['new and refunded']}`);
  await refund(ids['new and refunded'] ?? '', total);
  await old.until(async () => (await stateOf(ids['new and refunded'] ?? '')) === 'refunded');
  for (const name of Object.keys(ids)) {
    const [payment] = (await old.call('GET', `/v1/orders/${ids[name]}/payments`)).payments;
    paymentOf.set(name, payment.id);
  }
  await old.until(() => Promise.resolve(printer.papers.length >= 8));
  const { db } = old.app.database;
  await old.until(async () => {
    const queued = await db.selectFrom('mails').select('id').where('state', '=', 'queued').execute();
    const owed = await db.selectFrom('order_mails').select('order_id').where('mail_id', 'is', null).execute();
    return queued.length + owed.length === 0;
  });
}
const paymentOf = new Map<string, string>();

/** Stops the old shop. Its database stays for its sign-ins. */
async function burn(): Promise<void> {
  await old.stripe.control.webhooks.settled();
  await old.app.stop();
  await cp(join(place, 'copies'), join(place, 'untouched'), { recursive: true });
  printed = printer.papers.length;
  mailed = smtp.received.length;
  moved = movesAtStripe();
}
let printed = 0;
let mailed = 0;
let moved = 0;
/** Counts the calls that charge, capture, release or refund. */
const movesAtStripe = () =>
  old.stripe.control.log.filter(({ method, path }) => method === 'POST' && /capture|cancel|refunds|expire/.test(path))
    .length;
const read = async (app = shop) => (await app.request('GET', '/v1/restored', { token: admin })).body.data;
const orderOf = async (name: string) =>
  (await shop.request('GET', `/v1/orders/${ids[name]}`, { token: admin })).body.data;
const amountsRefunded = () =>
  [...old.stripe.control.books().tables.refund.values()].map(({ amount }) => amount).toSorted((a, b) => a - b);

test('every payment without its order is listed by itself, and those with one are compared', async () => {
  await expect
    .poll(async () => (await read()).since_copy.readings.map(({ state }: { state: string }) => state), soon)
    .toEqual(['answered']);
  const { since_copy: since } = await read(other);
  const listed = Object.fromEntries(since.payments.map((one: { id: string; state: string }) => [one.id, one.state]));
  expect(listed).toEqual({
    [paymentOf.get('new and charged') ?? '']: 'captured',
    [paymentOf.get('new and held') ?? '']: 'authorised',
    [paymentOf.get('new and refunded') ?? '']: 'refunded',
  });
  expect(await orderOf('refunded later')).toMatchObject({ payment_status: 'partially_refunded', refunded: 400 });
  expect(await orderOf('accepted later')).toMatchObject({ status: 'placed', payment_status: 'paid' });
  expect(await orderOf('paid later')).toMatchObject({ status: 'placed', payment_status: 'authorised' });
});

test('meanwhile nothing is charged, released, mailed or printed', async () => {
  await sleep(5_000);
  expect([movesAtStripe(), smtp.received.length, printer.papers.length]).toEqual([moved, mailed, printed]);
});

test('two people who tap Refund at two instances give back once', async () => {
  const before = amountsRefunded();
  const path = `/v1/restored/payments/${paymentOf.get('new and charged')}/refund`;
  const taps = [shop, other, shop, other].map((app) => app.request('POST', path, { token: admin }));
  expect((await Promise.all(taps)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(amountsRefunded()).toHaveLength(before.length + 1);
  const held = `/v1/restored/payments/${paymentOf.get('new and held')}/refund`;
  expect((await other.request('POST', held, { token: admin })).status).toBe(200);
  const { since_copy: since } = await read();
  const states = since.payments.map(({ state }: { state: string }) => state).toSorted();
  expect(states).toEqual(['refunded', 'refunded', 'voided']);
  const staff = await shop.signIn('store_admin', [shop.shop.storeId]);
  expect((await shop.request('POST', path, { token: staff })).status).toBe(403);
  expect((await shop.request('POST', '/v1/restored/ask', { token: staff })).status).toBe(403);
  const unknown = '/v1/restored/payments/00000000-0000-4000-8000-000000000000/refund';
  expect((await shop.request('POST', unknown, { token: admin })).status).toBe(404);
});

test('asked again, it says the same', async () => {
  const [one, two] = await Promise.all(
    [shop, other].map((app) => app.request('POST', '/v1/restored/ask', { token: admin })),
  );
  expect([one?.status, two?.status]).toEqual([200, 200]);
  await expect
    .poll(async () => (await read()).since_copy.readings.map(({ state }: { state: string }) => state), soon)
    .toEqual(['answered']);
  expect((await read()).since_copy.payments).toHaveLength(3);
});

test('nothing is charged, mailed or printed twice once the shop goes on', async () => {
  const charges = () =>
    [...old.stripe.control.books().tables.charge.values()].map(({ amount_captured }) => amount_captured);
  const [before, refundsBefore] = [charges(), amountsRefunded()];
  expect((await shop.request('POST', '/v1/restored/continue', { token: admin, body: {} })).status).toBe(200);
  await sleep(6_000);
  expect([charges(), amountsRefunded()]).toEqual([before, refundsBefore]);
  expect(new Set(mailsAbout()).size).toBe(mailsAbout().length);
  expect(printer.papers.length).toBe(printed);
});
/** Lists mails by receiver and subject, which names the order. */
const mailsAbout = () => smtp.received.map(({ to, subject }) => `${to.join()} ${subject}`);
