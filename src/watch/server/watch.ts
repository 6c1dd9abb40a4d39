import type { DueWork } from '#database/jobs/due-work.ts';
import { pushNewOrders, selectStoresWithOrdersToPush } from '#watch/server/push-new-orders.ts';
import type { WatchServices } from '#watch/server/services.ts';
import { type Alert, alertToMail, alertOwner } from '#alerts/server/alert-owner.ts';
import type { MailExamples } from '#mail/server/handlers.ts';
import type { Db } from '#database/schema.ts';
import type { StaffStore, Store } from '#store/contract.ts';
import { type RawBuilder, sql } from 'kysely';
import { m } from '#messages';
import { inTransaction, changeWithEffects } from '#database/transaction.ts';
import { timeWords } from '#platform/date-words.ts';
import { storeBoardsChannel } from '#kitchen/channels.ts';
import type { StoreChangeCall } from '#store/server/change-store.ts';
import {
  liveStoresSql,
  lockStoreAndReadPause,
  setAutomaticPause,
  storeDeadlineSettingsSql,
} from '#store/server/store-views.ts';
import { boardContactMaxAgeMs, type BoardVerdict, type BoardWatch, boardVerdictAt } from '#watch/board-watch.ts';
import { urgentOrderMs } from '#kitchen/board-alarms.ts';
import { unansweredOrdersSql } from '#ordering/server/order-views.ts';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { type DiskMonitor, isDiskLow } from '#database/health.ts';
import { startSweep, type Sweep } from '#platform/server/sweep.ts';

/**
 * Due work that alerts staff and owner, so that no order waits unnoticed. Its state is in the database, because all
 * instances share the work.
 */
export function createWatchDueWork(
  services: Pick<
    WatchServices,
    'admins' | 'clock' | 'config' | 'db' | 'jobs' | 'log' | 'mail' | 'menus' | 'now' | 'outbox' | 'realtime'
  >,
): DueWork[] {
  const watchingSince = services.now();
  const boards: DueWork<StoreBoardWatch[] | null> = {
    name: 'boards',
    due: () => storeBoardWatchesJson,
    work: async (stores) => services.clock.isTrusted() && checkBoards(services, watchingSince, stores),
  };
  const waiting: DueWork<boolean> = {
    name: 'waiting orders',
    due: (now) => areWaiting(now),
    work: async () => services.clock.isTrusted() && alertAboutWaitingOrders(services),
  };
  const pushes: DueWork<string[] | null> = {
    name: 'new orders for devices',
    due: (now) => selectStoresWithOrdersToPush(now),
    work: async (stores) => services.clock.isTrusted() && pushNewOrders(services, stores),
  };
  return [boards, waiting, pushes];
}

export function createWatchMailExamples(
  config: { publicUrl: string },
  { readStore, now }: { readStore: (db: Db) => Promise<Store>; now: () => Date },
): Pick<MailExamples, 'orders_waiting' | 'boards_lost' | 'boards_back' | 'disk_low'> {
  const minutes = (count: number) => new Date(now().getTime() + count * 60_000);
  const verdict = async (db: Db, found: Parameters<typeof verdictAlert>[2]) =>
    alertToMail(verdictAlert(config, await readStore(db), found));
  return {
    orders_waiting: async (db: Db) =>
      alertToMail(
        waitingAlert(config, await readStore(db), [{ number: 57, answer_by: minutes(5), heard_at: minutes(-4) }]),
      ),
    boards_lost: (db) => verdict(db, { kind: 'lost', since: minutes(-15), pauseUntil: null }),
    boards_back: (db) => verdict(db, { kind: 'back', resumes: true }),
    disk_low: () => alertToMail(diskAlert({ free: 450_000_000, all: 40_000_000_000 }, '/srv/hatch')),
  };
}

export type StoreBoardWatch = { store_id: string } & { [K in keyof BoardWatch]: string | null };

/** The state of every store's boards, as JSON; null without a store. */
export const storeBoardWatchesJson = sql<StoreBoardWatch[] | null>`
  select json_agg(json_build_object(
    'store_id', stores.id, 'seen_at', w.seen_at, 'lost_at', w.lost_at, 'paused_until', w.paused_until))
  from ${liveStoresSql} as stores left join board_watches as w on w.store_id = stores.id`;

