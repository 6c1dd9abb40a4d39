import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import type pg from 'pg';
import { Stripe } from 'stripe';
import { connect, type Connection } from '#database/connect.ts';
import type { Db } from '#database/schema.ts';
import type { KeySet } from '#payment/server/keys/key-sets.ts';
import { createPayments, type PaymentOptions } from '#payment/server/payments.ts';
import type { KeyedProvider } from '#payment/server/keyed-providers.ts';
import type { Payments } from '#payment/server/services.ts';
import { openStripe, stripeVersion } from '#payment/server/stripe/client.ts';
import { stripeEvents } from '#payment/stripe-events.ts';
import { evening, openPaymentBench, type PaymentBench } from '#payment/testing/bench.ts';
import { addKeySet, fixedKeySets } from '#payment/testing/key-sets.ts';
import { callsWithStops, databaseWithStops } from '#payment/testing/model/stops.ts';
import { createTasks, type Tasks } from '#payment/testing/model/tasks.ts';
import { type LocalStripe, startLocalStripe } from '#simulators/stripe/local-stripe.ts';

/** The shop's payments with a local Stripe that calls back, both by one clock, and with tasks that stop anywhere. */
export interface ShopBench extends PaymentBench {
  stripe: LocalStripe;
  /** What the owner does at Stripe itself: not a task of the shop. */
  dashboard: Stripe;
  tasks: Tasks;
  /** Counts statements that may have changed the money of an order. */
  writes(): number;
  /** The next answers to Stripe's webhooks, which are stored all the same; 200 when there is none left. */
  answers: number[];
  /** Another instance of the shop. */
  instance(): Payments;
  /** No orders, a new Stripe, and the first evening. `seed` makes Stripe's ids. */
  startAnew(seed: string): Promise<void>;
  /** Moves both clocks, and waits until Stripe's webhooks have arrived. */
  pass(seconds: number): Promise<void>;
}

const keySetId = 'ks_model';
/** More than all tasks that stand or wait for locks can hold, each with several webhooks at once. */
const maxConnections = 40;

const testKeys = { mode: 'test', account: null } as const;

/** Another company than Stripe, whose books are the local Stripe's. */
export interface OtherCompany {
  /** The product knows no such name. */
  name: KeySet['provider'];
  row: KeyedProvider;
  /** Its own webhook for one of Stripe's; null: it sends none. */
  message(body: string, books: LocalStripe['control']['books']): string | null;
}

export async function openShopBench(other?: OtherCompany): Promise<ShopBench> {
  const sets: KeySet[] = [];
  let blockedSessions: () => Promise<number[]> = async () => [];
  const tasks = createTasks(() => blockedSessions());
  let writes = 0;
  let connection: Connection | null = null;
  const options: PaymentOptions = { handlesEventsAtOnce: false, ...(other && { others: { [other.name]: other.row } }) };
  const bench = await openPaymentBench({
    ...options,
    keySets: fixedKeySets(sets),
    openDb({ config, pool }) {
      blockedSessions = async () => {
        const { rows } = await pool.query<{ pid: number }>(
          `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        return rows.map(({ pid }) => pid);
      };
      // The types of the driver do not have its pipelines yet.
      const pipelined: pg.PoolConfig & { pipeline: true } = { ...config, pipeline: true };
      connection = connect(pipelined, () => {}, { max: maxConnections });
      return databaseWithStops(connection.pool, tasks, () => (writes += 1));
    },
  });
  const provider = other?.name ?? 'stripe';
  const takeIn: TakeIn = async (body, header) => {
    const message = other ? other.message(body, known(stripe).control.books) : body;
    if (message !== null) await bench.payments.receiveWebhook(provider, message, header);
  };
  const place = await openPlace(takeIn, () => shop.answers.shift() ?? 200);
  if (other) await allowOthers(bench.db);
  await bench.changeStore({ card_provider: provider });
  await bench.payments.start();
  let stripe: LocalStripe | null = null;
  const client = (of: LocalStripe) => clientOf(of, tasks);
  const shop: ShopBench = {
    ...bench,
    get stripe() {
      return known(stripe);
    },
    get dashboard() {
      return client(known(stripe));
    },
    tasks,
    writes: () => writes,
    answers: [],
    instance: () => createPayments(bench.services, options),
    async startAnew(seed) {
      await tasks.forget();
      await stripe?.close();
      shop.answers.length = 0;
      bench.clock.now = new Date(evening);
      await emptyTables(bench);
      stripe = await startLocalStripe({ now: () => bench.clock.now.getTime(), seed });
      sets[0] = {
        id: keySetId,
        ...testKeys,
        provider,
        isTest: false,
        isCurrent: true,
        stripe: client(stripe),
        webhookSecrets: [await listen(shop.dashboard, `${place.origin}/v1/payments/webhooks/stripe`)],
      };
    },
    async pass(seconds) {
      bench.wait(seconds);
      known(stripe).control.tick();
      await known(stripe).control.webhooks.settled();
    },
    async close() {
      await tasks.forget();
      await stripe?.close();
      await place.close();
      await connection?.pool.end();
      await bench.close();
    },
  };
  await addKeySet(bench.db, keySetId, provider);
  return shop;
}

function clientOf({ secretKey, origin, control }: LocalStripe, tasks: Tasks): Stripe {
  const calls = callsWithStops(Stripe.createNodeHttpClient(), tasks, () => control.log);
  return withoutPauses(openStripe(secretKey, new URL(origin), calls));
}

/** The library tries a broken connection once again, after half a second in which nobody else would move. */
function withoutPauses(stripe: Stripe): Stripe {
  return Object.assign(stripe, { getInitialNetworkRetryDelay: () => 0 });
}

function known(stripe: LocalStripe | null): LocalStripe {
  if (!stripe) throw new Error('startAnew has not been called');
  return stripe;
}

async function allowOthers(db: Db): Promise<void> {
  await sql`alter table stores drop constraint stores_card_provider_check`.execute(db);
  await sql`alter table payment_key_sets drop constraint payment_key_sets_provider_check`.execute(db);
}

async function emptyTables({ db, changeStore }: PaymentBench): Promise<void> {
  await sql`truncate orders, payment_events, payment_payouts, test_jobs, outbox, order_numbers cascade`.execute(db);
  await db.updateTable('payment_key_sets').set({ bank_check_at: null, bank_read_at: null }).execute();
  await changeStore({ auto_accept: false, cash_max: null });
}

async function listen(dashboard: Stripe, url: string): Promise<string> {
  const { secret } = await dashboard.webhookEndpoints.create({
    url,
    enabled_events: [...stripeEvents],
    api_version: stripeVersion,
  });
  return secret ?? '';
}

type TakeIn = (body: string, header: (name: string) => string | undefined) => Promise<void>;

/** Where Stripe's webhooks arrive, as at the shop's endpoint. */
async function openPlace(takeIn: TakeIn, statusOfNext: () => number) {
  const server: Server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => (body += part));
    request.on('end', () => {
      takeIn(body, (name) => [request.headers[name]].flat()[0]).then(
        () => response.writeHead(statusOfNext()).end(),
        () => response.writeHead(500).end(),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // The server listens on a port.
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
