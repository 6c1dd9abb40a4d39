import type { FollowUp, Order, PaidBy } from '#ordering/order.ts';
import { endingCalls, nextStatus, timesAfter } from '#ordering/next-status.ts';
import { undoWithin, hasCall, isHandedOver } from '#ordering/order-status.ts';
import { recordRemoved, removeLines, type WantedRemoval } from '#ordering/remove-lines.ts';
import type { OrderCall } from '#ordering/status-row.ts';

/** The calls that are held back for a while, in which they can be taken back: nothing undoes them once they are made. */
export const delayedCalls: ReadonlySet<string> = /* @__PURE__ */ new Set([...endingCalls, 'lines/remove']);

export interface CallInput {
  reason?: string;
  /** The time meant by "in 20 minutes", as epoch milliseconds, so that a call sent late still means the same time. */
  readyAt?: number;
  /** The follow-up of an order that nobody answered. */
  followUp?: FollowUp;
  /** How an order that was to be paid at the handover was paid. */
  paidBy?: PaidBy;
  /** The lines to take off, with the quantities at the request. */
  lines?: readonly Required<WantedRemoval>[];
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

/** Whether this step hands over an order that is still to be paid, so that staff have to say how it was. */
export function asksPayment(order: Order, call: OrderCall): boolean {
  const move = nextStatus(order, call, 'admin', new Date(order.created_at));
  return order.payment_status === 'unpaid' && order.total > 0 && move.kind === 'legal' && isHandedOver(move.to);
}

/** The order as it will be after the call, to show before the server answers. `now`: epoch ms. */
export function predict(order: Order, call: OrderCall, input: CallInput, now: number): Order {
  const move = nextStatus(order, call, 'admin', new Date(now));
  if (move.kind !== 'legal') return order;
  if (call === 'lines/remove') return withoutLines(order, input, now);
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

/** Without its last dish it will be cancelled. */
function withoutLines(order: Order, { lines = [], reason = '' }: CallInput, now: number): Order {
  const left = removeLines(order, lines);
  if ('fault' in left) return order;
  if (left.lines.length === 0) return predict(order, 'cancel', { reason }, now);
  const { removed: _removed, ...changed } = left;
  const removed = recordRemoved(left, { reason, actor: '', at: new Date(now).toISOString() });
  return { ...order, ...changed, removed: [...order.removed, ...removed] };
}

/** The other changes of a step beside the status, as far as a screen knows them. */
function changesWith(order: Order, call: OrderCall, input: CallInput): Partial<Order> {
  const promised = input.readyAt === undefined ? {} : { promised_at: new Date(input.readyAt).toISOString() };
  if (call === 'accept') return { promised_at: order.requested_for ?? order.promised_at, ...promised };
  if (call === 'promise') return promised;
  return call === 'followed-up' ? { followed_up: input.followUp ?? null } : {};
}
