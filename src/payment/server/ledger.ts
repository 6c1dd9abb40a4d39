import { randomUUID, randomUUIDv7 } from 'node:crypto';
import { type Selectable, sql } from 'kysely';
import type { Db, RefundsView, Tx } from '#database/schema.ts';
import { changeMoneyWithHistory, setRemovedLinesRefund } from '#ordering/server/change-orders.ts';
import { queueOrderMail } from '#ordering/server/mails/send-order-mails.ts';
import type { OrderRow } from '#ordering/server/present-order.ts';
import {
  isMailedRefundStep,
  unfailedRefunds,
  type RefundFacts,
  refundKey,
  type RefundStep,
  type RefundRecord,
} from '#payment/refund-steps.ts';
import { sumOfLineRemovalRefunds } from '#payment/refund-rules.ts';
import { announceFailedRefund } from '#payment/server/alerts.ts';
import { owedCallSweepDelayMs, type LockedPayment, type RefundJob, refundQueue } from '#payment/server/owed-calls.ts';
import type { PaymentServices } from '#payment/server/services.ts';
import { tradingDayOf } from '#store/opening-hours.ts';
import { paymentCheckOrdersSql } from '#ordering/server/order-views.ts';
import {
  unrefundedAmountOf,
  dueAmountOfRefund,
  type MoneyFacts,
  type MoneyFactsWithKeys,
  refundProblemOf,
} from '#payment/balance.ts';
import type { RefundProblem } from '#payment/refund.ts';

/*
 * Only this file writes refund requests and their attempts. `refunds` is a view of both. `refund-steps.ts` decides the
 * steps, under the order's lock.
 */

export type RefundRow = Selectable<RefundsView>;
/** The services with which refund steps are applied: mails and alerts about failed refunds, the outbox and jobs. */
export type RefundStepServices = Pick<
  PaymentServices,
  'admins' | 'config' | 'jobs' | 'mail' | 'menus' | 'now' | 'outbox'
>;

export const createRefundId = randomUUIDv7;

/** The refunds of an order, oldest first. The caller holds the order's lock. */
export function readOrderRefunds(tx: Tx, orderId: string): Promise<RefundRow[]> {
  return tx.selectFrom('refunds').selectAll().where('order_id', '=', orderId).orderBy('id').execute();
}

