import type { FollowUp, Order } from '#ordering/order.ts';
import { nextStatus, timesAfter } from '#ordering/next-status.ts';
import { undoWithin, hasCall } from '#ordering/order-status.ts';
import type { OrderCall } from '#ordering/status-row.ts';

export interface CallInput {
  reason?: string;
  /** The time meant by "in 20 minutes", as epoch milliseconds, so that a call sent late still means the same time. */
  readyAt?: number;
  /** What staff did about an order that nobody answered. */
  followUp?: FollowUp;
}

/** Until when undo is possible, as epoch milliseconds; null if there is nothing to undo. */
export function undoUntil(order: Pick<Order, 'status' | 'fulfilment_type' | 'history'>): number | null {
  const last = order.history.findLast(({ from, to }) => from !== to);
  if (!last) return null;
  return nextStatus(order, 'undo', 'admin', new Date(last.at)).kind === 'legal'
    ? Date.parse(last.at) + undoWithin
    : null;
}

/** Whether the board offers to cancel it: an order that can be rejected is not cancelled as well. */
export function offersCancel(order: Pick<Order, 'status' | 'actions'>): boolean {
  return order.actions.includes('cancel') && !hasCall(order.status, 'reject');
}

/** The order as it will be after the call, to show before the server answers. `now`: epoch ms. */
export function predict(order: Order, call: OrderCall, input: CallInput, now: number): Order {
  const move = nextStatus(order, call, 'admin', new Date(now));
  if (move.kind !== 'legal') return order;
  const at = new Date(now).toISOString();
  const steps = move.steps.map((step) => ({ ...step, actor: '', reason: input.reason ?? input.followUp ?? null, at }));
  return {
    ...order,
    ...timesAfter(call, move.steps, at),
    ...changesWith(order, call, input),
    status: move.to,
    history: [...order.history, ...steps],
  };
}

/** The other changes of a step beside the status, as far as a screen knows them. */
function changesWith(order: Order, call: OrderCall, input: CallInput): Partial<Order> {
  const promised = input.readyAt === undefined ? {} : { promised_at: new Date(input.readyAt).toISOString() };
  if (call === 'accept') return { promised_at: order.requested_for ?? order.promised_at, ...promised };
  if (call === 'promise') return promised;
  return call === 'followed-up' ? { followed_up: input.followUp ?? null } : {};
}
