import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { findFreePort } from '#database/embedded/access.ts';
import { type LocalStripe, startLocalStripe } from '#simulators/stripe/local-stripe.ts';
import { cashBasket } from '#testing/cash-basket.ts';
import { admin, callsTo, openRoundTheClock, type Shop } from '#testing/running-shop.ts';
import { waitUntil } from '#testing/shop-server.ts';
import { printChecks } from './rush.ts';

type Seller = Pick<Shop, 'url' | 'api' | 'storeId' | 'adminToken'>;
interface PlacedOrder {
  id: string;
  number: string;
  session: string;
}
/** The gap in the order numbers of a restored shop. */
const skipped = 100;

/**
 * Backs up a shop, destroys and restores it, and compares the restored shop with the original, all by the command
 * `hatch`: `npm run soak -- copy`. Orders are placed by the API; cards are charged at the local Stripe.
 */
export async function soakBackup([hatch = 'bin/hatch']: string[]): Promise<boolean> {
  const home = mkdtempSync(join(tmpdir(), 'hatch-soak-copy-'));
  const [dataDir, copies] = [join(home, 'data'), join(home, 'copies')];
  const stripe = await startLocalStripe();
  const port = await findFreePort();
  const environment = {
    ...process.env,
    DATA_DIR: dataDir,
    PORT: String(port),
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
    STRIPE_SECRET_KEY: stripe.secretKey,
    STRIPE_API_BASE: stripe.origin,
    LOG_LEVEL: 'warn',
  };
  const run = (...words: string[]) => {
    const { status, stdout, stderr } = spawnSync(hatch, words, { env: environment, encoding: 'utf8' });
    if (status !== 0) throw new Error(`hatch ${words.join(' ')} ended with ${status}: ${stdout}${stderr}`);
  };
  const started: ChildProcess[] = [];
  const start = async (...words: string[]) => {
    const child = spawn(hatch, ['start', ...words], { env: environment, stdio: ['ignore', 'ignore', 'inherit'] });
    started.push(child);
    const url = `http://127.0.0.1:${port}`;
    await waitUntil('The shop did not open within a minute.', async () => {
      if (child.exitCode !== null) throw new Error(`The shop ended with ${child.exitCode}.`);
      return fetch(`${url}/health`).then(
        ({ ok }) => ok,
        () => false,
      );
    });
    return url;
  };
  try {
    const url = await start('--demo');
    const api = callsTo(url);
    const shop: Seller = { url, api, ...(await openRoundTheClock(api)) };
    const orders = await trade(shop, stripe);
    const pictures = await upload(shop);
    const before = await everythingOf(shop, orders, pictures);
    const charges = chargesOf(stripe);
    run('backup', '--to', copies);
    run('verify', '--from', copies);
    await stop(started);
    rmSync(dataDir, { recursive: true });
    const fell = performance.now();
    run('restore', '--from', copies, '--data-dir', dataDir);
    await start();
    const back = (performance.now() - fell) / 1000;
    const after = await everythingOf(shop, orders, pictures);
    const isHeld = (await shop.api('POST', '/v1/orders', await basketOf(shop))).status !== 201;
    await ownerCall(shop, 'POST', '/v1/restored/continue', {});
    const next = await place(shop, 'cash');
    const card = await placeByCard(shop, stripe);
    await ownerCall(shop, 'POST', `/v1/orders/${card.id}/accept`, {});
    await untilPaid(shop, card);
    return printChecks([
      [`back after ${back.toFixed(1)} s`, true],
      ...Object.keys(before).map((part): [string, boolean] => [
        `the same ${part}`,
        isDeepStrictEqual(before[part], after[part]),
      ]),
      ['it took no order before its owner let it go on', isHeld],
      [`order ${next.number} after ${orders.at(-1)?.number}`, leap(orders.at(-1), next) === skipped + 1],
      ['nobody was charged twice', chargesOf(stripe) === charges + 1],
    ]);
  } finally {
    await stop(started);
    await stripe.close();
    rmSync(home, { recursive: true });
  }
}

async function stop(started: readonly ChildProcess[]): Promise<void> {
  for (const child of started) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  }
}

