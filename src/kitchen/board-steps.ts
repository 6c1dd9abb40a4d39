import type { FollowUp, Order } from '#ordering/order.ts';
import { nextStatus, type OrderCall, undoWithin } from '#ordering/order-status.ts';

export interface CallInput {
  reason?: string;
  /** The time meant by "in 20 minutes", as epoch milliseconds, so that a call sent late still means the same time. */
  readyAt?: number;
  /** What was done about an order that nobody answered. */
  followUp?: FollowUp;
}

/** The one call that carries an order on from where it is; null where it rests. */
export function stepOf(order: Pick<Order, 'status' | 'fulfilment_type'>): OrderCall | null {
  if (order.status === 'placed') return 'accept';
  if (order.status === 'accepted') return 'packed';
  if (order.status === 'packed') {
    return order.fulfilment_type === 'delivery' ? 'collected-by-driver' : 'collected-by-customer';
  }
  return order.status === 'out_for_delivery' ? 'delivered-to-customer' : null;
}

/** When undo stops being possible, as epoch milliseconds; null where there is nothing to undo. */
export function undoUntil(order: Pick<Order, 'status' | 'fulfilment_type' | 'history'>): number | null {
  const last = order.history.findLast(({ from, to }) => from !== to);
  if (!last) return null;
  return nextStatus(order, 'undo', 'admin', new Date(last.at)).kind === 'legal'
    ? Date.parse(last.at) + undoWithin
    : null;
}

/** The order as it will be once the call has gone through, to show before the server answers. `now`: epoch ms. */
export function predict(order: Order, call: OrderCall, input: CallInput, now: number): Order {
  const move = nextStatus(order, call, 'admin', new Date(now));
  if (move.kind !== 'legal') return order;
  const at = new Date(now).toISOString();
  const steps = move.steps.map((step) => ({ ...step, actor: '', reason: input.reason ?? input.followUp ?? null, at }));
  return {
    ...order,
    ...timesAfter(order, call, input, at),
    status: move.to,
    history: [...order.history, ...steps],
  };
}

function timesAfter(order: Order, call: OrderCall, input: CallInput, at: string): Partial<Order> {
  const promised = input.readyAt === undefined ? {} : { promised_at: new Date(input.readyAt).toISOString() };
  switch (call) {
    case 'accept':
      return { accepted_at: at, promised_at: order.requested_for ?? order.promised_at, ...promised };
    case 'promise':
      return promised;
    case 'packed':
      return { packed_at: at };
    case 'collected-by-driver':
      return { packed_at: order.packed_at ?? at, left_at: at };
    case 'collected-by-customer':
      return { packed_at: order.packed_at ?? at, completed_at: at };
    case 'delivered-to-customer':
      return { completed_at: at };
    case 'reject':
    case 'cancel':
      return { closed_at: at };
    case 'followed-up':
      return { followed_up: input.followUp ?? null };
    case 'undo':
      return undoneTimes(order);
  }
}

/** Undo takes the time of the step along. */
function undoneTimes(order: Order): Partial<Order> {
  if (order.status === 'packed') return { packed_at: null };
  return order.status === 'out_for_delivery' ? { left_at: null } : { completed_at: null };
}
