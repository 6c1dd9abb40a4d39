import { m } from '#messages';
import { isReadyToCollect, workStatuses } from '#ordering/next-status.ts';
import { isInHand, isInKitchen, isUnpaid, statuses } from '#ordering/order-status.ts';
import type { GuestOrder, OrderStatus, RejectReason } from '#ordering/order.ts';
import type { TimeColumn } from '#ordering/status-row.ts';
import { cookingStartsAt, type PromisingStore, type TimedOrder } from '#ordering/promise.ts';

type Tracked = Pick<
  GuestOrder,
  'status' | 'payment_status' | 'fulfilment_type' | TimeColumn | 'promised_at' | 'requested_for'
> &
  TimedOrder;

export interface TrackerStep {
  status: OrderStatus;
  name: string;
  /** When it was reached, ISO 8601; null while it is in the future. */
  at: string | null;
  state: 'done' | 'now' | 'ahead';
}

/** The steps that a customer follows, in order, from placed to the door or the counter; the last is done once reached. */
export function trackerSteps(order: Tracked, store: PromisingStore, now: Date): TrackerStep[] {
  const steps = workStatuses(order.fulfilment_type).map((status): Omit<TrackerStep, 'state'> => {
    if (isInKitchen(status)) return kitchenStep(order, status, store, now);
    const { stamps } = statuses[status];
    return { status, name: stepWords(status, order), at: stamps && order[stamps] };
  });
  const reached = steps.findIndex(({ status }) => status === order.status);
  return steps.map(({ status, name, at }, index) => {
    if (index > reached) return { status, name, at: null, state: 'ahead' };
    return { status, name, at, state: index < reached || index === steps.length - 1 ? 'done' : 'now' };
  });
}

function kitchenStep(
  order: Tracked,
  status: OrderStatus,
  store: PromisingStore,
  now: Date,
): Omit<TrackerStep, 'state'> {
  const { accepted_at: acceptedAt } = order;
  if (isForLater(order, store, now)) return { status, name: m.ordering_step_booked(), at: acceptedAt };
  const begins = cookingStartsAt(store, order);
  const isSince = begins !== null && acceptedAt !== null && Date.parse(acceptedAt) < begins.getTime();
  // If the kitchen started early, the time of that start is unknown.
  const isEarly =
    begins !== null && (now < begins || (order.packed_at !== null && Date.parse(order.packed_at) < begins.getTime()));
  return {
    status,
    name: stepWords(status, order),
    at: isSince && !isEarly ? begins.toISOString() : acceptedAt,
  };
}

function stepWords(status: OrderStatus, { fulfilment_type }: Tracked): string {
  const isDelivery = fulfilment_type === 'delivery';
  const words: Record<OrderStatus, () => string> = {
    pending_payment: m.ordering_head_pending_payment,
    placed: m.ordering_step_placed,
    accepted: m.ordering_step_accepted,
    packed: isDelivery ? m.ordering_step_packed : m.ordering_step_ready,
    out_for_delivery: m.ordering_step_out,
    delivered: m.ordering_step_delivered,
    collected: m.ordering_step_collected,
    rejected: m.ordering_head_rejected,
    cancelled: m.ordering_head_cancelled,
    expired: m.ordering_head_expired,
  };
  return words[status]();
}

/** Whether the shop has accepted an order that the kitchen has not started yet. */
function isForLater(order: Pick<Tracked, 'status'> & Scheduled, store: PromisingStore, now: Date): boolean {
  const begins = cookingStartsAt(store, order);
  return isInKitchen(order.status) && begins !== null && now < begins;
}

type Scheduled = Pick<Tracked, 'requested_for' | 'promised_at'> & TimedOrder;

const width = 10 * 60_000;
const grid = 5 * 60_000;

/**
 * The promised time as a realistic range: the chosen slot (`slotMinutes` long) while it is valid, otherwise
 * ten minutes from a five-minute mark.
 */
export function promisedRange(
  promisedAt: string,
  requestedFor: string | null,
  slotMinutes: number,
): { from: Date; to: Date } {
  const promised = Date.parse(promisedAt);
  if (requestedFor !== null && Date.parse(requestedFor) === promised) {
    return { from: new Date(promised), to: new Date(promised + slotMinutes * 60_000) };
  }
  const from = Math.floor(promised / grid) * grid;
  return { from: new Date(from), to: new Date(from + width) };
}

/**
 * Minutes past the end of the promised range of an accepted order; 0 while it can still be kept, and once the
 * food is handed over or ready at the counter.
 */
export function minutesLate(order: Tracked, now: Date, slotMinutes: number): number {
  if (order.promised_at === null || !isInHand(order.status)) return 0;
  if (isReadyToCollect(order)) return 0;
  const { to } = promisedRange(order.promised_at, order.requested_for, slotMinutes);
  return Math.max(0, Math.floor((now.getTime() - to.getTime()) / 60_000));
}

/** One sentence about the state of the order at `now`. */
export function headlineOf(
  order: Pick<GuestOrder, 'status' | 'payment_status' | 'payment_processing'> & Scheduled,
  store: PromisingStore,
  now: Date,
): string {
  if (isUnpaid(order.status) && order.payment_processing) return m.ordering_head_processing();
  return isForLater(order, store, now) ? m.ordering_head_booked() : statusWords(order);
}

/** The sentence for its status alone. */
export function statusWords(order: Pick<Tracked, 'status' | 'payment_status' | 'fulfilment_type'>): string {
  const isDelivery = order.fulfilment_type === 'delivery';
  const words: Record<OrderStatus, () => string> = {
    pending_payment: order.payment_status === 'failed' ? m.ordering_head_declined : m.ordering_head_pending_payment,
    placed: m.ordering_head_placed,
    accepted: m.ordering_head_accepted,
    packed: isDelivery ? m.ordering_head_packed : m.ordering_head_ready,
    out_for_delivery: m.ordering_head_out,
    delivered: m.ordering_head_delivered,
    collected: m.ordering_head_collected,
    rejected: m.ordering_head_rejected,
    cancelled: m.ordering_head_cancelled,
    expired: m.ordering_head_expired,
  };
  return words[order.status]();
}

/** Why the shop rejected it, for the customer. */
export function rejectionWords(reason: RejectReason | null): string {
  const words: Record<RejectReason, () => string> = {
    too_busy: m.ordering_rejected_too_busy,
    closing_early: m.ordering_rejected_closing_early,
    item_unavailable: m.ordering_rejected_item_unavailable,
    cannot_deliver: m.ordering_rejected_cannot_deliver,
    bad_address: m.ordering_rejected_bad_address,
    not_answered: m.ordering_rejected_not_answered,
    other: m.ordering_rejected_other,
  };
  return words[reason ?? 'other']();
}
