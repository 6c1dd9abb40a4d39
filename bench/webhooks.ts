import { fork, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { cashBasket } from '#testing/cash-basket.ts';
import { openShop } from '#testing/running-shop.ts';
import { connectTo } from '#testing/shop-database.ts';
import { asStarted } from './as-started.ts';
import { evenly, percentile, processorTime, residentMegabytes, words } from './figures.ts';
import { endWithGoals, tell } from './goals.ts';
import type { Started } from './local-stripe.ts';
import type { Sending, Sent } from './webhook-sender.ts';

/**
 * What customers lose while Stripe sends a great many messages: `node bench/webhooks.ts [seconds]`, 60 by default. 1,000
 * signed ones a second beside 200 orders in cash, then as many with a wrong signature; before, between and after them the
 * same orders without messages. The messages are about 200 card orders, of which the shop learns by them that they are
 * paid, and every tenth is about a payment of nobody. Some come twice.
 */
const seconds = Number(process.argv[2] ?? 60);
const perSecond = 1_000;
const cardOrders = 200;
const ordersPerSecond = 200 / 60;
const repeatEvery = 50;
const secret = 'whsec_of_the_benchmark';
const prefix = 'evt_bench_';
/** Milliseconds until every message about a payment of the shop is handled after the last one was sent. */
const handledWithin = 60_000;

const stripe = await startStripe();
const { environment, flags } = asStarted;
const settings = {
  ...environment,
  STRIPE_API_BASE: stripe.origin,
  STRIPE_SECRET_KEY: stripe.secretKey,
  STRIPE_WEBHOOK_SECRET: secret,
};
const shop = await openShop(settings, [], flags);
const database = await connectTo(shop.dataDir);
try {
  await run();
} finally {
  await database.end();
  await shop.stop();
  stripe.stop();
}
endWithGoals();

async function run(): Promise<void> {
  console.log(`Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'processor'}`);
  const basket = await cashBasket(shop);
  const place = (length: number) => evenly(Math.round(length * ordersPerSecond), length, () => order(basket));
  const rush = async (what: Parameters<typeof send>[0]) => {
    const before = processorTime(shop);
    const [sent, orders] = await Promise.all([send(what), place(seconds)]);
    const after = processorTime(shop);
    const share = (part: 'server' | 'database') => `${((100 * (after[part] - before[part])) / seconds).toFixed(0)} %`;
    return { sent, orders, cost: `server ${share('server')}, database ${share('database')} of a core` };
  };
  await place(10);
  const sessions = await evenly(cardOrders, cardOrders / 20, () => openPage(basket));
  const quiet = await place(seconds / 2);

  const about = await payAll(sessions);
  const watched = watch();
  const { sent: signed, orders: beside, cost } = await rush({ about, secret, prefix, repeatEvery });
  const handled = await untilHandled();
  const { most, backlog } = watched.end();
  quiet.push(...(await place(seconds / 2)));
  const after = residentMegabytes(shop.processId());

  const before = await refused();
  const wrong = await rush({ about, secret: 'whsec_of_somebody_else', prefix: 'evt_wrong_', repeatEvery: 0 });
  const counted = (await refused()) - before;
  quiet.push(...(await place(seconds / 2)));

  const total = perSecond * seconds;
  const ratio = (orders: readonly number[]) => percentile(orders, 50) / percentile(quiet, 50);
  const tellOrders = (orders: readonly number[]) =>
    tell(
      `orders           ${words(orders, 1)}: ${ratio(orders).toFixed(2)} of quiet`,
      ratio(orders) <= 2,
      'p50 at most twice quiet',
    );
  console.log(`\nno messages\n  orders           ${words(quiet, 1)}`);

  console.log(`\n${perSecond} messages a second for ${seconds} s`);
  tellOrders(beside);
  tellSender(signed);
  console.log(`  processor        ${cost}`);
  tell(`answered 200     ${signed.statuses[200] ?? 0} of ${total}`, signed.statuses[200] === total, 'all');
  const sent = new Set(signed.answered).size;
  const stored = await count(`select count(*) from payment_events where id like '${prefix}%'`);
  tell(`stored           ${stored} of ${sent}, ${total - sent} of them sent twice`, stored === sent, 'each once');
  tell(`handled          ${handled.words}`, handled.left === 0, 'all about payments of the shop');
  console.log(`  backlog          at most ${backlog} messages`);
  console.log(
    `  memory           ${watched.before.toFixed(0)} MB before, at most ${most.toFixed(0)} MB, ${after.toFixed(0)} MB after`,
  );
  const placed = await count(`select count(*) from orders where payment_method = 'card' and status = 'placed'`);
  const held = await count(`select count(*) from payment_movements where kind = 'held'`);
  tell(
    `card orders      ${placed} placed, ${held} holds noted`,
    placed === cardOrders && held === placed,
    `${cardOrders}`,
  );
  const verdict = verifyJournal();
  tell(`verify-journal   ${verdict}`, verdict === 'All is well.', 'all is well');

  console.log(`\n${perSecond} messages a second with a wrong signature for ${seconds} s`);
  tellOrders(wrong.orders);
  tellSender(wrong.sent);
  console.log(`  processor        ${wrong.cost}`);
  const { 400: refusals = 0 } = wrong.sent.statuses;
  tell(`answered 400     ${refusals} of ${total}`, refusals === total, 'all');
  tell(`counted          ${counted}`, counted === total, 'all');
}

function tellSender({ took, late }: Sent): void {
  console.log(`  messages         ${words(took, 1)}`);
  tell(
    `sent             late by ${words(late, 1)}`,
    percentile(late, 99) < 100,
    'the sender keeps up: p99 under 100 ms',
  );
}

/** An order in cash; milliseconds until its answer. */
async function order(basket: Record<string, unknown>): Promise<number> {
  const began = performance.now();
  const { status } = await shop.api('POST', '/v1/orders', { ...basket, session: randomUUID() });
  if (status !== 201) throw new Error(`An order was answered ${status}.`);
  return performance.now() - began;
}

/** A card order with an open page at Stripe; the session's id. */
async function openPage(basket: Record<string, unknown>): Promise<string> {
  const body = { ...basket, payment_method: 'card', session: randomUUID() };
  const { status, body: answer } = await shop.api('POST', '/v1/orders', body);
  if (status !== 201) throw new Error(`A card order was answered ${status}: ${JSON.stringify(answer)}`);
  const { redirect_url: page } = (answer['data'] as { payment: { redirect_url: string } }).payment;
  return new URL(page).pathname.split('/').find((part) => part.startsWith('cs_')) ?? '';
}

/** Pays the pages at Stripe, and returns what Stripe's messages are about: a session and its payment. */
async function payAll(sessions: readonly string[]): Promise<Sending['about']> {
  const about: Sending['about'] = [];
  for (const [index, id] of sessions.entries()) {
    await ask('POST', '/__control/pay', JSON.stringify([id]));
    const session = await ask('GET', `/v1/checkout/sessions/${id}`);
    const intent = await ask('GET', `/v1/payment_intents/${String(session['payment_intent'])}`);
    about.push({ types: ['checkout.session.completed'], object: session });
    about.push({ types: ['payment_intent.amount_capturable_updated', 'payment_intent.succeeded'], object: intent });
    const stranger = { ...session, id: `cs_test_nobody${index}`, metadata: {} };
    if (index % 3 === 0) about.push({ types: ['checkout.session.completed'], object: stranger });
  }
  return about;
}

async function ask(method: string, path: string, body?: string): Promise<Record<string, unknown>> {
  const headers = { authorization: `Bearer ${stripe.secretKey}` };
  const answer = await fetch(stripe.origin + path, { method, headers, ...(body !== undefined && { body }) });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Record<string, unknown>;
}

/** Sends from a process of its own, so that it delays no order that is measured beside it. */
function send(what: Pick<Sending, 'about' | 'secret' | 'prefix' | 'repeatEvery'>): Promise<Sent> {
  const child = fork(new URL('webhook-sender.ts', import.meta.url), { serialization: 'advanced' });
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`The sender ended with ${code}.`)));
    // Its only message; see webhook-sender.ts.
    child.once('message', (sent) => resolve(sent as Sent));
    child.send({ ...what, url: `${shop.url}/v1/payments/webhooks/stripe`, perSecond, seconds } satisfies Sending);
  });
}

