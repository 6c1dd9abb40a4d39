import { randomUUID, randomUUIDv7 } from 'node:crypto';
import { type Selectable, sql } from 'kysely';
import type { Db, RefundsView, Tx } from '#database/schema.ts';
import { recordMoneyChange, setRemovedRefunded } from '#ordering/server/change-orders.ts';
import { queueOrderMail } from '#ordering/server/mails/send-order-mails.ts';
import type { OrderRow } from '#ordering/server/present-order.ts';
import {
  unfailedRefunds,
  type RefundFacts,
  refundKey,
  type RefundStep,
  type RefundRecord,
} from '#payment/refund-steps.ts';
import { sumOfRemovedLines } from '#payment/refund-rules.ts';
import { alertOfFailedRefund } from '#payment/server/alerts.ts';
import { type LockedPayment, type PaymentRow, type RefundJob, refundQueue } from '#payment/server/owed-calls.ts';
import type { PaymentServices } from '#payment/server/services.ts';
import { tradingDayOf } from '#store/opening-hours.ts';
import { orderSumsForChecks } from '#ordering/server/order-views.ts';
import { type Balance, balanceOf, refundDueOf, type MoneyFacts, refundProblemOf } from '#payment/balance.ts';
import type { RefundProblem } from '#payment/refund.ts';
import { type Movement, newMovements } from '#payment/movements.ts';
import type { ProviderPayment } from '#payment/payment-state.ts';

/*
 * The only writer of refund requests and attempts, of which `refunds` is a view. `next-steps.ts` decides the steps,
 * under the order's lock.
 */

export type RefundRow = Selectable<RefundsView>;
/** The services that apply refund steps. Mails and alerts tell customer and owner of refunds that fail. */
export type RefundStepServices = Pick<
  PaymentServices,
  'admins' | 'config' | 'jobs' | 'mail' | 'menus' | 'now' | 'outbox'
>;

/** The sweep takes over an unfinished refund this long (ms) after the request. */
const graceBeforeSweep = 20_000;

export const newRefundId = randomUUIDv7;

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

/** Writes the steps of an order's refunds, sends the customer's mails, and alerts the owner of refunds that fail. */
export async function applyRefundSteps(
  tx: Tx,
  services: RefundStepServices,
  order: OrderRow,
  steps: readonly RefundStep[],
): Promise<void> {
  const now = services.now();
  for (const { kind, refund, isTold } of steps) {
    const { id } = refund;
    if (kind === 'add') await add(tx, services, order, refund);
    if (kind === 'make') await make(tx, refund, now);
    if (kind === 'ask') await addAttempt(tx, refund, now);
    if (kind === 'return') await lastAttempt(tx, id).set({ status: 'returned' }).where('status', '=', 'made').execute();
    if (kind === 'name') await lastAttempt(tx, id).set({ provider_refund: refund.provider_refund }).execute();
    else if (refund.status === 'pending') await services.jobs.send<RefundJob>(tx, refundQueue, { refund_id: id });
    else if (refund.status === 'failed') await recordFailedRefund(tx, services, order, refund);
    else if (isTold) await queueOrderMail(tx, order, 'refunded', { now, refundId: id });
  }
}

/** Marks the refund's asked attempt as made. Money that went back in another way becomes a new attempt. */
async function make(tx: Tx, refund: RefundRecord, now: Date): Promise<void> {
  const { id, provider_refund } = refund;
  const made = { status: 'made', made_at: now, check_at: null } as const;
  const asked = await lastAttempt(tx, id)
    .set({ ...made, ...(provider_refund !== null && { provider_refund }) })
    .where('status', '=', 'asked')
    .executeTakeFirst();
  if (asked.numUpdatedRows === 0n) await addAttempt(tx, refund, now);
}

const numbers = (db: Db, id: string) =>
  db
    .selectFrom('refund_attempts')
    .select((eb) => eb.fn.coalesce(eb.fn.max('number'), eb.lit(0)).as('number'))
    .where('request_id', '=', id);

/** An update of a refund's last attempt, whose status is the refund's. */
function lastAttempt(tx: Db, id: string) {
  return tx.updateTable('refund_attempts').where('request_id', '=', id).where('number', '=', numbers(tx, id));
}

/** The columns that a request and its attempts share. */
function sharedBy({ payment_id, amount, tip, vat, lines }: RefundRecord) {
  return { payment_id, amount, tip, vat: JSON.stringify(vat), lines: JSON.stringify(lines) };
}

