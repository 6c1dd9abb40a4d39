import {
  collectDefaultMetrics,
  Counter,
  Gauge,
  Histogram,
  type Metric,
  type OpenMetricsContentType,
  Registry,
} from 'prom-client';
import { orderChannels, orderStatuses, printStatuses } from '#database/column-values.ts';
import type { DiskMonitor } from '#database/health.ts';
import type { Db } from '#database/schema.ts';
import {
  connectionPoolOf,
  poolWaitFeed,
  slowStatementFeed,
  poolStateOf,
  transactionOutcomeFeed,
} from '#database/usage-metrics.ts';
import { storeBoardsChannel } from '#kitchen/channels.ts';
import { orderStepFeed } from '#ordering/server/order-counts.ts';
import type { RealtimeServer } from '#realtime/server/realtime.ts';
import { type BackupTimes, readShopNumbers, type ShopNumbers } from '#watch/server/metrics/read-shop-numbers.ts';

/*
 * Every metric of the shop. Metrics whose names begin with `hatch_shop_` are read from the database, and are the same
 * at every instance; all others are of one instance. Labels have only values of fixed lists.
 */

export interface MetricsSources {
  backupTimes: BackupTimes;
  db: Db;
  disk: Pick<DiskMonitor, 'room'>;
  now: () => Date;
  past: Db;
  realtime: Pick<RealtimeServer, 'countMembers' | 'stats'>;
  versions: { hatch: string };
}

export type MetricsFormat = 'text' | 'openmetrics';

export interface Metrics {
  /** Reads all values again, and returns them as text. Throws `DatabaseUnavailable`. */
  write(format: MetricsFormat): Promise<{ type: string; text: string }>;
  stop(): void;
}

const seconds = {
  answer: [5, 15, 30, 60, 120, 180, 300, 600, 900, 1800],
  wait: [0.001, 0.005, 0.025, 0.1, 0.5, 2],
};

function define() {
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name, help, labelNames, registers: [] });
  const counter = (name: string, help: string, labelNames: string[] = []) =>
    new Counter({ name, help, labelNames, registers: [] });
  return {
    orders: gauge(
      'hatch_shop_orders',
      'Orders of the last 24 hours and all that have not ended, by channel and state.',
      ['channel', 'state'],
    ),
    unanswered: gauge('hatch_shop_orders_unanswered', 'Orders that wait for an answer of the shop.'),
    oldest: gauge(
      'hatch_shop_orders_unanswered_oldest_seconds',
      'Time since the oldest unanswered order was placed; 0 without one.',
    ),
    timeLeft: gauge(
      'hatch_shop_orders_answer_left_seconds',
      'Time until the first unanswered order is rejected; no sample without one.',
    ),
    unattended: gauge(
      'hatch_shop_stores_unattended',
      'Open stores without an order board, of which the owner was told.',
    ),
    boards: gauge('hatch_shop_boards', 'Order boards that are switched on, on all instances.'),
    prints: gauge('hatch_shop_prints', 'Copies of receipts of the last 24 hours, by state.', ['state']),
    printers: gauge('hatch_shop_printers_faulty', 'Printers that do not print.'),
    payments: gauge(
      'hatch_shop_payments_open',
      'Card payments that are not finished: pending, authorised, or owed a call at the provider.',
      ['state'],
    ),
    refunds: gauge('hatch_shop_refunds_pending', 'Refunds that the provider has not confirmed.'),
    disputes: gauge('hatch_shop_disputes_open', 'Payments in dispute.'),
    mails: gauge('hatch_shop_mails', 'Mails in the queue: waiting, or refused by the mail server.', ['state']),
    jobs: gauge('hatch_shop_jobs', 'Jobs in the queue: waiting, active, or failed within some minutes.', ['state']),
    events: gauge('hatch_shop_events_waiting', 'Realtime events that are not sent yet.'),
    bytes: gauge('hatch_shop_database_bytes', 'Size of the database.'),
    backup: gauge(
      'hatch_shop_backup_age_seconds',
      'Age of the last good backup; without one, the time since there should be one.',
    ),
    placed: gauge('hatch_shop_backup_place_age_seconds', 'Age of the last backup in the second place.'),
    steps: counter('hatch_orders_total', 'Orders that came to a state, by channel and state.', ['channel', 'state']),
    answers: new Histogram({
      name: 'hatch_order_accept_seconds',
      help: 'Time from placed to accepted.',
      labelNames: ['channel'],
      buckets: seconds.answer,
      registers: [],
    }),
    sockets: gauge('hatch_sockets', 'Realtime connections of this instance.'),
    dropped: counter('hatch_sockets_dropped_total', 'Realtime connections that were closed because they did not read.'),
    diskFree: gauge('hatch_disk_free_bytes', 'Free room on the disk of the data folder.'),
    diskSize: gauge('hatch_disk_size_bytes', 'Size of that disk.'),
    connections: gauge('hatch_database_connections', 'Connections to the database, busy or idle.', ['pool', 'state']),
    waiting: gauge('hatch_database_waiting', 'Work that waits for a connection.', ['pool']),
    waits: new Histogram({
      name: 'hatch_database_wait_seconds',
      help: 'Time that work waited for a connection.',
      labelNames: ['pool'],
      buckets: seconds.wait,
      registers: [],
    }),
    transactions: counter('hatch_database_transactions_total', 'Transactions, by their outcome.', ['outcome']),
    slow: counter('hatch_database_slow_statements_total', 'Statements that took 200 ms or longer.'),
    version: gauge('hatch_info', 'Always 1; the version is in its label.', ['version']),
  };
}
type Ours = ReturnType<typeof define>;

