import { loadavg } from 'node:os';
import { type BrowserContextOptions, chromium, type Page } from '@playwright/test';
import { type CustomerKind, effortLimits, effortSeconds, type OrderEffort } from '../e2e/order-effort.ts';
import { orderAsNewGuest, orderTheUsual } from '../e2e/order-effort.ts';
import { moveOrder, sendOrder } from '../e2e/orders.ts';
import { register, signedIn } from '../e2e/people.ts';
import { waitUntil } from '#testing/shop-server.ts';
import { openShop } from '#testing/running-shop.ts';
import { startLocalStripe } from '#simulators/stripe/local-stripe.ts';
import { findChromium } from '../scripts/find-chromium.ts';
import { calmRounds } from './calm-rounds.ts';
import { endWithGoals, tell } from './goals.ts';

/**
 * Seconds from the home page to a placed order, for each kind of customer, with a phone at a quarter of this machine's
 * speed on slow 4G: `npm run bench -- order-effort`, some ten minutes. Each customer's cache is empty, as after a release.
 * The customer with an account has a card saved at the local Stripe.
 */
const line = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 };
const slowdown = 4;
const rounds = 5;
/** The longest that the provider's page may take to open, in ms. */
const providerPageGoal = 1500;
const dish = 'BBQ onion ring stack';
const savedCard = /^Pay with saved/;

const stripe = await startLocalStripe();
const shop = await openShop({ STRIPE_API_BASE: stripe.origin });
const browser = await chromium.launch({
  executablePath: findChromium(console.log, { isWhole: false }),
  args: ['--no-sandbox', '--disable-gpu'],
});
const wanted = process.argv.slice(2);
try {
  await measure('new guest', () => ordered({}, (page) => orderAsNewGuest(page, dish)));
  await measure('returning guest', async () =>
    ordered({ storageState: await firstOrderOfGuest() }, (page) => orderTheUsual(page)),
  );
  await takeCards();
  await measure('signed in', async () => {
    const token = await accountWithOrder();
    return ordered({}, async (page) => orderTheUsual(await signedIn(page, token), savedCard));
  });
} finally {
  await browser.close();
  await shop.stop();
  await stripe.close();
}
endWithGoals();

async function measure(kind: CustomerKind, order: () => Promise<MeasuredOrder>): Promise<void> {
  if (wanted.length > 0 && !wanted.some((word) => kind.includes(word))) return;
  const { counted, words } = await calmRounds(rounds, order);
  const [, , middle] = counted.toSorted((a, b) => effortSeconds(a.effort) - effortSeconds(b.effort));
  if (!middle) throw new Error('Too few rounds were counted.');
  const { effort, references } = middle;
  console.log(`\n${kind}, median of ${words}; ${(effort.waited / 1000).toFixed(1)} s of waiting`);
  console.log(`  load ${loadavg()[0]?.toFixed(1)}; the reference took ${references.join(' and ')} ms before and after`);
  for (const wait of effort.waits) tellWait(wait, middle.requests);
  const { taps, typed, seconds } = effortLimits[kind];
  tell(`taps: ${effort.taps}`, effort.taps <= taps, `at most ${taps}`);
  tell(`typed fields: ${effort.typed}`, effort.typed <= typed, `at most ${typed}`);
  tell(`seconds: ${effortSeconds(effort).toFixed(1)}`, effortSeconds(effort) <= seconds, `at most ${seconds}`);
  if (kind !== 'signed in') return;
  const opened = counted.map(({ effort: { waits } }) => waits.at(-2)?.ms ?? Number.NaN).toSorted((a, b) => a - b)[2];
  tell(
    `the local Stripe's page opens in ${Math.round(opened ?? Number.NaN)} ms`,
    Number(opened) <= providerPageGoal,
    `${providerPageGoal} ms`,
  );
}

interface FetchedFile {
  path: string;
  from: number;
  until: number;
  bytes: number;
}

interface MeasuredOrder {
  effort: OrderEffort;
  requests: FetchedFile[];
  references: number[];
}

