import { randomUUID, randomUUIDv7 } from 'node:crypto';
import { type Selectable, sql } from 'kysely';
import type { Db, RefundsTable, Tx } from '#database/schema.ts';
import { noteMoney, setRemovedRefunded } from '#ordering/server/change-orders.ts';
import { oweMail } from '#ordering/server/mails/send-order-mails.ts';
import type { OrderRow } from '#ordering/server/present-order.ts';
import { inForce, type RefundFacts, type Step, type StepRefund } from '#payment/refund-steps.ts';
import { sumOfRemoved } from '#payment/refund-rules.ts';
import { alertOfFailedRefund } from '#payment/server/alert-refund.ts';
import type { LockedPayment } from '#payment/server/lock-payment.ts';
import { refundQueue, type RefundJob } from '#payment/server/owed.ts';
import { readMoneyFacts } from '#payment/server/read-balance.ts';
import type { PaymentServices } from '#payment/server/services.ts';
import { tradingDayOf } from '#store/opening-hours.ts';

/* The only writer of refunds. What becomes of them is decided in `refund-steps.ts` and `next-steps.ts`, under the order's lock. */

export type RefundRow = Selectable<RefundsTable>;
type LedgerServices = Pick<PaymentServices, 'jobs' | 'menus' | 'now'>;
/** What is needed where a refund may fail: the owner is told. */
export type StepServices = Pick<PaymentServices, 'admins' | 'config' | 'jobs' | 'mail' | 'menus' | 'now' | 'outbox'>;

/** The sweep takes over an unfinished refund this long (ms) after the request. */
const graceBeforeSweep = 20_000;

export const newRefundId = randomUUIDv7;

/** An order's refunds, oldest first. The caller holds the order's lock. */
export function refundsOf(tx: Tx, orderId: string): Promise<RefundRow[]> {
  return tx.selectFrom('refunds').selectAll().where('order_id', '=', orderId).orderBy('id').execute();
}

export function findRefund(db: Db, id: string): Promise<RefundRow | undefined> {
  return db.selectFrom('refunds').selectAll().where('id', '=', id).executeTakeFirst();
}

/** What is known of a locked payment's refunds and of its order's money. */
export async function factsOf(
  tx: Tx,
  { order, payment, isLatest }: LockedPayment,
): Promise<RefundFacts & { refunds: RefundRow[] }> {
  const [money, refunds] = [await readMoneyFacts(tx, order.id), await refundsOf(tx, order.id)];
  return { order, payment, isLatest, money, refunds };
}

/** Steps of which none leaves a refund to people. */
type QuietStep = Exclude<Step, { kind: 'return' }>;

/** Does what was decided for an order's refunds, and tells its customer. */
export async function takeQuietSteps(
  tx: Tx,
  services: LedgerServices,
  order: OrderRow,
  steps: readonly Step[],
): Promise<void> {
  for (const step of steps) {
    if (step.kind === 'return') throw new Error(`refund ${step.id} failed, of which nobody is told`);
    await takeQuietStep(tx, services, order, step);
  }
}

/** The same for steps that may leave a refund to people: the owner is told too. */
export async function takeSteps(
  tx: Tx,
  services: StepServices,
  order: OrderRow,
  steps: readonly Step[],
): Promise<void> {
  for (const step of steps) {
    if (step.kind === 'return') {
      await tx.updateTable('refunds').set({ status: 'failed' }).where('id', '=', step.id).execute();
      await noteFailedRefund(tx, services, order, step);
      continue;
    }
    await takeQuietStep(tx, services, order, step);
    if (step.kind === 'add' && step.refund.status === 'failed') {
      await noteFailedRefund(tx, services, order, step.refund);
    }
  }
}

async function takeQuietStep(tx: Tx, services: LedgerServices, order: OrderRow, step: QuietStep): Promise<void> {
  if (step.kind === 'add') return add(tx, services, order, step);
  const now = services.now();
  const refund = tx.updateTable('refunds').where('id', '=', step.id);
  if (step.kind === 'name') {
    await refund.set({ provider_refund: step.providerRefund }).execute();
  } else if (step.kind === 'ask') {
    await refund
      .set({ status: 'pending', check_at: now, settled_at: null, provider_refund: null })
      .set((eb) => ({ attempts: eb('attempts', '+', 1), ...changed(step.again.plan) }))
      .execute();
    await services.jobs.send<RefundJob>(tx, refundQueue, { refund_id: step.id });
  } else {
    const named = step.providerRefund !== null && { provider_refund: step.providerRefund };
    const byHand = step.byHand && { payment_id: null, ...changed(step.byHand.plan) };
    const made = { status: 'succeeded', settled_at: now, check_at: null, ...named, ...byHand } as const;
    await refund.set(made).execute();
    if (step.isTold) await oweMail(tx, order, 'refunded', { now, refundId: step.id });
  }
}