/** Name, kind, labels and help of every metric that Hatch defines, in the order of the docs. */
export function describeMetrics(): { name: string; kind: string; labels: string[]; help: string }[] {
  return Object.values(define()).map((metric) => {
    // The library's types lack these fields.
    const { name, help, labelNames } = metric as unknown as { name: string; help: string; labelNames: string[] };
    return { name, help, labels: labelNames, kind: metric.constructor.name.toLowerCase() };
  });
}

export function createMetrics(services: MetricsSources): Metrics {
  const ours = define();
  const stop = count(ours, services);
  const all = [...Object.values(ours), ...ofProcess()] as Metric[];
  const text = new Registry();
  const open = new Registry<OpenMetricsContentType>();
  open.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
  for (const metric of all) {
    text.registerMetric(metric);
    // The OpenMetrics registry removes `_total` from the names of its counters. So it gets a separate object, whose
    // changed name does not affect the other registry.
    open.registerMetric(Object.create(metric) as Metric);
  }
  return {
    async write(format) {
      const { db, now, past } = services;
      const shop = await readShopNumbers(past, now(), services.backupTimes);
      setShop(ours, shop, now());
      await setInstance(ours, services, { orders: db, past });
      ours.boards.set(
        shop.stores.reduce((sum, { id }) => sum + services.realtime.countMembers(storeBoardsChannel(id)), 0),
      );
      const registry = format === 'text' ? text : open;
      return { type: registry.contentType, text: await registry.metrics() };
    },
    stop,
  };
}

/**
 * The metrics of the process: processor time, memory, and the event loop's delay. They are created once, however often
 * `createMetrics` is called.
 */
function ofProcess(): readonly Metric[] {
  if (known.length > 0) return known;
  const register = new Registry();
  collectDefaultMetrics({ register, eventLoopMonitoringPrecision: 20 });
  // All gauges with this prefix are removed, because some of their names end in `_total`, which is allowed only for
  // counters.
  const odd = register.getMetricsAsArray().filter(({ name }) => name.startsWith('nodejs_active_'));
  for (const { name } of odd) register.removeSingleMetric(name);
  known.push(...(register.getMetricsAsArray() as unknown as Metric[]));
  return known;
}
const known: Metric[] = [];