/** Adds another attempt with the refund's present amounts and status. */
async function addAttempt(tx: Tx, refund: RefundRecord, now: Date): Promise<void> {
  const { id, provider_refund } = refund;
  const { number } = await numbers(tx, id).executeTakeFirstOrThrow();
  const check_at = new Date(now.getTime() + graceBeforeSweep);
  const asked = { status: 'asked', key: refundKey(refund), check_at } as const;
  const made = { status: 'made', key: null, made_at: now } as const;
  // A failed refund is left to people: it gets no call to the provider.
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
  await setRemovedRefunded(tx, order.id, sumOfRemovedLines(unfailedRefunds(await readOrderRefunds(tx, order.id))));
}

/** Records a failed refund in the order's history, and tells the owner and the customer. */
export async function recordFailedRefund(
  tx: Tx,
  services: RefundStepServices,
  order: OrderRow,
  { id, amount }: { id: string; amount: number },
): Promise<void> {
  const { currency } = await tx.selectFrom('refunds').select('currency').where('id', '=', id).executeTakeFirstOrThrow();
  await recordMoneyChange(tx, services.outbox, order, {
    by: { actor: 'system', actorId: null },
    note: { kind: 'refund_failed', amount, currency },
    at: services.now(),
  });
  const isDisputed = (await readRefundStates(tx, [order.id])).get(id)?.problem === 'disputed';
  await announceFailedRefund(tx, services, order, { id, amount, currency, isDisputed });
}

/** Tells of failed refunds that are due again after a dispute was won: the owner has to make them in another way. */
export async function announceDueRefunds(tx: Tx, services: RefundStepServices, order: OrderRow): Promise<void> {
  const states = await readRefundStates(tx, [order.id]);
  for (const { id, status, amount, currency } of await readOrderRefunds(tx, order.id)) {
    if (status !== 'failed' || !states.get(id)?.due) continue;
    await announceFailedRefund(tx, services, order, { id, amount, currency, isDisputed: false });
  }
}

/**
 * Alerts the owner, and mails the customer unless the payer's bank has the money: then the dispute may return it to
 * them.
 */
async function announceFailedRefund(
  tx: Tx,
  services: RefundStepServices,
  order: OrderRow,
  { id, ...refund }: Pick<RefundRow, 'id' | 'amount' | 'currency'> & { isDisputed: boolean },
): Promise<void> {
  if (!refund.isDisputed) await queueOrderMail(tx, order, 'refund_failed', { now: services.now(), refundId: id });
  await alertOfFailedRefund(tx, services, order, refund);
}

type Tried = Pick<RefundRow, 'id' | 'attempts'>;

const openTry = (tx: Db, refund: Tried) =>
  tx
    .updateTable('refund_attempts')
    .where('request_id', '=', refund.id)
    .where('status', '=', 'asked')
    .where('key', '=', refundKey(refund));

/** Marks a refund's attempt as refused by the provider. Returns false if it was settled, or tried again, since. */
export async function markRefundRefused(tx: Tx, refund: Tried): Promise<boolean> {
  const failed = await openTry(tx, refund).set({ status: 'refused', check_at: null }).executeTakeFirst();
  return failed.numUpdatedRows > 0n;
}

/** Lets the sweep ignore a refund until its dispute is decided. */
export async function suspendRefund(tx: Tx, refund: Tried): Promise<void> {
  await openTry(tx, refund).set({ check_at: null }).execute();
}

/** Ends an attempt whose idempotency key is spent without a refund, and adds the next attempt with the next key. */
export async function addNextRefundAttempt(db: Db, { id, attempts }: Tried): Promise<void> {
  const [spent, next] = [refundKey({ id, attempts }), refundKey({ id, attempts: attempts + 1 })];
  await sql`
    with spent as (
      select * from refund_attempts where request_id = ${id} and key = ${spent} and status = 'asked' for update
    ), refused as (
      update refund_attempts a set status = 'refused', check_at = null from spent
      where (a.request_id, a.number) = (spent.request_id, spent.number))
    insert into refund_attempts (request_id, number, payment_id, key, amount, tip, vat, lines, status, check_at)
    select request_id, number + 1, payment_id, ${next}, amount, tip, vat, lines, 'asked', check_at from spent`.execute(
    db,
  );
}

/** Queues the refunds of a payment that waited for the end of a dispute. */
export async function wakeRefunds(tx: Tx, { jobs, now }: Pick<PaymentServices, 'jobs' | 'now'>, paymentId: string) {
  const waiting = await tx
    .updateTable('refund_attempts')
    .set({ check_at: now() })
    .where('payment_id', '=', paymentId)
    .where('status', '=', 'asked')
    .returning('request_id as id')
    .execute();
  for (const { id } of waiting) await jobs.send<RefundJob>(tx, refundQueue, { refund_id: id });
}