/** Watches the server's memory, and how many messages wait for their first look. */
function watch() {
  const before = residentMegabytes(shop.processId());
  const seen = { most: before, backlog: 0 };
  const timer = setInterval(() => {
    seen.most = Math.max(seen.most, residentMegabytes(shop.processId()));
    void count('select count(*) from payment_events where check_at is not null and tries = 0').then((waiting) => {
      seen.backlog = Math.max(seen.backlog, waiting);
    });
  }, 1_000);
  return {
    before,
    end() {
      clearInterval(timer);
      return seen;
    },
  };
}

/** Messages about a payment of nobody are looked up again for ten minutes, and do not count. */
async function untilHandled(): Promise<{ left: number; words: string }> {
  const began = performance.now();
  const ofShop = 'exists (select from payments p where e.reference in (p.reference, p.intent))';
  for (;;) {
    const left = await count(`select count(*) from payment_events e where outcome is null and ${ofShop}`);
    const waited = performance.now() - began;
    const isLate = waited > handledWithin;
    if (left === 0 || isLate)
      return { left, words: `all but ${left}, ${(waited / 1_000).toFixed(1)} s after the last` };
    await sleep(200);
  }
}

function refused(): Promise<number> {
  return count('select coalesce(sum(count), 0) as count from payment_refused_webhooks');
}

async function count(statement: string): Promise<number> {
  const { rows } = await database.query<{ count: string }>(statement);
  return Number(rows[0]?.count);
}

function verifyJournal(): string {
  const env = { ...process.env, DATA_DIR: shop.dataDir };
  const { stdout } = spawnSync(process.execPath, ['scripts/verify-journal.ts'], { env, encoding: 'utf8' });
  return stdout.trim().split('\n').at(-1) ?? '';
}

function startStripe(): Promise<Started & { stop(): void }> {
  const child = fork(new URL('local-stripe.ts', import.meta.url));
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`The local Stripe ended with ${code}.`)));
    // Its only message; see local-stripe.ts.
    child.once('message', (started) => resolve({ ...(started as Started), stop: () => void child.kill('SIGTERM') }));
  });
}
