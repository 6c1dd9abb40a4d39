import { randomUUID, randomUUIDv7 } from 'node:crypto';
import { type Insertable, type Selectable, sql } from 'kysely';
import type { Db, RefundAttemptsTable, RefundsTable, Tx } from '#database/schema.ts';
import { noteMoney, setRemovedRefunded } from '#ordering/server/change-orders.ts';
import { oweMail } from '#ordering/server/mails/send-order-mails.ts';
import type { OrderRow } from '#ordering/server/present-order.ts';
import { refundKey } from '#payment/pair-refunds.ts';
import { inForce, type RefundFacts, type Step, type StepRefund } from '#payment/refund-steps.ts';
import { sumOfRemoved } from '#payment/refund-rules.ts';
import { alertOfFailedRefund } from '#payment/server/alert-refund.ts';
import type { LockedPayment } from '#payment/server/lock-payment.ts';
import { refundQueue, type RefundJob } from '#payment/server/owed.ts';
import { readMoneyFacts } from '#payment/server/read-balance.ts';
import type { PaymentServices } from '#payment/server/services.ts';
import { tradingDayOf } from '#store/opening-hours.ts';

/*
 * The only writer of refunds: of requests and attempts, which `refunds` follows by triggers. What becomes of them is decided in
 * `refund-steps.ts` and `next-steps.ts`, under the order's lock.
 */

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
      await lastAttempt(tx, step.id).set({ status: 'returned' }).where('status', '=', 'made').execute();
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
  if (step.kind === 'name') {
    await lastAttempt(tx, step.id).set({ provider_refund: step.providerRefund }).execute();
  } else if (step.kind === 'ask') {
    const refund = await knownRefund(tx, step.id);
    const key = refundKey({ id: step.id, attempts: refund.attempts + 1 });
    const asked = { provider_refund: null, key, status: 'asked', check_at: now } as const;
    await addAttempt(tx, { ...refund, ...step.again.plan, ...asked });
    await services.jobs.send<RefundJob>(tx, refundQueue, { refund_id: step.id });
  } else {
    await make(tx, step, now);
    if (step.isTold) await oweMail(tx, order, 'refunded', { now, refundId: step.id });
  }
}

/** The attempt that is on its way is made; without one, what was given back in another way is one of its own. */
async function make(tx: Tx, { id, providerRefund, byHand }: Extract<Step, { kind: 'make' }>, now: Date): Promise<void> {
  const made = { status: 'made', made_at: now, check_at: null } as const;
  const named = providerRefund !== null && { provider_refund: providerRefund };
  const asked = await lastAttempt(tx, id)
    .set({ ...made, ...named })
    .where('status', '=', 'asked')
    .executeTakeFirst();
  if (asked.numUpdatedRows > 0n) return;
  const refund = await knownRefund(tx, id);
  const another = { ...refund, provider_refund: providerRefund, key: null, ...made };
  await addAttempt(tx, { ...another, ...(byHand && { payment_id: null, ...byHand.plan }) });
}

/** The attempt that says how a refund stands. */
function lastAttempt(tx: Db, id: string) {
  const number = tx
    .selectFrom('refund_attempts')
    .select((eb) => eb.fn.max('number').as('number'))
    .where('request_id', '=', id);
  return tx.updateTable('refund_attempts').where('request_id', '=', id).where('number', '=', number);
}

type NewAttempt = Pick<StepRefund, 'id' | 'payment_id' | 'amount' | 'tip' | 'vat' | 'lines'> &
  Pick<Insertable<RefundAttemptsTable>, 'key' | 'status' | 'check_at'> & {
    made_at?: Date;
    provider_refund?: string | null;
  };