/** Prints a wait, and the requests that ended in it. */
function tellWait({ element, from, ms }: OrderEffort['waits'][number], requests: readonly FetchedFile[]): void {
  const until = from + ms;
  const within = requests.filter((each) => each.until > from && each.until <= until);
  const busy = busyTime(within.map((each) => [Math.max(from, each.from), Math.min(until, each.until)]));
  console.log(`    ${Math.round(ms)} ms: ${element}; a request runs for ${Math.round(busy)} ms of them`);
  for (const { path, from: begun, until: ended, bytes } of within) {
    const [start, took] = [Math.round(begun - from), Math.round(ended - begun)];
    console.log(
      `${String(start).padStart(12)} + ${String(took).padStart(4)} ms ${String(bytes).padStart(7)} B ${path}`,
    );
  }
}

/** The length of the union of spans. */
function busyTime(spans: [number, number][]): number {
  let [sum, reached] = [0, 0];
  for (const [from, until] of spans.toSorted((a, b) => a[0] - b[0])) {
    sum += Math.max(0, until - Math.max(from, reached));
    reached = Math.max(reached, until);
  }
  return sum;
}

async function ordered(
  options: BrowserContextOptions,
  order: (page: Page) => Promise<OrderEffort>,
): Promise<MeasuredOrder> {
  const page = await openPage(options);
  const devtools = await page.context().newCDPSession(page);
  const begun = new Map<string, FetchedFile>();
  devtools.on('Network.requestWillBeSent', ({ requestId, request }) => {
    const path = request.url.replace(shop.url, '');
    const from = performance.now();
    begun.set(requestId, { path, from, until: Number.POSITIVE_INFINITY, bytes: 0 });
  });
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const file = begun.get(requestId);
    if (file) Object.assign(file, { until: performance.now(), bytes: encodedDataLength });
  });
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  const before = await timeReference(page);
  await devtools.send('Network.enable');
  await devtools.send('Network.emulateNetworkConditions', line);
  const effort = await order(page);
  const after = await timeReference(page);
  await page.context().close();
  return { effort, requests: [...begun.values()], references: [before, after] };
}

/** The ms of a fixed piece of work in the slowed page. It says how busy this machine is. */
async function timeReference(page: Page): Promise<number> {
  const ms = await page.evaluate(() => {
    const from = performance.now();
    const texts = Array.from({ length: 40_000 }, (_, place) => `dish ${(place * 7919) % 40_000}`);
    JSON.stringify(JSON.parse(JSON.stringify(texts.toSorted())));
    return performance.now() - from;
  });
  return Math.round(ms);
}

async function openPage(options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext({
    baseURL: shop.url,
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    locale: 'en-GB',
    timezoneId: 'Europe/London',
    // The network of a service worker is not slowed down.
    serviceWorkers: 'block',
    ...options,
  });
  return context.newPage();
}

async function deliver(id: string): Promise<void> {
  await moveOrder(shop, { id }, 'accept', { minutes: 30 });
  await moveOrder(shop, { id }, 'collected-by-driver');
  await moveOrder(shop, { id }, 'delivered-to-customer');
}

/** The storage of a browser in which a guest ordered before. */
async function firstOrderOfGuest() {
  const page = await openPage({});
  await orderAsNewGuest(page, dish);
  await deliver(new URL(page.url()).pathname.split('/')[2] ?? '');
  const storage = await page.context().storageState();
  await page.context().close();
  return storage;
}

async function takeCards(): Promise<void> {
  const key = stripe.control.keys.create();
  const { status, body } = await shop.api('POST', '/v1/payments/setup', { secret_key: key }, shop.adminToken);
  if (status !== 200) throw new Error(`The key was refused: ${JSON.stringify(body)}`);
}

/** The token of a new customer who had a delivery before, paid by a card that Stripe has saved. */
async function accountWithOrder(): Promise<string> {
  const { name, token } = await register(shop);
  const contact = { name, phone: '07700 900111' };
  const address = { line1: '1 High Street', line2: '', city: 'Rugby', postcode: 'CV21 2AA', instructions: '' };
  const usual = { quantity: 2, fulfilment_type: 'delivery', payment_method: 'card', contact, address };
  const { id, payment } = await sendOrder(shop, usual, token);
  const session = new URL(payment.redirect_url ?? '').pathname.split('/').at(-1) ?? '';
  stripe.control.pay(session, { number: '4242424242424242', save: true });
  await stripe.control.webhooks.settled();
  const isPlaced = async () => {
    const { body } = await shop.api('GET', `/v1/orders/${id}`, undefined, shop.adminToken);
    // The cast is safe: the API answers with an order.
    return (body['data'] as { status: string }).status === 'placed';
  };
  await waitUntil('The order was not placed.', isPlaced);
  await deliver(id);
  return token;
}