function count(ours: Ours, { db, past, versions }: MetricsSources): () => void {
  const pools = new Map([
    [connectionPoolOf(db), 'orders'],
    [connectionPoolOf(past), 'past'],
  ]);
  ours.version.set({ version: versions.hatch }, 1);
  for (const channel of orderChannels) for (const state of orderStatuses) ours.steps.inc({ channel, state }, 0);
  for (const channel of orderChannels) ours.answers.zero({ channel });
  for (const pool of pools.values()) ours.waits.zero({ pool });
  for (const outcome of ['committed', 'rolled_back', 'retried']) ours.transactions.inc({ outcome }, 0);
  const ends = [
    orderStepFeed.listen(({ channel, status, answeredAfter }) => {
      ours.steps.inc({ channel, state: status });
      if (answeredAfter !== null) ours.answers.observe({ channel }, answeredAfter);
    }),
    transactionOutcomeFeed.listen((outcome) => ours.transactions.inc({ outcome })),
    poolWaitFeed.listen(({ pool, seconds: waited }) => {
      const name = pools.get(pool);
      if (name) ours.waits.observe({ pool: name }, waited);
    }),
    slowStatementFeed.listen(() => ours.slow.inc()),
  ];
  return () => ends.forEach((end) => end());
}

function setShop(ours: Ours, shop: ShopNumbers, now: Date): void {
  for (const channel of orderChannels) for (const state of orderStatuses) ours.orders.set({ channel, state }, 0);
  for (const { channel, status, count: found } of shop.orders) ours.orders.set({ channel, state: status }, found);
  const { count: waiting, answer_by: answerBy, placed_at: placedAt } = shop.unanswered;
  ours.unanswered.set(waiting);
  ours.oldest.set(placedAt === null ? 0 : Math.max(0, now.getTime() - Date.parse(placedAt)) / 1000);
  if (answerBy === null) ours.timeLeft.remove();
  else ours.timeLeft.set((Date.parse(answerBy) - now.getTime()) / 1000);
  ours.unattended.set(shop.stores.filter(({ is_unattended: isUnattended }) => isUnattended).length);
  for (const state of printStatuses) ours.prints.set({ state }, 0);
  for (const { status, count: found } of shop.printing.prints) ours.prints.set({ state: status }, found);
  ours.printers.set(shop.printing.faulty);
  const { refunds, disputes, ...payments } = shop.money;
  for (const [state, found] of Object.entries(payments)) ours.payments.set({ state }, found);
  ours.refunds.set(refunds);
  ours.disputes.set(disputes);
  ours.mails.set({ state: 'waiting' }, shop.mails.waiting);
  ours.mails.set({ state: 'refused' }, shop.mails.refused);
  for (const [state, found] of Object.entries(shop.jobs)) ours.jobs.set({ state }, found);
  ours.events.set(shop.events);
  ours.bytes.set(shop.bytes);
  const { backups } = shop;
  setAge(ours.backup, backups.good_at ?? backups.since, now);
  setAge(ours.placed, backups.placed_at, now);
}

/**
 * Sets a metric to the age of `at` in seconds. If a wrong clock recorded a time in the future, the metric is the
 * distance from now to that time.
 */
function setAge(age: Ours['backup'], at: string | null, now: Date): void {
  if (at === null) age.remove();
  else age.set(Math.abs(now.getTime() - Date.parse(at)) / 1000);
}

async function setInstance(ours: Ours, { disk, realtime }: MetricsSources, dbs: Record<string, Db>): Promise<void> {
  const { connections, dropped } = realtime.stats();
  ours.sockets.set(connections);
  ours.dropped.reset();
  ours.dropped.inc(dropped);
  const { free, all } = await disk.room();
  ours.diskFree.set(free);
  ours.diskSize.set(all);
  for (const [name, db] of Object.entries(dbs)) {
    const pool = connectionPoolOf(db);
    if (!pool) continue;
    const { busy, idle, waiting } = poolStateOf(pool);
    ours.connections.set({ pool: name, state: 'busy' }, busy);
    ours.connections.set({ pool: name, state: 'idle' }, idle);
    ours.waiting.set({ pool: name }, waiting);
  }
}