/** Takes the refunds that are due for the sweep, and sets the next time of each, so that instances share the work. */
export async function takeDueRefunds(db: Db, now: Date, most: number): Promise<string[]> {
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

type Read = MoneyFacts & { endedKeys: readonly string[] };

/** The facts for an order's balances, as JSON. `endedKeys`: the ids of payments whose keys have ended. */
const moneyFacts = sql<Read>`json_build_object(
  'order', json_build_object('payment_method', o.payment_method, 'payment_status', o.payment_status, 'total', o.total),
  'payments', (select coalesce(json_agg(one order by one.id), '[]') from (
    select id, status, amount, captured from payments where order_id = o.id) one),
  'refunds', (select coalesce(json_agg(one order by one.id), '[]') from (
    select id, payment_id, status, kind, amount from refunds where order_id = o.id) one),
  'disputes', (select coalesce(json_agg(one), '[]') from (
    select payment_id, status, amount from payment_disputes where order_id = o.id) one),
  'movements', (select coalesce(json_agg(one), '[]') from (
    select payment_id, kind, amount from payment_movements where order_id = o.id) one),
  'endedKeys', (select coalesce(json_agg(p.id), '[]') from payments p
    join payment_key_sets k on k.id = p.key_set where p.order_id = o.id and k.ended_at is not null))`;

async function readFacts(db: Db, orderIds: readonly string[]): Promise<Read[]> {
  if (orderIds.length === 0) return [];
  const { rows } = await sql<{ facts: Read }>`
    select ${moneyFacts} as facts from ${orderSumsForChecks} o where o.id = any(${orderIds}::uuid[])`.execute(db);
  return rows.map(({ facts }) => facts);
}

async function readMoneyFacts(db: Db, orderId: string): Promise<MoneyFacts> {
  const [facts] = await readFacts(db, [orderId]);
  if (!facts) throw new Error(`order ${orderId} is gone`);
  return facts;
}

/** The balance of a payment, computed with `order`, which may not be written yet. */
export async function readBalance(db: Db, { order, payment }: LockedPayment): Promise<Balance> {
  return balanceOf({ ...(await readMoneyFacts(db, order.id)), order }, payment.id);
}

export type RefundState = { due: number; problem: RefundProblem | null };

/** The due amount and the problem of each refund of these orders, by its id. */
export async function readRefundStates(db: Db, orderIds: readonly string[]): Promise<Map<string, RefundState>> {
  const all = await readFacts(db, [...new Set(orderIds)]);
  return new Map(
    all.flatMap(({ endedKeys, ...facts }) =>
      facts.refunds.map((refund): [string, RefundState] => {
        const haveKeysEnded = refund.payment_id !== null && endedKeys.includes(refund.payment_id);
        return [refund.id, { due: refundDueOf(facts, refund), problem: refundProblemOf(facts, refund, haveKeysEnded) }];
      }),
    ),
  );
}

type Moved = Pick<PaymentRow, 'id' | 'order_id' | 'currency' | 'intent' | 'reference'>;

/** Adds the movements since the last answer of the provider to the journal. The payment is locked. */
export async function recordMovements(tx: Tx, payment: Moved, seen: ProviderPayment, now: Date): Promise<void> {
  const known = await movementsOf(tx, payment.id);
  const object = seen.intent ?? payment.intent ?? payment.reference;
  await addMovements(tx, payment, newMovements(known, seen, object), now);
}

function movementsOf(tx: Tx, paymentId: string): Promise<Movement[]> {
  return tx
    .selectFrom('payment_movements')
    .select(['kind', 'amount', 'object'])
    .where('payment_id', '=', paymentId)
    .execute();
}

/** Adds movements to the journal; nothing else does. They are chained after the commit. */
export async function addMovements(
  tx: Tx,
  { id, order_id, currency }: Pick<Moved, 'id' | 'order_id' | 'currency'>,
  movements: readonly Movement[],
  now: Date,
): Promise<void> {
  if (movements.length === 0) return;
  await tx
    .insertInto('payment_movements')
    .values(movements.map((moved) => ({ ...moved, id: randomUUIDv7(), order_id, payment_id: id, currency, at: now })))
    .execute();
}

/** The provider's ids of a payment's refunds whose money came back. */
export async function readReturnedRefundIds(tx: Tx, paymentId: string): Promise<ReadonlySet<string>> {
  const failed = (await movementsOf(tx, paymentId)).filter(({ kind }) => kind === 'refund_failed');
  return new Set(failed.flatMap(({ object }) => object ?? []));
}
