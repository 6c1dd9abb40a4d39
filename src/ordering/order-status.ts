import type { HistoryEntry, Order, OrderChannel, OrderStatus, RejectReason } from '#ordering/order.ts';
import type { Role } from '#platform/http/viewer.ts';
import type { FulfilmentType, PaymentMethod } from '#store/contract.ts';

/** As in the paths of the API: `POST /v1/orders/{id}/{call}`. */
export type OrderCall =
  | 'accept'
  | 'reject'
  | 'packed'
  | 'collected-by-driver'
  | 'collected-by-customer'
  | 'delivered-to-customer'
  | 'promise'
  | 'undo'
  | 'cancel'
  | 'followed-up';

/** Not calls of the API: a payment is authorised (or becomes cash), and nobody has paid for 30 minutes. */
export type SystemCall = 'authorised' | 'expire';

/** `system` is the shop's own clockwork: payments, deadlines, accepting by itself. */
export type Actor = Role | 'system';

export interface Transition {
  call: OrderCall | SystemCall;
  from: OrderStatus;
  to: OrderStatus;
  by: readonly Actor[];
  /** Recorded on the way, as a step of its own. */
  through?: OrderStatus;
  only?: FulfilmentType;
  /** Only of an order that was rejected for this reason. */
  because?: RejectReason;
  /** Milliseconds since the last step. */
  within?: number;
}

export const undoWithin = 2 * 60_000;

const staff = ['store_admin', 'admin'] as const;
const staffOrSystem = [...staff, 'system'] as const;

/** Every way an order can go. There is at most one for a status and a call. */
export const transitions: readonly Transition[] = [
  { from: 'pending_payment', call: 'authorised', to: 'placed', by: ['system'] },
  { from: 'pending_payment', call: 'expire', to: 'expired', by: ['system'] },
  { from: 'placed', call: 'accept', to: 'accepted', by: staffOrSystem },
  { from: 'placed', call: 'reject', to: 'rejected', by: staffOrSystem },
  { from: 'accepted', call: 'packed', to: 'packed', by: staff },
  {
    from: 'accepted',
    call: 'collected-by-driver',
    to: 'out_for_delivery',
    by: staff,
    only: 'delivery',
    through: 'packed',
  },
  { from: 'packed', call: 'collected-by-driver', to: 'out_for_delivery', by: staff, only: 'delivery' },
  {
    from: 'accepted',
    call: 'collected-by-customer',
    to: 'collected',
    by: staff,
    only: 'collection',
    through: 'packed',
  },
  { from: 'packed', call: 'collected-by-customer', to: 'collected', by: staff, only: 'collection' },
  { from: 'out_for_delivery', call: 'delivered-to-customer', to: 'delivered', by: staff, only: 'delivery' },
  { from: 'accepted', call: 'promise', to: 'accepted', by: staff },
  { from: 'packed', call: 'promise', to: 'packed', by: staff },
  { from: 'packed', call: 'undo', to: 'accepted', by: staff, within: undoWithin },
  { from: 'out_for_delivery', call: 'undo', to: 'packed', by: staff, within: undoWithin },
  { from: 'collected', call: 'undo', to: 'packed', by: staff, within: undoWithin },
  { from: 'delivered', call: 'undo', to: 'out_for_delivery', by: staff, within: undoWithin },
  { from: 'pending_payment', call: 'cancel', to: 'cancelled', by: ['customer', 'admin'] },
  { from: 'placed', call: 'cancel', to: 'cancelled', by: ['customer', ...staff] },
  { from: 'accepted', call: 'cancel', to: 'cancelled', by: staff },
  { from: 'packed', call: 'cancel', to: 'cancelled', by: staff },
  { from: 'out_for_delivery', call: 'cancel', to: 'cancelled', by: ['admin'] },
  { from: 'rejected', call: 'followed-up', to: 'rejected', by: staff, because: 'not_answered' },
];

/** What the rules read of an order. A whole `Order` will do; so will a row with its history, oldest first. */
export interface OrderState
  extends Pick<Order, 'status' | 'fulfilment_type'>, Partial<Pick<Order, 'reject_reason' | 'followed_up'>> {
  history: readonly (Pick<HistoryEntry, 'from' | 'to'> & { at: string | Date })[];
}

export type Move =
  /** `steps` go into the history, in order; none where the status stays as it is. */
  | { kind: 'legal'; to: OrderStatus; steps: { from: OrderStatus; to: OrderStatus }[] }
  /** It is so already: answer 200 and do nothing. */
  | { kind: 'same' }
  /** 409 `illegal_transition`, with the calls that are open instead. */
  | { kind: 'illegal'; open: OrderCall[] }
  /** 403: a call that this role never has. */
  | { kind: 'forbidden' };

/**
 * What a call does to an order. The caller has checked that the order is the actor's own or their store's.
 * A call that was made already is the same, and so is a second undo on end, which a double click would make.
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

/** Nobody answered it in time, and nobody has said yet what was done about that. */
export function isLost(order: Pick<Order, 'status' | 'reject_reason' | 'followed_up'>): boolean {
  return order.status === 'rejected' && order.reject_reason === 'not_answered' && order.followed_up === null;
}

/** Where a new order starts: cash is placed at once, a card waits for its payment, staff accept as they write. */
export function firstStatus(order: { channel: OrderChannel; payment_method: PaymentMethod }): OrderStatus {
  if (isStaffChannel(order.channel)) return 'accepted';
  return order.payment_method === 'cash' ? 'placed' : 'pending_payment';
}

/** Typed in by staff: no provider is asked for its money, the till is. */
export function isStaffChannel(channel: OrderChannel): boolean {
  return channel === 'phone' || channel === 'counter';
}

/** Whether the work on it, or the wait for it, is still going on. */
export function isOpen(status: OrderStatus): boolean {
  return transitions.some((row) => row.from === status && row.call === 'cancel');
}

/** Staff say why they cancel; a customer need not. A rejection always has its reason. */
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

/** The statuses that are work for the shop. */
export const openStatuses = [
  'placed',
  'accepted',
  'packed',
  'out_for_delivery',
] as const satisfies readonly OrderStatus[];

/** The statuses of an order that is not over: work, or waiting for its payment. */
export const unendedStatuses = ['pending_payment', ...openStatuses] as const;

/** The statuses an order ends with. */
export const doneStatuses = [
  'delivered',
  'collected',
  'rejected',
  'cancelled',
  'expired',
] as const satisfies readonly OrderStatus[];
