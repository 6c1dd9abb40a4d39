import type { HistoryEntry, Order, OrderStatus } from '#ordering/order.ts';
import {
  statuses,
  transitions,
  type Actor,
  type OrderCall,
  type SystemCall,
  type Transition,
} from '#ordering/order-status.ts';

/** What the rules need of an order. A whole `Order` fits, and so does a row with its history, oldest first. */
export interface OrderState
  extends Pick<Order, 'status' | 'fulfilment_type'>, Partial<Pick<Order, 'reject_reason' | 'followed_up'>> {
  history: readonly (Pick<HistoryEntry, 'from' | 'to'> & { at: string | Date })[];
}

export type Move =
  /** `steps` are added to the history, in order; none if the status stays the same. */
  | { kind: 'legal'; to: OrderStatus; steps: { from: OrderStatus; to: OrderStatus }[] }
  /** The order is already in that state: answer 200 and do nothing. */
  | { kind: 'same' }
  /** 409 `illegal_transition`, with the calls that are possible instead. */
  | { kind: 'illegal'; open: OrderCall[] }
  /** 403: this role may never make the call. */
  | { kind: 'forbidden' };

/**
 * What a call does to an order. The caller has checked that the order is the actor's own or their store's.
 * A call that was already made changes nothing, and neither does a second undo, which a double click would cause.
 */
export function nextStatus(order: OrderState, call: OrderCall | SystemCall, role: Actor, now: Date): Move {
  if (!transitions.some((row) => row.call === call && row.by.includes(role))) return { kind: 'forbidden' };
  if (isSame(order, call)) return { kind: 'same' };
  const row = transitions.find((candidate) => candidate.call === call && isOpenTo(candidate, order, role, now));
  if (!row) return { kind: 'illegal', open: openCalls(order, role, now) };
  if (row.to === row.from) return { kind: 'legal', to: row.to, steps: [] };
  if (!row.through) return { kind: 'legal', to: row.to, steps: [{ from: row.from, to: row.to }] };
  const steps = [
    { from: row.from, to: row.through },
    { from: row.through, to: row.to },
  ];
  return { kind: 'legal', to: row.to, steps };
}

/** The calls of the API that `role` can make on the order now, in the order of the work. */
export function openCalls(order: OrderState, role: Actor, now: Date): OrderCall[] {
  const open: OrderCall[] = [];
  for (const row of transitions) {
    if (row.call === 'authorised' || row.call === 'expire') continue;
    if (isOpenTo(row, order, role, now) && !isSame(order, row.call)) open.push(row.call);
  }
  return open;
}

/** The call that takes an order to its next step; null if there is none, or if others have to act. */
export function stepOf({ status, fulfilment_type }: Pick<Order, 'status' | 'fulfilment_type'>): OrderCall | null {
  for (const way of statuses[status].ways) {
    if (way.isNext && (!way.only || way.only === fulfilment_type)) return way.call;
  }
  return null;
}

/** Staff give a reason for cancelling; a customer need not. A rejection always has a reason. */
export function needsReason(call: OrderCall, role: Actor): boolean {
  return call === 'reject' || (call === 'cancel' && role !== 'customer');
}

function isOpenTo(row: Transition, order: OrderState, role: Actor, now: Date): boolean {
  if (row.from !== order.status || !row.by.includes(role)) return false;
  if (row.only && row.only !== order.fulfilment_type) return false;
  if (row.because && row.because !== order.reject_reason) return false;
  if (row.within === undefined) return true;
  const last = lastStep(order);
  return last?.to === order.status && now.getTime() - new Date(last.at).getTime() <= row.within;
}

function isSame(order: OrderState, call: OrderCall | SystemCall): boolean {
  if (call === 'promise') return false;
  if (call === 'undo') return wasUndone(order);
  if (call === 'followed-up') return (order.followed_up ?? null) !== null;
  return transitions.some((row) => row.call === call && row.to === order.status);
}

function wasUndone(order: OrderState): boolean {
  const last = lastStep(order);
  if (!last || last.to !== order.status) return false;
  return transitions.some((row) => row.call === 'undo' && row.from === last.from && row.to === last.to);
}

function lastStep(order: OrderState): OrderState['history'][number] | undefined {
  return order.history.findLast(({ from, to }) => from !== to);
}

/** The calls whose step an undo takes back. */
export const undoableCalls: ReadonlySet<string> = /* @__PURE__ */ new Set(
  transitions
    .filter(
      ({ call, from, to }) => call !== 'undo' && from !== to && statuses[to].ways.some((way) => way.call === 'undo'),
    )
    .map(({ call }) => call),
);
