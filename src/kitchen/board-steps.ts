import type { FollowUp, Order, PaidBy } from '#ordering/order.ts';
import { orderEndingCalls, effectOfCall, nextStepCall, timeColumnsAfterCall } from '#ordering/next-status.ts';
import { hasFailedPayment } from '#kitchen/board-alarms.ts';
import { undoTimeLimitMs, statusAllowsCall, isHandedOver, isInHand } from '#ordering/order-status.ts';
import { toRemovedLines, removeLines, type WantedRemoval } from '#ordering/remove-lines.ts';
import { setLineTicks } from '#ordering/line-ticks.ts';
import type { StaffCall } from '#ordering/status-row.ts';

/** Calls that the page delays for undo, because no other call reverts them. */
export const callsDelayedForUndo: ReadonlySet<string> = /* @__PURE__ */ new Set([...orderEndingCalls, 'lines/remove']);

export interface BoardCallInput {
  reason?: string;
  /**
   * When the order will be ready (epoch ms). Unlike "in 20 minutes", an absolute time stays right if the call is sent
   * late.
   */
  readyAt?: number;
  followUp?: FollowUp;
  paidBy?: PaidBy;
  /** The lines to remove, with the quantities that staff saw. */
  lines?: readonly Required<WantedRemoval>[];
  /** The ids of lines to tick as cooked, or to untick. */
  ticks?: { lines: readonly string[]; done: boolean };
  /** Whether the remaining order loses its discount. */
  endsOffers?: boolean;
}

/** The time until which an order's last step can be undone (epoch ms); null: it cannot be undone. */
export function undoDeadline(order: Pick<Order, 'status' | 'fulfilment_type' | 'history'>): number | null {
  const last = order.history.findLast(({ from, to }) => from !== to);
  if (!last) return null;
  return effectOfCall(order, 'undo', 'admin', new Date(last.at)).kind === 'legal'
    ? Date.parse(last.at) + undoTimeLimitMs
    : null;
}

/** Whether the board offers to cancel an order. An order that can be rejected offers only the rejection. */
export function canBoardCancel(order: Pick<Order, 'status' | 'actions'>): boolean {
  return order.actions.includes('cancel') && !statusAllowsCall(order.status, 'reject');
}

/** Whether this step hands over an unpaid order, so that staff must enter the payment method. */
export function mustEnterPaymentMethod(order: Order, call: StaffCall): boolean {
  const move = effectOfCall(order, call, 'admin', new Date(order.created_at));
  return order.payment_status === 'unpaid' && order.total > 0 && move.kind === 'legal' && isHandedOver(move.to);
}

/**
 * The step that a tap anywhere on a ticket makes. Null: no step is next, or the step needs its own button, because
 * staff must enter the payment method or see the failed payment.
 */
export function stepOnTicketTap(order: Order): StaffCall | null {
  const call = isInHand(order.status) ? nextStepCall(order) : null;
  return call === null || mustEnterPaymentMethod(order, call) || hasFailedPayment(order) ? null : call;
}

/** The order after a call, for an optimistic update. `now`: epoch ms. */
export function predictOrderAfter(order: Order, call: StaffCall, input: BoardCallInput, now: number): Order {
  const move = effectOfCall(order, call, 'admin', new Date(now));
  if (move.kind !== 'legal') return order;
  if (call === 'lines/remove') return withoutLines(order, input, now);
  const at = new Date(now).toISOString();
  if (call === 'lines/done') {
    const { lines = [], done = true } = input.ticks ?? {};
    return { ...order, lines: setLineTicks(order.lines, lines, done ? at : null) };
  }
  const steps = move.steps.map((step) => ({ ...step, actor: '', reason: input.reason ?? input.followUp ?? null, at }));
  return {
    ...order,
    ...timeColumnsAfterCall(call, move.steps, at),
    ...changesWith(order, call, input),
    status: move.to,
    history: [...order.history, ...steps],
  };
}

/** The order without the removed lines; an order without dishes is cancelled. */
function withoutLines(order: Order, { lines = [], reason = '', endsOffers }: BoardCallInput, now: number): Order {
  const left = removeLines(order, lines, { endsOffers });
  if ('fault' in left) return order;
  if (left.lines.length === 0) return predictOrderAfter(order, 'cancel', { reason }, now);
  const { removed: _removed, ...changed } = left;
  const removed = toRemovedLines(left, { reason, actor: '', at: new Date(now).toISOString() });
  return { ...order, ...changed, removed: [...order.removed, ...removed] };
}

/** The fields that a step changes besides the status and its times, as far as a screen can predict them. */
function changesWith(order: Order, call: StaffCall, input: BoardCallInput): Partial<Order> {
  const promised = input.readyAt === undefined ? {} : { promised_at: new Date(input.readyAt).toISOString() };
  if (call === 'accept') return { promised_at: order.requested_for ?? order.promised_at, ...promised };
  if (call === 'promise') return promised;
  return call === 'followed-up' ? { followed_up: input.followUp ?? null } : {};
}
