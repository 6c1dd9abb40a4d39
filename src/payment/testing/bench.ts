import { randomUUIDv7 } from 'node:crypto';
import { sql } from 'kysely';
import type pg from 'pg';
import { pino } from 'pino';
import { readConfig } from '#config.ts';
import { createClientAddressReader } from '#platform/server/client-address.ts';
import type { Db } from '#database/schema.ts';
import { inTransaction } from '#database/transaction.ts';
import type { Shop, ShopCache } from '#shop/server/shop-cache.ts';
import { insertOrders, type UnnumberedOrder } from '#ordering/server/insert-orders.ts';
import { applyOrderCall, type OrderCallRequest } from '#ordering/server/apply-order-call.ts';
import { hashSession, createOrderSessionCipher } from '#ordering/server/order-sessions.ts';
import type { OrderRow } from '#ordering/server/present-order.ts';
import type { KeySetCache } from '#payment/server/keys/key-sets.ts';
import { createPayments, type PaymentOptions } from '#payment/server/payments.ts';
import { type Payments } from '#payment/server/services.ts';
import type { Jobs } from '#database/jobs/jobs.ts';
import { createOrderPrintEffects } from '#printing/server/order-prints.ts';
import { orderPrintsColumn } from '#printing/server/print-views.ts';
import { createOrderPaymentEffects } from '#payment/server/refund-order.ts';
import { readFailedRefunds, latestPaymentSql, refundsOfOrderSql } from '#payment/server/payment-views.ts';
import { listAdminMailRecipients } from '#accounts/server/users.ts';
import type { OrderServices } from '#ordering/server/services.ts';
import type { PaymentHandlerServices, PaymentServices } from '#payment/server/services.ts';
import { installationKeysOf } from '#platform/server/secrets/installation-keys.ts';
import { presentStore } from '#store/server/store-views.ts';
import { fixedKeySets } from '#payment/testing/key-sets.ts';
import { createTestJobs, type TestJobs } from '#payment/testing/jobs.ts';
import { seedSmallShop } from '#testing/small-shop.ts';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';

/** Saturday evening in the small shop. */
export const evening = new Date('2026-11-21T18:00:00Z');

export interface PaymentBench {
  db: Db;
  services: PaymentHandlerServices & OrderServices;
  payments: Payments;
  clock: { now: Date };
  storeId: string;
  jobs: TestJobs;
  /** Changes the shop's row, and makes the shop use it. */
  changeStore(change: Record<string, unknown>): Promise<void>;
  /** A pending card order of £12.50. */
  newOrder(change?: Partial<UnnumberedOrder>): Promise<string>;
  order(id: string): Promise<OrderRow>;
  paymentsOf(orderId: string): Promise<Record<string, unknown>[]>;
  /** A step made by staff or by the system. */
  move(orderId: string, call: OrderCallRequest['call'], more?: Partial<OrderCallRequest>): Promise<void>;
  /** Moves the clock forward. */
  wait(seconds: number): void;
  close(): Promise<void>;
}

/** The payments of a small shop on their own database, with a clock, jobs and providers under the tests' control. */
export async function openPaymentBench(
  options: PaymentOptions & {
    openJobs?: (database: pg.PoolConfig) => Promise<Jobs>;
    openDb?: (database: TestDatabase) => Db;
    keySets?: KeySetCache;
  } = {},
  environment: Record<string, string> = {},
): Promise<PaymentBench> {
  const database = await createTestDatabase();
  const db = options.openDb?.(database) ?? database.db;
  await sql`create table test_jobs (id bigint generated always as identity, queue text, payload jsonb)`.execute(db);
  const { storeId } = await seedSmallShop(db);
  const clock = { now: new Date(evening) };
  const testJobs = createTestJobs(db);
  const jobs = options.openJobs ? await options.openJobs(database.config) : testJobs;
  const base = benchServices({ db, storeId, clock, jobs, environment, keySets: options.keySets ?? fixedKeySets() });
  const payments = createPayments(base, options);
  const services = { ...base, payments };
  return {
    db,
    services,
    payments,
    clock,
    storeId,
    jobs: testJobs,
    async changeStore(change) {
      await db.updateTable('stores').set(change).where('id', '=', storeId).execute();
      base.forgetShop();
    },
    async newOrder(change = {}) {
      const { version } = await db
        .selectFrom('stores')
        .select('version')
        .where('id', '=', storeId)
        .executeTakeFirstOrThrow();
      const order = { ...cardOrder(storeId, clock.now), store_version: version, ...change };
      const [inserted] = await insertOrders(db, [order]);
      if (!inserted) throw new Error('the order was not written');
      return inserted.id;
    },
    order: (id) => db.selectFrom('orders').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
    paymentsOf: (orderId) =>
      db
        .selectFrom('payments')
        .select(['status', 'owed', 'failure', 'check_at'])
        .where('order_id', '=', orderId)
        .orderBy('id')
        .execute(),
    async move(orderId, call, more = {}) {
      const isClockwork = call === 'expire' || call === 'authorised';
      const by = { actor: isClockwork ? 'system' : 'admin', actorName: 'Test', actorId: null } as const;
      await inTransaction(db, (tx) => applyOrderCall(tx, services, { orderId, call, ...by, now: clock.now, ...more }));
    },
    wait(seconds) {
      clock.now = new Date(clock.now.getTime() + seconds * 1000);
    },
    async close() {
      await jobs.stop();
      await database.drop();
    },
  };
}

