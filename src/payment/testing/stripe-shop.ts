import type { Stripe } from 'stripe';
import { startAppOn, type TestApp } from '#testing/test-app.ts';
import { seedSmallShop } from '#testing/small-shop.ts';
import { createTestDatabase } from '#testing/test-database.ts';
import { stripeRightNames } from '#payment/stripe-rights.ts';
import { type LocalStripe, startLocalStripe } from '#simulators/stripe/local-stripe.ts';
import type { Right } from '#simulators/stripe/api/keys.ts';

/** The whole application beside a local Stripe on the same clock. */
export interface StripeShop {
  app: TestApp;
  stripe: LocalStripe;
  /** The owner's token. */
  owner: string;
  /** Every line of the log. */
  log: string[];
  /** A restricted key of an account: with all rights that the shop needs, but these. */
  newKey(account?: string, without?: readonly string[]): string;
  /** A call of the owner; resolves to the answer's data, and throws if it is refused. */
  // oxlint-disable-next-line typescript/no-explicit-any -- each test knows what it asks for
  call(method: string, path: string, body?: unknown): Promise<any>;
  /** A pending card order, and its session at Stripe. */
  order(): Promise<{ id: string; session: string }>;
  /** An order whose card was approved, and that the shop knows of. */
  placed(): Promise<string>;
  /** Moves the clock of both forward. */
  wait(seconds: number): void;
  /** The webhook endpoints of an account. */
  endpoints(account?: string): Stripe.WebhookEndpoint[];
  /** Another instance on the same database, with the same data folder. */
  startAnother(environment?: Record<string, string>): Promise<TestApp>;
  /** Resolves when `look` returns what is not null or false; throws after five seconds. */
  until<T>(look: () => Promise<T | null | false | undefined>): Promise<T>;
  close(): Promise<void>;
}

/** `rak_charge_write` as the local Stripe names it. */
export const localRight = (name: string): Right => name.replace(/^rak_/, '') as Right;

export async function openStripeShop(environment: Record<string, string> = {}): Promise<StripeShop> {
  const database = await createTestDatabase();
  const shop = await seedSmallShop(database.db, { is_demo: false });
  const clock: { app?: TestApp } = {};
  const stripe = await startLocalStripe({
    now: () => (clock.app?.clock.now ?? new Date('2026-11-21T18:00:00Z')).getTime(),
  });
  const log: string[] = [];
  const app = await startAppOn(
    database,
    shop,
    { STRIPE_API_BASE: stripe.origin, ...environment },
    (line) => void log.push(line),
  );
  clock.app = app;
  const owner = await app.signIn('admin');
  const call: StripeShop['call'] = async (method, path, body) => {
    const answer = await app.request(method, path, { token: owner, ...(body !== undefined && { body }) });
    if (answer.status < 300) return answer.body?.data;
    const warnings = log.filter((line) => /"level":[456]0/.test(line));
    throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}\n${warnings.join('')}`);
  };
  const order = () => placeOrder(app);
  return {
    app,
    stripe,
    owner,
    log,
    newKey(account, without = []) {
      const rights = stripeRightNames.filter((name) => !without.includes(name)).map(localRight);
      return stripe.control.keys.create({
        ...(account && { account }),
        rights: [...rights, 'accounts_kyc_basic_read', 'payment_method_configurations_read'],
      });
    },
    call,
    order,
    async placed() {
      const { id, session } = await order();
      stripe.control.pay(session);
      await stripe.control.webhooks.settled();
      await until(async () => (await call('GET', `/v1/orders/${id}`)).status === 'placed');
      return id;
    },
    wait(seconds) {
      app.clock.now = new Date(app.clock.now.getTime() + seconds * 1000);
    },
    endpoints: (account) => [...stripe.control.books({ ...(account && { account }) }).tables.webhook_endpoint.values()],
    startAnother: (settings = {}) =>
      startAppOn(database, shop, {
        STRIPE_API_BASE: stripe.origin,
        DATA_DIR: app.services.config.dataDir,
        ...settings,
      }),
    until,
    async close() {
      await stripe.control.webhooks.settled();
      await app.close();
      const violations = stripe.control.takeViolations();
      await stripe.close();
      if (violations.length > 0) throw new Error(`Not as Stripe's types say: ${JSON.stringify(violations)}`);
    },
  };
}

async function placeOrder(app: TestApp): Promise<{ id: string; session: string }> {
  const answer = await app.request('POST', '/v1/orders', { body: app.orderBody({ payment_method: 'card' }) });
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  const { id } = answer.body.data;
  const { reference } = await app.database.db
    .selectFrom('payments')
    .select('reference')
    .where('order_id', '=', id)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
  return { id, session: reference ?? '' };
}

async function until<T>(look: () => Promise<T | null | false | undefined>): Promise<T> {
  for (const begun = Date.now(); ;) {
    const found = await look();
    if (found !== null && found !== undefined && found !== false) return found;
    if (Date.now() - begun > 30_000) throw new Error('it did not happen in half a minute');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