/** Places orders in several states: accepted for cash, charged and partly refunded, held, and unanswered. */
async function trade(shop: Seller, stripe: LocalStripe): Promise<PlacedOrder[]> {
  const cash = await place(shop, 'cash');
  await ownerCall(shop, 'POST', `/v1/orders/${cash.id}/accept`, {});
  const paid = await placeByCard(shop, stripe);
  await ownerCall(shop, 'POST', `/v1/orders/${paid.id}/accept`, {});
  await untilPaid(shop, paid);
  const refund = { key: randomUUID(), amount: 100, reason: 'Cold' };
  await ownerCall(shop, 'POST', `/v1/orders/${paid.id}/refunds`, refund);
  await untilSettled(shop, paid);
  const held = await placeByCard(shop, stripe);
  return [cash, paid, held, await place(shop, 'cash')];
}

async function basketOf(shop: Seller) {
  return { ...(await cashBasket(shop)), session: randomUUID() };
}

async function place(shop: Seller, payment_method: 'cash' | 'card'): Promise<PlacedOrder> {
  const body = { ...(await basketOf(shop)), payment_method };
  const { id, number } = (await sent(shop, 'POST', '/v1/orders', body)) as PlacedOrder;
  return { id, number, session: body.session };
}

async function placeByCard(shop: Seller, { control }: LocalStripe): Promise<PlacedOrder> {
  const order = await place(shop, 'card');
  const open = [...control.books().tables['checkout.session'].values()].find(({ status }) => status === 'open');
  control.pay(open?.id ?? '');
  await ownerCall(shop, 'POST', `/v1/orders/${order.id}/payment/reconcile`);
  return order;
}

const untilPaid = (shop: Seller, { id }: PlacedOrder) =>
  waitUntil('The card was not charged within a minute.', async () => {
    const order = (await ownerCall(shop, 'GET', `/v1/orders/${id}`)) as { payment_status: string };
    return order.payment_status === 'paid';
  });

const untilSettled = (shop: Seller, { id }: PlacedOrder) =>
  waitUntil('The refund was not made within a minute.', async () => {
    const { refunds } = (await ownerCall(shop, 'GET', `/v1/orders/${id}/payments`)) as {
      refunds: { status: string }[];
    };
    return refunds.length === 1 && refunds.every(({ status }) => status === 'succeeded');
  });

async function upload({ url, adminToken }: Seller): Promise<string[]> {
  const headers = { 'content-type': 'image/jpeg', authorization: `Bearer ${adminToken}` };
  const body = readFileSync('docs/screenshots/basket-phone.jpg');
  const answer = await fetch(`${url}/v1/uploads`, { method: 'POST', headers, body });
  const { data } = (await answer.json()) as { data: { sizes: { url: string }[] } };
  return data.sizes.map((size) => new URL(size.url, url).href);
}

/** Reads by the API everything that a restore must bring back. */
async function everythingOf(shop: Seller, orders: readonly PlacedOrder[], pictures: readonly string[]) {
  const owner = (path: string) => ownerCall(shop, 'GET', path);
  const each = <T, R>(all: readonly T[], read: (one: T) => Promise<R>) => Promise.all(all.map(read));
  const today = new Date().toISOString().slice(0, 10);
  const found: Record<string, unknown> = {
    orders: await each(orders, ({ id }) => owner(`/v1/orders/${id}`)),
    'list of orders': await owner('/v1/orders?per_page=100'),
    money: await each(orders, ({ id }) => owner(`/v1/orders/${id}/payments`)),
    takings: await owner(`/v1/reports/sales?store_id=${shop.storeId}&start_date=${today}&end_date=${today}`),
    menu: await owner(`/v1/menus/store/${shop.storeId}?include=categories.items.option_groups.options`),
    pictures: await each(pictures, async (address) =>
      createHash('sha256')
        .update(Buffer.from(await (await fetch(address)).arrayBuffer()))
        .digest('hex'),
    ),
    'sign-ins of staff': await owner('/v1/auth/user'),
    "guests' own orders": await each(orders, async ({ session }) => {
      const answer = await fetch(`${shop.url}/v1/orders/session/own`, { headers: { 'x-order-session': session } });
      return [answer.status, await answer.json()];
    }),
  };
  return found;
}

const ownerCall = (shop: Seller, method: string, path: string, body?: object) =>
  sent(shop, method, path, body, shop.adminToken);

async function sent({ api }: Seller, method: string, path: string, body?: object, token?: string): Promise<unknown> {
  const answer = await api(method, path, body, token);
  if (answer.status >= 300) throw new Error(`${method} ${path} is ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body['data'];
}

const chargesOf = ({ control }: LocalStripe): number => control.books().tables['charge'].size;

const leap = (last: PlacedOrder | undefined, next: PlacedOrder): number => Number(next.number) - Number(last?.number);
