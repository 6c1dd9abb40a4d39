import { m } from '#messages';
import { restorePortions } from '#menu/server/portions.ts';
import { portionsOfLines } from '#ordering/server/new-order.ts';
import type { Tx } from '#database/schema.ts';
import type { FollowUp, HistoryNote, OrderStatus, PaidBy, PaymentStatus, RejectReason } from '#ordering/order.ts';
import {
  isStaffChannel,
  mailAfterCall,
  pushKindAfterCall,
  effectOfCall,
  timeColumnsAfterCall,
} from '#ordering/next-status.ts';
import { isHandedOver, isCalledOff, isUnderWay } from '#ordering/order-status.ts';
import type { Actor, OrderCall, SystemCall } from '#ordering/status-row.ts';
import { isHoldTimeOver, effectivePaymentMethod, paymentStatuses } from '#ordering/payment-status.ts';
import { lockReferencedOrder, lockOrder, applyOrderChange, type OrderChange } from '#ordering/server/change-orders.ts';
import { queueOrderMail } from '#ordering/server/mails/send-order-mails.ts';
import { queueOrderNotifications } from '#push/server/follows.ts';
import type { OrderRow } from '#ordering/server/present-order.ts';
import { cookingStartTime, promisedTimeFor } from '#ordering/promise.ts';
import { orderStatusNames } from '#ordering/history-words.ts';
import { AppError } from '#platform/errors.ts';
import type { PaymentMethod, Store } from '#store/contract.ts';
import { tradingDayOf } from '#store/opening-hours.ts';
import { answerDeadline } from '#store/slots.ts';
import type { OrderServices } from '#ordering/server/services.ts';

export interface OrderCallRequest {
  orderId: string;
  call: OrderCall | SystemCall;
  actor: Actor;
  actorName: string;
  actorId: string | null;
  now: Date;
  minutes?: number | undefined;
  rejectReason?: RejectReason;
  followUp?: FollowUp;
  paidBy?: PaidBy | undefined;
  reason?: string | null;
  note?: HistoryNote;
  /** Whether the caller has already returned the portions of a called-off order. */
  arePortionsReturned?: true;
  paymentStatus?: PaymentStatus;
  /** The final payment method, for the call `authorised`. */
  paymentMethod?: PaymentMethod;
}

/**
 * Makes a call on an order in the caller's transaction: changes the order's row, history and print jobs, and queues the
 * jobs for payments and messages. A repeated call changes nothing. Throws `not_found`, `forbidden`, or
 * `illegal_transition` with the possible calls. Returns the changed row.
 */
export async function applyOrderCall(
  tx: Tx,
  services: Pick<OrderServices, 'menus' | 'outbox' | 'owed' | 'prints'>,
  request: OrderCallRequest,
): Promise<OrderRow> {
  const { call, now } = request;
  const { row, history, move, store } = await lockForOrderCall(tx, services, request);
  if (move.kind === 'same') return row;
  const steps = move.steps.length > 0 ? move.steps : [{ from: row.status, to: move.to }];
  const promisedAt = promisedAfter(store, row, request);
  const set = {
    promised_at: promisedAt,
    ...timeColumnsAfterCall(call, steps, now),
    ...(request.paymentStatus
      ? { payment_status: request.paymentStatus }
      : paymentAfter(row, history, request, move.to)),
    ...columnsOfCall(request),
    ...(call === 'authorised' && {
      answer_by: answerDeadline(store, now),
      expires_at: null,
      ...(await numberOfDay(tx, row, tradingDayOf(store, now))),
    }),
  };
  const step: OrderChange = {
    lines: steps,
    set,
    by: { actor: request.actorName, actorId: request.actorId },
    reason: request.reason ?? request.rejectReason ?? request.followUp ?? null,
    note: request.note ?? null,
    promisedAt: promises(call) ? promisedAt : null,
    at: now,
    event: call === 'authorised' ? 'order.placed' : 'order.updated',
  };
  return applyOrderChange(tx, services.outbox, row, step, (changed) =>
    queueEffects(tx, services, request, { before: row, changed, store }),
  );
}

function promises(call: OrderCallRequest['call']): boolean {
  return call === 'accept' || call === 'promise';
}

function promisedAfter(store: Store, row: OrderRow, { call, now, minutes }: OrderCallRequest): Date | null {
  if (promises(call)) return promisedTimeFor(store, row, now, minutes);
  return call === 'authorised' ? notBefore(row.promised_at, promisedTimeFor(store, row, now)) : row.promised_at;
}

function columnsOfCall({ call, now, paymentMethod, rejectReason, followUp }: OrderCallRequest) {
  return {
    ...(paymentMethod && { payment_method: paymentMethod }),
    ...(call === 'reject' && { reject_reason: rejectReason ?? 'other' }),
    ...(call === 'followed-up' && { followed_up: followUp ?? null }),
    ...(call === 'arrived' && { arrived_at: now }),
  };
}

/** Locks an order, and computes the effect of a call on it. Throws like `applyOrderCall`. */
export async function lockForOrderCall(
  tx: Tx,
  { menus }: Pick<OrderServices, 'menus'>,
  { orderId, call, actor, now }: Pick<OrderCallRequest, 'orderId' | 'call' | 'actor' | 'now'>,
) {
  const row = await lockOrder(tx, orderId);
  if (!row) throw new AppError('not_found', m.ordering_not_found());
  const history = await tx
    .selectFrom('order_history')
    .select(['from_status as from', 'to_status as to', 'at', 'version', 'note'])
    .where('order_id', '=', row.id)
    .orderBy('version')
    .execute();
  const move = effectOfCall({ ...row, history }, call, actor, now);
  if (move.kind === 'forbidden') throw new AppError('forbidden', m.platform_forbidden());
  if (move.kind === 'illegal') {
    throw new AppError(
      'illegal_transition',
      m.ordering_illegal_transition({ status: orderStatusNames[row.status]() }),
      {
        extra: { status: row.status, open_calls: move.open },
      },
    );
  }
  const { store } = (await menus.store(tx, row.store_id)) ?? {};
  if (!store) throw new AppError('not_found', m.store_not_found());
  return { row, history, move, store };
}