/**
 * Checks the boards of `stores`: records which boards are on, and then alerts, pauses or resumes. The owner is alerted
 * once per outage and once at its end, whichever instance checks.
 */
export async function checkBoards(
  services: Pick<
    WatchServices,
    'admins' | 'config' | 'db' | 'jobs' | 'log' | 'mail' | 'menus' | 'now' | 'outbox' | 'realtime'
  >,
  watchingSince: Date,
  stores: readonly StoreBoardWatch[],
): Promise<void> {
  const { db, menus } = services;
  const now = services.now();
  for (const { store_id: id, ...known } of stores) {
    const watch: BoardWatch = {
      seen_at: known.seen_at === null ? null : new Date(known.seen_at),
      lost_at: known.lost_at === null ? null : new Date(known.lost_at),
      paused_until: known.paused_until === null ? null : new Date(known.paused_until),
    };
    if (services.realtime.countMembers(storeBoardsChannel(id)) > 0) {
      // A stored contact is valid for `boardContactMaxAgeMs`, and is renewed after a third of that time, so that not
      // every check writes.
      if (watch.seen_at === null || now.getTime() - watch.seen_at.getTime() >= boardContactMaxAgeMs / 3)
        await see(db, id, now);
      watch.seen_at = now;
    }
    const shop = await menus.shop(id);
    if (!shop) continue;
    if (boardVerdictAt(shop.store, watch, watchingSince, now).kind === 'calm') continue;
    await changeWithEffects(services, (tx, afterCommit) =>
      act({ db: tx, afterCommit }, services, shop.store, watchingSince, now),
    );
  }
}

async function see(db: Db, storeId: string, now: Date): Promise<void> {
  await db
    .insertInto('board_watches')
    .values({ store_id: storeId, seen_at: now })
    .onConflict((conflict) => conflict.column('store_id').doUpdateSet({ seen_at: now }))
    .execute();
}

/**
 * Judges the boards again under a lock, because another instance may have acted already; then alerts, pauses or
 * resumes.
 */
async function act(
  call: StoreChangeCall,
  services: Pick<WatchServices, 'admins' | 'config' | 'jobs' | 'mail' | 'menus' | 'now' | 'outbox'>,
  store: StaffStore,
  watchingSince: Date,
  now: Date,
): Promise<void> {
  const tx = call.db;
  await tx
    .insertInto('board_watches')
    .values({ store_id: store.id })
    .onConflict((conflict) => conflict.column('store_id').doNothing())
    .execute();
  const watch = await tx
    .selectFrom('board_watches')
    .selectAll()
    .where('store_id', '=', store.id)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const pausedUntil = await lockStoreAndReadPause(tx, store.id);
  const current = { ...store, paused_until: pausedUntil?.toISOString() ?? null };
  const verdict = boardVerdictAt(current, watch, watchingSince, now);
  if (verdict.kind === 'calm') return;
  const isLost = verdict.kind === 'lost';
  await tx
    .updateTable('board_watches')
    .set({ lost_at: isLost ? verdict.since : null, paused_until: isLost ? verdict.pauseUntil : null })
    .where('store_id', '=', store.id)
    .execute();
  if (isLost && verdict.pauseUntil) {
    await setAutomaticPause(services, call, store.id, { until: verdict.pauseUntil, cause: 'no_board' });
  }
  if (verdict.kind === 'back' && verdict.resumes) {
    await setAutomaticPause(services, call, store.id, { until: null, cause: null });
  }
  if (verdict.kind === 'lost' || verdict.kind === 'back') {
    await alertOwner(tx, services, () => verdictAlert(services.config, store, verdict));
  }
}