export function findRefund(db: Db, id: string): Promise<RefundRow | undefined> {
  return db.selectFrom('refunds').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function readRefundFacts(tx: Tx, locked: LockedPayment): Promise<RefundFacts> {
  const { id } = locked.order;
  return { ...locked, money: await readMoneyFacts(tx, id), refunds: await readOrderRefunds(tx, id) };
}

export async function applyRefundSteps(
  tx: Tx,
  services: RefundStepServices,
  order: OrderRow,
  steps: readonly RefundStep[],
): Promise<void> {
  const now = services.now();
  for (const step of steps) {
    const { kind, refund } = step;
    await writeStep(tx, services, order, step);
    if (kind !== 'record_provider_id' && refund.status === 'pending')
      await services.jobs.send<RefundJob>(tx, refundQueue, { refund_id: refund.id });
    if (isMailedRefundStep(step)) await queueOrderMail(tx, order, 'refunded', { now, refundId: refund.id });
  }
  const failed = steps.filter(({ refund }) => refund.status === 'failed');
  await recordFailedRefunds(tx, services, order, new Set(failed.map(({ refund }) => refund.id)));
}

async function writeStep(
  tx: Tx,
  services: RefundStepServices,
  order: OrderRow,
  { kind, refund }: RefundStep,
): Promise<void> {
  const { id, provider_refund } = refund;
  const now = services.now();
  if (kind === 'add') await add(tx, services, order, refund);
  else if (kind === 'retry' || kind === 'retry_another_way') await addAttempt(tx, refund, now);
  else {
    const made = { status: 'made', made_at: now, check_at: null, provider_refund } as const;
    const set = { succeed: made, return: { status: 'returned' } as const, record_provider_id: { provider_refund } }[
      kind
    ];
    await tx
      .updateTable('refund_attempts')
      .set(set)
      .where('request_id', '=', id)
      .where('number', '=', numbers(tx, id))
      .execute();
  }
}

const numbers = (db: Db, id: string) =>
  db
    .selectFrom('refund_attempts')
    .select((eb) => eb.fn.coalesce(eb.fn.max('number'), eb.lit(0)).as('number'))
    .where('request_id', '=', id);

function sharedBy({ payment_id, amount, tip, vat, lines }: RefundRecord) {
  return { payment_id, amount, tip, vat: JSON.stringify(vat), lines: JSON.stringify(lines) };
}

async function addAttempt(tx: Tx, refund: RefundRecord, now: Date): Promise<void> {
  const { id, provider_refund } = refund;
  const { number } = await numbers(tx, id).executeTakeFirstOrThrow();
  const check_at = new Date(now.getTime() + owedCallSweepDelayMs);
  const asked = { status: 'asked', key: refundKey(refund), check_at } as const;
  const made = { status: 'made', key: null, made_at: now } as const;
  // A failed refund is left to staff, so the provider gets no call.
  const state = { pending: asked, succeeded: made, failed: { status: 'refused', key: null } as const }[refund.status];
  await tx
    .insertInto('refund_attempts')
    .values({ ...sharedBy(refund), ...state, request_id: id, number: number + 1, provider_refund })
    .execute();
}

async function add(tx: Tx, services: RefundStepServices, order: OrderRow, refund: RefundRecord): Promise<void> {
  const { store } = (await services.menus.store(tx, order.store_id)) ?? {};
  if (!store) throw new Error(`order ${order.id} is of no shop`);
  const { id, part_of, kind, key = randomUUID(), reason, actor, actor_id } = refund;
  const now = services.now();
  const ofShop = { store_id: order.store_id, order_id: order.id, currency: store.currency };
  const asked = { id, part_of, kind, key, reason, actor, actor_id, created_at: now };
  await tx
    .insertInto('refund_requests')
    .values({ ...sharedBy(refund), ...ofShop, ...asked, trading_day: tradingDayOf(store, now) })
    .execute();
  await addAttempt(tx, refund, now);
  if (kind !== 'line_removed' || part_of !== null) return;
  await setRemovedLinesRefund(
    tx,
    order.id,
    sumOfLineRemovalRefunds(unfailedRefunds(await readOrderRefunds(tx, order.id))),
  );
}

export async function recordFailedRefunds(
  tx: Tx,
  services: RefundStepServices,
  order: OrderRow,
  ids: ReadonlySet<string>,
): Promise<void> {
  if (ids.size === 0) return;
  for (const refund of await readRefundsWithStates(tx, order.id)) {
    const { id, amount, currency } = refund;
    if (!ids.has(id)) continue;
    await changeMoneyWithHistory(tx, services.outbox, order, {
      note: { kind: 'refund_failed', amount, currency },
      at: services.now(),
    });
    await announceFailedRefund(tx, services, order, refund);
  }
}

/** Notifies the owner and the customer of the order's failed refunds that are due and that `isWanted` accepts. */
export async function announceDueRefunds(
  tx: Tx,
  services: RefundStepServices,
  order: OrderRow,
  isWanted: (refund: RefundRow) => boolean,
): Promise<void> {
  for (const refund of await readRefundsWithStates(tx, order.id)) {
    if (refund.due > 0 && isWanted(refund)) await announceFailedRefund(tx, services, order, refund);
  }
}

export async function readRefundsWithStates(tx: Tx, orderId: string): Promise<(RefundRow & RefundState)[]> {
  const states = await readRefundStates(tx, [orderId]);
  const refunds = await readOrderRefunds(tx, orderId);
  return refunds.map((refund) => ({ ...refund, due: 0, problem: null, ...states.get(refund.id) }));
}

/** Changes a refund's open attempt. Returns false if this attempt has ended, or if a newer attempt has begun. */
async function changeOpenAttempt(
  tx: Tx,
  refund: RefundRow,
  set: { status?: 'refused'; check_at: null },
): Promise<boolean> {
  const changed = await tx
    .updateTable('refund_attempts')
    .set(set)
    .where('request_id', '=', refund.id)
    .where('status', '=', 'asked')
    .where('key', '=', refundKey(refund))
    .executeTakeFirst();
  return changed.numUpdatedRows > 0n;
}

/**
 * Marks a refund's attempt as refused by the provider. Returns false if this attempt has ended, or if a newer attempt
 * has begun.
 */
export const markRefundRefused = (tx: Tx, refund: RefundRow): Promise<boolean> =>
  changeOpenAttempt(tx, refund, { status: 'refused', check_at: null });

/** Excludes a refund from the sweep until its dispute is decided. */
export const suspendRefund = (tx: Tx, refund: RefundRow): Promise<boolean> =>
  changeOpenAttempt(tx, refund, { check_at: null });

/** Ends an attempt whose idempotency key was used up without a refund, and adds the next attempt with the next key. */
export async function addNextRefundAttempt(tx: Tx, refund: RefundRow, now: Date): Promise<void> {
  if (await markRefundRefused(tx, refund)) await addAttempt(tx, { ...refund, attempts: refund.attempts + 1 }, now);
}

export async function queueSuspendedRefunds(
  tx: Tx,
  { jobs, now }: Pick<PaymentServices, 'jobs' | 'now'>,
  paymentId: string,
) {
  const waiting = await tx
    .updateTable('refund_attempts')
    .set({ check_at: now() })
    .where('payment_id', '=', paymentId)
    .where('status', '=', 'asked')
    .returning('request_id as id')
    .execute();
  for (const { id } of waiting) await jobs.send<RefundJob>(tx, refundQueue, { refund_id: id });
}

/** Claims the refunds that are due for the sweep, and postpones their next check, so that instances share the work. */
export async function claimDueRefunds(db: Db, now: Date, most: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update refund_attempts a
    set check_at = ${now}::timestamptz
      + least(interval '5 minutes', greatest(interval '20 seconds', (${now}::timestamptz - r.created_at) / 2))
    from refund_requests r
    where r.id = a.request_id and (a.request_id, a.number) in (
      select request_id, number from refund_attempts
      where check_at <= ${now} order by check_at limit ${most} for update skip locked
    )
    returning a.request_id as id`.execute(db);
  return rows.map(({ id }) => id);
}

export async function eraseRefundReasons(tx: Tx, orderIds: readonly string[]): Promise<void> {
  await tx.updateTable('refund_requests').set({ reason: '' }).where('order_id', 'in', orderIds).execute();
}

const moneyFacts = sql<MoneyFactsWithKeys>`json_build_object(
  'order', json_build_object('payment_method', o.payment_method, 'payment_status', o.payment_status, 'total', o.total),
  'payments', (select coalesce(json_agg(one order by one.id), '[]') from (
    select p.id, p.status, p.amount, p.captured, k.ended_at is not null as have_keys_ended
    from payments p left join payment_key_sets k on k.id = p.key_set where p.order_id = o.id) one),
  'refunds', (select coalesce(json_agg(one order by one.id), '[]') from (
    select id, payment_id, status, kind, amount from refunds where order_id = o.id) one),
  'disputes', (select coalesce(json_agg(one), '[]') from (
    select payment_id, status, amount from payment_disputes where order_id = o.id) one),
  'movements', (select coalesce(json_agg(one), '[]') from (
    select payment_id, kind, amount from payment_movements where order_id = o.id) one))`;

async function readFacts(db: Db, orderIds: readonly string[]): Promise<MoneyFactsWithKeys[]> {
  if (orderIds.length === 0) return [];
  const { rows } = await sql<{ facts: MoneyFactsWithKeys }>`
    select ${moneyFacts} as facts from ${paymentCheckOrdersSql} o where o.id = any(${orderIds}::uuid[])`.execute(db);
  return rows.map(({ facts }) => facts);
}

async function readMoneyFacts(db: Db, orderId: string): Promise<MoneyFacts> {
  const [facts] = await readFacts(db, [orderId]);
  if (!facts) throw new Error(`order ${orderId} is gone`);
  return facts;
}

/** The unrefunded amount of a payment, computed with `order`, which may differ from the stored order. */
export async function readUnrefundedRest(db: Db, { order, payment }: LockedPayment): Promise<number> {
  return unrefundedAmountOf({ ...(await readMoneyFacts(db, order.id)), order }, payment.id);
}

export type RefundState = { due: number; problem: RefundProblem | null };

/** The due amount and the problem of each refund of these orders, by its id. */
export async function readRefundStates(db: Db, orderIds: readonly string[]): Promise<Map<string, RefundState>> {
  const all = await readFacts(db, [...new Set(orderIds)]);
  return new Map(
    all.flatMap((facts) =>
      facts.refunds.map((refund): [string, RefundState] => [
        refund.id,
        { due: dueAmountOfRefund(facts, refund), problem: refundProblemOf(facts, refund) },
      ]),
    ),
  );
}