async function queueEffects(
  tx: Tx,
  services: Pick<OrderServices, 'owed' | 'prints'>,
  { call, actor, now, arePortionsReturned }: OrderCallRequest,
  { before, changed, store }: { before: OrderRow; changed: OrderRow; store: Store },
): Promise<void> {
  if (call === 'accept') {
    await services.prints.accepted(tx, { order: changed, now, kitchenDueAt: cookingStartTime(store, changed) });
    await services.owed.capture(tx, changed);
  }
  if (call === 'promise') {
    await services.prints.promised(tx, { order: changed, now, kitchenDueAt: cookingStartTime(store, changed) });
  }
  if (isCalledOff(changed.status) && changed.status !== before.status) {
    await services.owed.release(tx, changed);
    if (!arePortionsReturned) await restorePortions(tx, portionsOfLines(changed.lines));
  }
  if (isUnderWay(before.status) && !isUnderWay(changed.status))
    await services.prints.ended(tx, { order: changed, now });
  if (isPaidInCash(changed) && !isPaidInCash(before)) await services.prints.cashRecorded(tx, { order: changed, now });
  const mail = mailAfterCall(call, { from: before.status, to: changed.status }, changed.fulfilment_type);
  if (mail) await queueOrderMail(tx, changed, mail, { now });
  // Customers who cancel need no notification of their own cancellation.
  const news =
    actor === 'customer'
      ? null
      : pushKindAfterCall(call, { from: before.status, to: changed.status }, changed.fulfilment_type);
  if (news) await queueOrderNotifications(tx, { orderId: changed.id, customerId: changed.customer_id, news, now });
}

/** Whether staff received cash for the order; false if the order costs nothing. */
function isPaidInCash(row: OrderRow): boolean {
  return effectivePaymentMethod(row) === 'cash' && row.payment_status === 'paid' && row.total > 0;
}

/**
 * Returns the later of both times. The first promise (`promised`) took full slots into account, so the payment must not
 * lead to an earlier promise.
 */
function notBefore(promised: Date | null, earliest: Date): Date {
  return promised !== null && promised > earliest ? promised : earliest;
}

/** An order that is paid on a later trading day moves to that day and gets that day's next number. */
async function numberOfDay(
  tx: Tx,
  { store_id, trading_day }: OrderRow,
  day: string,
): Promise<{ trading_day?: string; number?: number }> {
  if (day === trading_day) return {};
  const { last_number: number } = await tx
    .insertInto('order_numbers')
    .values({ store_id, trading_day: day, last_number: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['store_id', 'trading_day'])
        .doUpdateSet((eb) => ({ last_number: eb('order_numbers.last_number', '+', 1) })),
    )
    .returning('last_number')
    .executeTakeFirstOrThrow();
  return { trading_day: day, number };
}

/**
 * Returns the payment columns that a step changes. Only payments at the till change here; jobs change payments at a
 * provider. A handover makes the order paid, unless staff say otherwise, and an undo of the handover makes it unpaid.
 */
function paymentAfter(
  row: OrderRow,
  history: readonly { note: HistoryNote | null }[],
  { call, paidBy }: Pick<OrderCallRequest, 'call' | 'paidBy'>,
  to: OrderStatus,
): { payment_status?: PaymentStatus; paid_by?: PaidBy | null } {
  const isAtTill = row.payment_method === 'cash' || isStaffChannel(row.channel);
  // Refunded orders, and orders that staff marked as paid, are not changed.
  if (!isAtTill || row.refunded > 0 || history.some(({ note }) => note?.kind === 'marked_paid')) {
    return {};
  }
  if (isHandedOver(to) && !paymentStatuses[row.payment_status].isTaken) {
    return { payment_status: paidBy === 'not_paid' ? 'unpaid' : 'paid', paid_by: paidBy ?? null };
  }
  // An order that costs nothing stays paid after an undo, because it was paid from the start.
  if (call === 'undo' && isHandedOver(row.status) && row.total > 0) return { payment_status: 'unpaid', paid_by: null };
  return {};
}

interface Placing {
  /** The new payment status; null: unpaid. */
  orderPayment: PaymentStatus | null;
  method?: PaymentMethod;
  heldUntil?: Date | null;
}

export async function placePendingOrder(
  tx: Tx,
  services: Pick<OrderServices, 'menus' | 'outbox' | 'owed' | 'prints'>,
  order: OrderRow,
  { orderPayment, method, heldUntil = null }: Placing,
  now: Date,
): Promise<OrderRow> {
  const bySystem = { orderId: order.id, actor: 'system', actorName: 'system', actorId: null, now } as const;
  await applyOrderCall(tx, services, {
    ...bySystem,
    call: 'authorised',
    paymentStatus: orderPayment ?? 'unpaid',
    ...(method && { paymentMethod: method }),
  });
  const shop = await services.menus.store(tx, order.store_id);
  if (shop?.store.auto_accept && !isHoldTimeOver(heldUntil, now))
    await applyOrderCall(tx, services, { ...bySystem, call: 'accept' });
  return lockReferencedOrder(tx, order.id);
}