function verdictAlert(
  config: { publicUrl: string },
  store: Pick<StaffStore, 'id' | 'name' | 'timezone' | 'answer_minutes'>,
  verdict: Extract<BoardVerdict, { kind: 'lost' | 'back' }>,
): Alert {
  const shop = store.name;
  const lost = { kind: 'boards_lost', store: { id: store.id, name: shop } } as const;
  const link = { words: m.watch_open_board(), link: `${config.publicUrl}/store/orders` };
  if (verdict.kind === 'lost') {
    const time = timeWords(verdict.since, store.timezone);
    const subject = m.watch_lost_subject({ shop });
    if (verdict.pauseUntil) return { ...lost, subject, link, text: m.watch_lost_paused({ shop, time }) };
    return { ...lost, subject, link, text: m.watch_lost({ shop, time, minutes: store.answer_minutes }) };
  }
  const text = verdict.resumes ? m.watch_back_resumed({ shop }) : m.watch_back({ shop });
  return { ...lost, kind: 'boards_back', subject: m.watch_back_subject({ shop }), text };
}

/** When a store's boards were last connected; null if they never were. */
export async function readLastBoardContact(db: Db, storeId: string): Promise<Date | null> {
  const row = await db.selectFrom('board_watches').select('seen_at').where('store_id', '=', storeId).executeTakeFirst();
  return row?.seen_at ?? null;
}

/**
 * The minimum interval of alerts about waiting orders (ms). An alert covers all orders that wait at that time. The
 * interval does not delay the alert about an urgent order (`isUrgent`).
 */
const quietFor = 10 * 60_000;

interface UnansweredOrder {
  id: string;
  store_id: string;
  number: number;
  answer_by: Date;
  heard_at: Date | null;
  is_urgent: boolean;
}

/**
 * Whether an order without an alert has waited for half of its answer minutes. The alert about this order may still be
 * delayed, because alerts have a minimum interval (`quietFor`).
 */
function areWaiting(now: Date): RawBuilder<boolean> {
  return sql`exists (
    select from ${unansweredOrdersSql} as orders join ${storeDeadlineSettingsSql} as stores on stores.id = orders.store_id
      left join order_watches as w on w.order_id = orders.id
    where w.warned_at is null and ${halfGone(now)})`;
}

/**
 * Alerts the owner about each order that has waited for half of its answer minutes. Acknowledged orders are included,
 * because their deadline is unchanged. Returns the number of orders.
 */
export async function alertAboutWaitingOrders(
  services: Pick<WatchServices, 'admins' | 'config' | 'db' | 'jobs' | 'mail' | 'menus' | 'now'>,
): Promise<number> {
  const { db } = services;
  const stores = await db
    .selectFrom(unansweredOrdersSql.as('orders'))
    .innerJoin(storeDeadlineSettingsSql.as('stores'), 'stores.id', 'orders.store_id')
    .select('orders.store_id')
    .distinct()
    .where(halfGone(services.now()))
    .execute();
  let told = 0;
  for (const { store_id: storeId } of stores) told += await warnStore(services, storeId);
  return told;
}

/**
 * Whether at most half of the store's answer minutes remain until `answer_by`. The time is counted back from the
 * deadline, because a scheduled order waits longer than the answer minutes.
 */
function halfGone(now: Date) {
  return sql<boolean>`orders.answer_by - make_interval(secs => stores.answer_minutes * 30) <= ${now}`;
}

/**
 * Whether an order is within three minutes of its deadline, so that the owner is alerted although the last alert was
 * recent.
 */
function isUrgent(now: Date) {
  return sql<boolean>`orders.answer_by - make_interval(secs => ${urgentOrderMs / 1000}) <= ${now}`;
}

