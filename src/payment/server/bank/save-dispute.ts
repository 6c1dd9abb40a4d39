import type { Tx } from '#database/schema.ts';
import { lockReferencedOrder, changeMoneyWithHistory } from '#ordering/server/change-orders.ts';
import { findOrder } from '#ordering/server/order-views.ts';
import { type DisputeStage, isDisputeClosed, disputeNeedsResponse, disputeStageOf } from '#payment/bank-rules.ts';
import { queueBankEntriesRead } from '#payment/server/bank/save-entries.ts';
import { queueDisputeAlert } from '#payment/server/bank/alert-dispute.ts';
import type { DisputeRow } from '#payment/server/bank/read-disputes.ts';
import type { ProviderDispute } from '#payment/server/bank-source.ts';
import type { PaymentServices } from '#payment/server/services.ts';
import { isUuid } from '#platform/uuid.ts';
import { isCalledOff } from '#ordering/order-status.ts';
import type { OrderRow } from '#ordering/server/present-order.ts';
import { isPaymentOfOrder } from '#payment/balance.ts';
import { type RefundStepServices, announceDueRefunds, queueSuspendedRefunds } from '#payment/server/ledger.ts';
import { lockPayment, queueOwedCall } from '#payment/server/owed-calls.ts';

/** Milliseconds before the deadline at which the owner is reminded. */
const remindBefore = 2 * 24 * 60 * 60_000;

/**
 * Stores a dispute as the provider reported it at `seenAt`; an older report changes nothing. Each new stage is added to
 * the order's history, and the owner is alerted. Returns false, and stores nothing, if the dispute is about no payment
 * of this shop: other systems may use the account.
 */
export async function saveDispute(
  tx: Tx,
  services: Pick<PaymentServices, 'admins' | 'config' | 'jobs' | 'mail' | 'menus' | 'now' | 'outbox'>,
  { keySet, dispute, seenAt }: { keySet: string; dispute: ProviderDispute; seenAt: Date },
): Promise<boolean> {
  const payment = await findPayment(tx, dispute);
  if (!payment) return false;
  const order = await lockReferencedOrder(tx, payment.order_id);
  const known = await tx
    .selectFrom('payment_disputes')
    .selectAll()
    .where('id', '=', dispute.id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (known && known.seen_at > seenAt) return true;
  const { id, amount, currency, reason, status, respondBy } = dispute;
  const row = {
    amount,
    currency,
    reason,
    status,
    respond_by: respondBy,
    remind_at: reminderOf(dispute, known),
    closed_at: isDisputeClosed(status) ? (known?.closed_at ?? services.now()) : null,
    seen_at: seenAt,
  };
  const stored = await tx
    .insertInto('payment_disputes')
    .values({
      id,
      key_set: keySet,
      payment_id: payment.id,
      order_id: order.id,
      store_id: order.store_id,
      created_at: dispute.createdAt,
      ...row,
    })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .returningAll()
    .executeTakeFirstOrThrow();
  const stage = disputeStageOf(status);
  if (known && disputeStageOf(known.status) === stage) return true;
  await changeMoneyWithHistory(tx, services.outbox, order, {
    note: { kind: stage, amount, currency },
    at: services.now(),
  });
  await queueDisputeAlert(tx, services, { order, dispute: stored });
  await followStage(tx, services, { order, paymentId: payment.id, stage });
  // Queues a read of the dispute's debit or credit and its fee, so that today's reports need not wait for tomorrow's
  // statement.
  await queueBankEntriesRead(tx, services.jobs, { id: payment.id, key_set: keySet });
  return true;
}

/**
 * When the owner is to be reminded of a dispute. null: no answer is needed, there is no deadline, the reminder was sent
 * already, or there is no time for one.
 */
function reminderOf({ status, respondBy, createdAt }: ProviderDispute, known: DisputeRow | undefined): Date | null {
  if (!disputeNeedsResponse(status) || respondBy === null) return null;
  const isSame = known && disputeNeedsResponse(known.status) && known.respond_by?.getTime() === respondBy.getTime();
  if (isSame) return known.remind_at;
  const at = new Date(respondBy.getTime() - remindBefore);
  return at > createdAt ? at : null;
}

export async function remindOfDisputes(
  tx: Tx,
  services: Pick<PaymentServices, 'admins' | 'config' | 'jobs' | 'mail' | 'menus' | 'now'>,
): Promise<void> {
  const now = services.now();
  const due = await tx
    .updateTable('payment_disputes')
    .set({ remind_at: null })
    .where('remind_at', '<=', now)
    .returningAll()
    .execute();
  for (const dispute of due) {
    if (!disputeNeedsResponse(dispute.status) || dispute.respond_by === null || dispute.respond_by <= now) continue;
    const order = await findOrder(tx, dispute.order_id);
    if (order) await queueDisputeAlert(tx, services, { order, dispute, isReminder: true });
  }
}

async function findPayment(tx: Tx, { intent, paymentId }: ProviderDispute) {
  if (intent === null) return undefined;
  return tx
    .selectFrom('payments')
    .select(['id', 'order_id'])
    .where('key_set', 'is not', null)
    .where((eb) =>
      eb.or([
        eb('intent', '=', intent),
        // Another system that uses the account may store any text as the payment's id.
        ...(paymentId !== null && isUuid(paymentId)
          ? [eb.and([eb('intent', 'is', null), eb('id', '=', paymentId)])]
          : []),
      ]),
    )
    .orderBy((eb) => eb('intent', 'is not', null), 'desc')
    .limit(1)
    .executeTakeFirst();
}

/**
 * Once a payment's dispute is decided, queues jobs for the refunds that waited for the decision, and for a release that
 * is owed now. After a won dispute the jobs make the refunds. After a lost dispute the refunds fail, and staff refund
 * any amount that the bank did not take. The caller holds the order's lock.
 */
async function followStage(
  tx: Tx,
  services: RefundStepServices,
  { order, paymentId, stage }: { order: OrderRow; paymentId: string; stage: DisputeStage },
): Promise<void> {
  const { jobs, now } = services;
  if (stage !== 'dispute_won' && stage !== 'dispute_lost') return;
  const locked = await lockPayment(tx, { id: paymentId, order_id: order.id });
  await queueSuspendedRefunds(tx, { jobs, now }, paymentId);
  if (stage === 'dispute_won')
    await announceDueRefunds(tx, services, order, ({ payment_id }) => payment_id === paymentId);
  const { payment } = locked;
  const [isCharged, isWon] = [payment.status === 'captured', stage === 'dispute_won'];
  // A won dispute returns the charge, which must be released if the order does not need it.
  const isNeeded = isPaymentOfOrder(locked, payment.status) && !isCalledOff(order.status);
  const isOwed = payment.owed === 'release' ? isCharged || isWon : isCharged && isWon && !isNeeded;
  if (isOwed) await queueOwedCall(tx, jobs, payment, 'release', now());
}