interface BenchParts extends Pick<PaymentBench, 'db' | 'storeId' | 'clock'> {
  jobs: Jobs;
  keySets: KeySetCache;
  environment: Record<string, string>;
}

/** The minimum that payments depend on. */
function benchServices({ db, storeId, clock, jobs, environment, keySets }: BenchParts) {
  let shop: { id: string; known: Shop | null } | null = null;
  const readShop = async (asking: Db, id: string): Promise<Shop | null> => {
    if (shop?.id !== id) shop = { id, known: await findShop(asking, id) };
    return shop.known;
  };
  const findShop = async (asking: Db, id: string): Promise<Shop | null> => {
    const row = await asking.selectFrom('stores').selectAll().where('id', '=', id).executeTakeFirst();
    return row
      ? ({ store: presentStore(row, { PAYMENT_SANDBOX: false }), isDemo: row.is_demo, version: row.version } as Shop)
      : null;
  };
  const now = () => clock.now;
  const forgetShop = () => {
    shop = null;
  };
  const menus = {
    shop: (id) => readShop(db, id),
    store: (asking, id) => readShop(asking, id ?? storeId),
  } as ShopCache;
  const outbox: OrderServices['outbox'] = {
    async add(tx, entry) {
      const { topic, event, scopeId: store_id, subjectId: subject_id } = entry;
      await tx.insertInto('outbox').values({ topic, event, store_id, subject_id }).execute();
    },
    wake() {},
    stop: async () => {},
  };
  const config = readConfig(environment);
  // No test of payments sends one.
  const mail = {} as OrderServices['mail'];
  return {
    forgetShop,
    config,
    db,
    log: pino({ level: process.env['TEST_LOG'] ?? 'silent' }),
    now,
    clients: createClientAddressReader(),
    clock: { isTrusted: () => true, confirm() {} },
    menus,
    networkKey: '',
    installationKeys: installationKeysOf(['bench']),
    jobs,
    keySets,
    mail,
    outbox,
    admins: listAdminMailRecipients,
    orderParts: {
      prints: orderPrintsColumn,
      latestPaymentSql,
      refunds: refundsOfOrderSql,
      failedRefunds: readFailedRefunds,
      openSession: () => null,
    },
    orderSessions: createOrderSessionCipher(installationKeysOf(['bench'])),
    owed: createOrderPaymentEffects({ admins: listAdminMailRecipients, config, jobs, mail, menus, now, outbox }),
    prints: createOrderPrintEffects({ outbox, printers: { isPrinting: () => false } }),
    push: { subject: 'mailto:owner@example.com', keys: null },
    restored: { isHeld: () => false },
  } satisfies PaymentServices & Omit<OrderServices, 'payments'> & { forgetShop(): void };
}

/** Its session is its id, so that it can be replaced. */
export function cardOrder(storeId: string, now: Date): Omit<UnnumberedOrder, 'store_version'> {
  const id = randomUUIDv7();
  return {
    id,
    store_id: storeId,
    trading_day: '2026-11-21',
    channel: 'web',
    placed_by: null,
    customer_id: null,
    session_hash: hashSession(id),
    session_sealed: null,
    request_hash: Buffer.alloc(32),
    status: 'pending_payment',
    payment_status: 'unpaid',
    payment_method: 'card',
    fulfilment_type: 'collection',
    contact: { name: 'Ada Byron', phone: '07700 900123', email: '' },
    address: null,
    locale: 'en',
    requested_for: null,
    promised_at: null,
    prep_minutes: 0,
    slot_at: null,
    note: '',
    allergy_note: '',
    allergies: [],
    if_sold_out: 'ring',
    cutlery: false,
    lines: [],
    subtotal: 1250,
    discounts: [],
    fees: [],
    tip: 0,
    total: 1250,
    vat: [],
    created_at: now,
    placed_at: null,
    answer_by: null,
    expires_at: new Date(now.getTime() + 30 * 60_000),
    actor: 'guest',
    actor_id: null,
    limited: null,
    portions: [],
  };
}