async function warnStore(
  services: Pick<WatchServices, 'admins' | 'config' | 'db' | 'jobs' | 'mail' | 'menus' | 'now'>,
  storeId: string,
): Promise<number> {
  const shop = await services.menus.shop(storeId);
  if (!shop) return 0;
  const { store } = shop;
  return inTransaction(services.db, async (tx) => {
    await tx
      .insertInto('board_watches')
      .values({ store_id: storeId })
      .onConflict((conflict) => conflict.column('store_id').doNothing())
      .execute();
    const watch = await tx
      .selectFrom('board_watches')
      .select('warned_at')
      .where('store_id', '=', storeId)
      .forUpdate()
      .executeTakeFirstOrThrow();
    // The time is read again, because this instance may have waited for the lock.
    const now = services.now();
    const waiting: UnansweredOrder[] = await tx
      .selectFrom(unansweredOrdersSql.as('orders'))
      .innerJoin(storeDeadlineSettingsSql.as('stores'), 'stores.id', 'orders.store_id')
      .leftJoin('order_watches as w', 'w.order_id', 'orders.id')
      .select(['orders.id', 'orders.store_id', 'orders.number', 'w.heard_at'])
      .select([sql<Date>`orders.answer_by`.as('answer_by'), isUrgent(now).as('is_urgent')])
      .where('orders.store_id', '=', storeId)
      .where('w.warned_at', 'is', null)
      .where(halfGone(now))
      .orderBy('orders.answer_by')
      .execute();
    if (waiting.length === 0) return 0;
    const isQuiet = watch.warned_at !== null && now.getTime() - watch.warned_at.getTime() < quietFor;
    if (isQuiet && !waiting.some((order) => order.is_urgent)) return 0;
    await tx
      .insertInto('order_watches')
      .values(waiting.map(({ id }) => ({ order_id: id, warned_at: now })))
      .onConflict((conflict) => conflict.column('order_id').doUpdateSet({ warned_at: now }))
      .execute();
    await tx.updateTable('board_watches').set({ warned_at: now }).where('store_id', '=', storeId).execute();
    await alertOwner(tx, services, () => waitingAlert(services.config, store, waiting));
    return waiting.length;
  });
}

/** The alert about waiting orders; `waiting` begins with the earliest deadline. */
function waitingAlert(
  config: { publicUrl: string },
  store: Pick<Store, 'id' | 'name' | 'timezone'>,
  waiting: readonly Pick<UnansweredOrder, 'number' | 'answer_by' | 'heard_at'>[],
): Alert {
  const about = { count: waiting.length, shop: store.name };
  const time = (at: Date | number) => timeWords(new Date(at), store.timezone);
  const heardAt = waiting.reduce((latest, { heard_at: at }) => Math.max(latest, at?.getTime() ?? 0), 0);
  return {
    kind: 'orders_waiting',
    store: { id: store.id, name: store.name },
    subject: m.watch_waiting_subject(about),
    text: m.watch_waiting({
      ...about,
      numbers: waiting.map(({ number }) => `#${number}`).join(', '),
      time: time(waiting[0]?.answer_by ?? 0),
      heard: heardAt === 0 ? '' : m.watch_waiting_heard({ time: time(heardAt) }),
    }),
    link: { words: m.watch_open_board(), link: `${config.publicUrl}/store/orders` },
  };
}

/** Milliseconds between checks of the disk. */
const every = 60_000;
/** Free space must reach the limit times this factor before another alert is possible. */
const margin = 1.2;

/**
 * Alerts the owner once about a nearly full disk, and again only after space was freed. A file on that disk records the
 * alert, because each instance has its own disk.
 */
export async function checkDisk(
  services: Pick<WatchServices, 'admins' | 'config' | 'db' | 'jobs' | 'mail' | 'now'>,
  disk: Pick<DiskMonitor, 'room'>,
): Promise<void> {
  const { config, db } = services;
  const room = await disk.room();
  const note = join(config.dataDir, 'disk-low');
  const isTold = await readFile(note).then(
    () => true,
    () => false,
  );
  if (isTold && !isDiskLow(room, margin)) return rm(note, { force: true });
  if (isTold || !isDiskLow(room)) return;
  await inTransaction(db, (tx) => alertOwner(tx, services, () => diskAlert(room, config.dataDir)));
  await writeFile(note, `${services.now().toISOString()}\n`);
}

/** The alert about a nearly full disk; `room` is in bytes. */
function diskAlert(room: { free: number; all: number }, folder: string): Alert {
  const host = hostname();
  const sizes = { free: Math.floor(room.free / 1e6), all: Math.round(room.all / 1e9) };
  return {
    kind: 'disk_low',
    store: null,
    subject: m.watch_disk_subject({ host }),
    text: m.watch_disk({ host, ...sizes, folder }),
  };
}

export function startDiskChecks(
  services: Pick<WatchServices, 'admins' | 'config' | 'db' | 'jobs' | 'log' | 'mail' | 'now'>,
  disk: Pick<DiskMonitor, 'room'>,
): Sweep {
  return startSweep({ name: 'disk', every, log: services.log }, () => checkDisk(services, disk));
}