async function addAttempt(tx: Tx, { id, vat, lines, ...attempt }: NewAttempt): Promise<void> {
  const { payment_id, amount, tip, key, status, check_at, made_at = null, provider_refund = null } = attempt;
  const { number } = await tx
    .selectFrom('refund_attempts')
    .select((eb) => eb.fn.coalesce(eb.fn.max('number'), eb.lit(0)).as('number'))
    .where('request_id', '=', id)
    .executeTakeFirstOrThrow();
  const same = { payment_id, amount, tip, vat: JSON.stringify(vat), lines: JSON.stringify(lines) };
  await tx
    .insertInto('refund_attempts')
    .values({ request_id: id, number: number + 1, key, status, check_at, made_at, provider_refund, ...same })
    .execute();
}

async function knownRefund(db: Db, id: string): Promise<RefundRow> {
  const refund = await findRefund(db, id);
  if (!refund) throw new Error(`refund ${id} is gone`);
  return refund;
}

async function add(
  tx: Tx,
  services: LedgerServices,
  order: OrderRow,
  { refund, isTold }: Extract<Step, { kind: 'add' }>,
): Promise<void> {
  const { store } = (await services.menus.store(tx, order.store_id)) ?? {};
  if (!store) throw new Error(`order ${order.id} is of no shop`);
  const now = services.now();
  const { id, part_of, status, provider_refund, attempts, key = randomUUID(), ...values } = refund;
  await tx
    .insertInto('refund_requests')
    .values({
      id,
      part_of,
      key,
      store_id: order.store_id,
      order_id: order.id,
      payment_id: values.payment_id,
      kind: values.kind,
      amount: values.amount,
      currency: store.currency,
      tip: values.tip,
      vat: JSON.stringify(values.vat),
      lines: JSON.stringify(values.lines),
      reason: values.reason,
      actor: values.actor,
      actor_id: values.actor_id,
      trading_day: tradingDayOf(store, now),
      created_at: now,
    })
    .execute();
  if (status === 'pending') {
    const check_at = new Date(now.getTime() + graceBeforeSweep);
    await addAttempt(tx, { id, ...values, key: refundKey({ id, attempts }), status: 'asked', check_at });
  } else if (status === 'succeeded') {
    await addAttempt(tx, { id, ...values, provider_refund, key: null, status: 'made', made_at: now, check_at: null });
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
  const { currency } = await knownRefund(tx, id);
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

const openTry = (tx: Db, refund: Tried) =>
  tx
    .updateTable('refund_attempts')
    .where('request_id', '=', refund.id)
    .where('status', '=', 'asked')
    .where('key', '=', refundKey(refund));

/** The provider will not make it. Does nothing, and returns false, if somebody else has settled it, or tried it again, since. */
export async function hasFailed(tx: Tx, refund: Tried): Promise<boolean> {
  const failed = await openTry(tx, refund)
    .set({ status: 'refused', check_at: null })
    .returning('request_id')
    .executeTakeFirst();
  return failed !== undefined;
}

/** The sweep leaves it alone until the dispute is decided. */
export async function stopLooking(tx: Tx, refund: Tried): Promise<void> {
  await openTry(tx, refund).set({ check_at: null }).execute();
}

/** The key of its last call is spent: it was looked for before the call that had this answer, and was not made. */
export async function raiseRefundAttempt(db: Db, { id, attempts }: Tried): Promise<void> {
  const [spent, next] = [refundKey({ id, attempts }), refundKey({ id, attempts: attempts + 1 })];
  await sql`
    with spent as (
      update refund_attempts set status = 'refused' where request_id = ${id} and key = ${spent} and status = 'asked'
      returning *)
    insert into refund_attempts (request_id, number, payment_id, key, amount, tip, vat, lines, status, check_at)
    select request_id, number + 1, payment_id, ${next}, amount, tip, vat, lines, 'asked', check_at from spent`.execute(
    db,
  );
}

/** Refunds that waited for the end of a dispute are looked at again. */
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

/** The refunds that the sweep looks at now. Each gets its next time first, so that several instances share the work. */
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

/** Erases what people wrote about the refunds of these orders. */
export async function forgetReasons(tx: Tx, orderIds: readonly string[]): Promise<void> {
  await tx.updateTable('refund_requests').set({ reason: '' }).where('order_id', 'in', orderIds).execute();
}