function changed(plan: Pick<StepRefund, 'tip' | 'vat'> | null) {
  return plan && { tip: plan.tip, vat: JSON.stringify(plan.vat) };
}

async function add(
  tx: Tx,
  services: LedgerServices,
  order: OrderRow,
  { refund, rest, isTold }: Extract<Step, { kind: 'add' }>,
): Promise<void> {
  const { store } = (await services.menus.store(tx, order.store_id)) ?? {};
  if (!store) throw new Error(`order ${order.id} is of no shop`);
  const now = services.now();
  const { id, part_of, status, vat, lines, key = randomUUID(), ...values } = refund;
  await tx
    .insertInto('refunds')
    .values({
      ...values,
      id,
      part_of,
      status,
      key,
      store_id: order.store_id,
      order_id: order.id,
      currency: store.currency,
      vat: JSON.stringify(vat),
      lines: JSON.stringify(lines),
      trading_day: tradingDayOf(store, now),
      check_at: status === 'pending' ? new Date(now.getTime() + graceBeforeSweep) : null,
      created_at: now,
      settled_at: status === 'succeeded' ? now : null,
    })
    .execute();
  if (rest && part_of !== null) {
    const stays = { amount: rest.amount, lines: JSON.stringify(rest.lines), ...changed(rest) };
    await tx.updateTable('refunds').set(stays).where('id', '=', part_of).execute();
  }
  if (refund.kind === 'line_removed' && part_of === null) {
    await setRemovedRefunded(tx, order.id, sumOfRemoved(inForce(await refundsOf(tx, order.id))));
  }
  if (status === 'pending') await services.jobs.send<RefundJob>(tx, refundQueue, { refund_id: id });
  if (status === 'succeeded' && isTold) await oweMail(tx, order, 'refunded', { now, refundId: id });
}

/** Says in the history that a refund failed, and tells the customer and the owner, who has to make it in another way. */
export async function noteFailedRefund(
  tx: Tx,
  services: StepServices,
  order: OrderRow,
  { id, amount }: { id: string; amount: number },
): Promise<void> {
  const { currency } = (await findRefund(tx, id)) ?? {};
  if (currency === undefined) throw new Error(`refund ${id} is gone`);
  await oweMail(tx, order, 'refund_failed', { now: services.now(), refundId: id });
  await noteMoney(tx, services.outbox, order, {
    by: { actor: 'system', actorId: null },
    note: { kind: 'refund_failed', amount, currency },
    at: services.now(),
  });
  await alertOfFailedRefund(tx, services, order, { amount, currency });
}

/** A refund's last try, as it was read. */
type Tried = Pick<RefundRow, 'id' | 'attempts'>;

const openTry = (tx: Db, { id, attempts }: Tried) =>
  tx.updateTable('refunds').where('id', '=', id).where('status', '=', 'pending').where('attempts', '=', attempts);

/** The provider will not make it. Does nothing, and returns false, if somebody else has settled it, or tried it again, since. */
export async function hasFailed(tx: Tx, refund: Tried): Promise<boolean> {
  const failed = await openTry(tx, refund).set({ status: 'failed', check_at: null }).returning('id').executeTakeFirst();
  return failed !== undefined;
}

/** The sweep leaves it alone until the dispute is decided. */
export async function stopLooking(tx: Tx, refund: Tried): Promise<void> {
  await openTry(tx, refund).set({ check_at: null }).execute();
}

/** The key of its last call is spent: it was looked for before the call that had this answer, and was not made. */
export async function raiseRefundAttempt(db: Db, { id, attempts }: Tried): Promise<void> {
  await db
    .updateTable('refunds')
    .set({ attempts: attempts + 1 })
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .execute();
}

/** Refunds that waited for the end of a dispute are looked at again. */
export async function wakeRefunds(tx: Tx, { jobs, now }: Pick<PaymentServices, 'jobs' | 'now'>, paymentId: string) {
  const waiting = await tx
    .updateTable('refunds')
    .set({ check_at: now() })
    .where('payment_id', '=', paymentId)
    .where('status', '=', 'pending')
    .returning('id')
    .execute();
  for (const { id } of waiting) await jobs.send<RefundJob>(tx, refundQueue, { refund_id: id });
}

/** The refunds that the sweep looks at now. Each gets its next time first, so that several instances share the work. */
export async function takeDueRefunds(db: Db, now: Date, most: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update refunds
    set check_at = ${now}::timestamptz
      + least(interval '5 minutes', greatest(interval '20 seconds', (${now}::timestamptz - created_at) / 2))
    where id in (
      select id from refunds where check_at <= ${now} order by check_at limit ${most} for update skip locked
    )
    returning id`.execute(db);
  return rows.map(({ id }) => id);
}

/** Erases what people wrote about the refunds of these orders. */
export async function forgetReasons(tx: Tx, orderIds: readonly string[]): Promise<void> {
  await tx.updateTable('refunds').set({ reason: '' }).where('order_id', 'in', orderIds).execute();
}
