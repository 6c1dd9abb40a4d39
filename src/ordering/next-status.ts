import type { OrderPushKind } from '#database/column-values.ts';
import type { OrderMailKind } from '#database/mail-values.ts';
import { type HoldCheckOrder, isOrderHoldOver } from '#ordering/payment-status.ts';
import type { HistoryEntry, Order, OrderChannel, OrderStatus } from '#ordering/order.ts';
import {
  isCalledOff,
  isUnanswered,
  orderStatusTable,
  type Transition,
  statusTransitions,
  unansweredStatuses,
} from '#ordering/order-status.ts';
import type { Actor, OrderCall, StaffCall, SystemCall, TimeColumn } from '#ordering/status-row.ts';
import type { PaymentMethod, Store } from '#store/contract.ts';

/**
 * The fields of an order that its transitions depend on, with its history, oldest first. An `Order` or its row fits. An
 * order without payment fields counts as unpaid and in cash, so `isOrderHoldOver` never prevents `accept`.
 */
export interface OrderState
  extends
    Pick<Order, 'status' | 'fulfilment_type'>,
    Partial<Pick<Order, 'reject_reason' | 'followed_up'> & HoldCheckOrder> {
  arrived_at?: string | Date | null;
  rated_at?: string | Date | null;
  history: readonly (Pick<HistoryEntry, 'from' | 'to'> & { at: string | Date })[];
}

export type CallEffect =
  /** `steps` are added to the history, in order; empty if the status does not change. */
  | { kind: 'legal'; to: OrderStatus; steps: { from: OrderStatus; to: OrderStatus }[] }
  /** The call has already had its effect: the response is 200, and nothing changes. */
  | { kind: 'same' }
  /** The response is 409 `illegal_transition`; `open` are the calls that are possible instead. */
  | { kind: 'illegal'; open: OrderCall[] }
  /** The response is 403: this role may never make the call. */
  | { kind: 'forbidden' };

/**
 * Returns the effect of a call on an order. The caller has checked that the actor may access the order. A repeated
 * call, or a second undo after a double click, changes nothing.
 */
export function effectOfCall(order: OrderState, call: OrderCall | SystemCall, role: Actor, now: Date): CallEffect {
  if (!statusTransitions.some((row) => row.call === call && row.by.includes(role))) return { kind: 'forbidden' };
  if (isSame(order, call)) return { kind: 'same' };
  const row = statusTransitions.find((candidate) => candidate.call === call && isOpenTo(candidate, order, role, now));
  if (!row) return { kind: 'illegal', open: possibleOrderCalls(order, role, now) };
  if (row.to === row.from) return { kind: 'legal', to: row.to, steps: [] };
  if (!row.through) return { kind: 'legal', to: row.to, steps: [{ from: row.from, to: row.to }] };
  const steps = [
    { from: row.from, to: row.through },
    { from: row.through, to: row.to },
  ];
  return { kind: 'legal', to: row.to, steps };
}

/** The API's calls that `role` can make on the order now. They are sorted as staff usually make them. */
export function possibleOrderCalls(order: OrderState, role: Actor, now: Date): OrderCall[] {
  const open: OrderCall[] = [];
  const { payment_method = 'cash', payment_status = 'unpaid', heldUntil = null } = order;
  const cannotCharge = isOrderHoldOver({ payment_method, payment_status, heldUntil }, now);
  for (const row of statusTransitions) {
    if (row.call === 'authorised' || row.call === 'expire') continue;
    if (row.call === 'accept' && cannotCharge) continue;
    if (isOpenTo(row, order, role, now) && !isSame(order, row.call)) open.push(row.call);
  }
  return open;
}

/**
 * Returns the shop's call for an order's next step; null if there is none, or if the customer or the payment provider
 * acts next.
 */
export function nextStepCall({ status, fulfilment_type }: Pick<Order, 'status' | 'fulfilment_type'>): StaffCall | null {
  for (const way of orderStatusTable[status].ways) {
    if (way.isNext && (!way.only || way.only === fulfilment_type)) return way.call;
  }
  return null;
}

/** Whether the caller must give a reason for the call. A customer need not give one. */
export function needsReason(call: OrderCall, role: Actor): boolean {
  if (role === 'customer') return false;
  return statusTransitions.some(
    (row) => row.call === call && row.from !== row.to && orderStatusTable[row.to].reason !== null,
  );
}

interface TakenStep {
  from: OrderStatus;
  to: OrderStatus;
}

/** Returns the time columns that a call's steps change: `at` for a step, null for an undone step. */
export function timeColumnsAfterCall<T>(
  call: OrderCall | SystemCall,
  steps: readonly TakenStep[],
  at: T,
): Partial<Record<TimeColumn, T | null>> {
  const times: Partial<Record<TimeColumn, T | null>> = {};
  for (const { from, to } of steps) {
    const column = orderStatusTable[call === 'undo' ? from : to].stamps;
    if (column && from !== to) times[column] = call === 'undo' ? null : at;
  }
  return times;
}

/**
 * Returns the kind of mail after a call: `promised` after a new promise, otherwise the mail of the status that was
 * reached. null: no mail, as after an undo.
 */
export function mailAfterCall(
  call: OrderCall | SystemCall,
  { from, to }: TakenStep,
  fulfilment_type: Order['fulfilment_type'],
): OrderMailKind | null {
  if (call === 'promise') return 'promised';
  if (call === 'undo' || from === to) return null;
  const { mail } = orderStatusTable[to];
  // `ready` is not mailed for a delivery, because packed food has not reached its customer.
  return mail === 'ready' && fulfilment_type === 'delivery' ? null : mail;
}

/**
 * Returns the news after a call, for devices that follow the order; null if there is none. If an undone step had news,
 * its undo has the news `not_ready`.
 */
export function pushKindAfterCall(
  call: OrderCall | SystemCall,
  { from, to }: TakenStep,
  fulfilment_type: Order['fulfilment_type'],
): OrderPushKind | null {
  if (call === 'promise') return 'promised';
  if (from === to) return null;
  const news = (status: OrderStatus) => {
    const { push } = orderStatusTable[status];
    return push === 'ready' && fulfilment_type === 'delivery' ? null : push;
  };
  if (call !== 'undo') return news(to);
  return news(from) === null ? null : 'not_ready';
}

export function isReadyToCollect(order: Pick<Order, 'status' | 'fulfilment_type'>): boolean {
  return nextStepCall(order) === 'collected-by-customer';
}

/** The usual statuses of an order, from `placed` to the handover, first to last. */
export function statusesUntilHandover(fulfilment_type: Order['fulfilment_type']): OrderStatus[] {
  const path: OrderStatus[] = [...unansweredStatuses];
  for (let status = path[0]; status;) {
    const call = nextStepCall({ status, fulfilment_type });
    status = orderStatusTable[status].ways.find((way) => way.isNext && way.call === call)?.to;
    if (status) path.push(status);
  }
  return path;
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
  if (call === 'promise' || call === 'lines/remove' || call === 'lines/done') return false;
  if (call === 'undo') return wasUndone(order);
  if (call === 'followed-up') return (order.followed_up ?? null) !== null;
  if (call === 'arrived') return (order.arrived_at ?? null) !== null;
  if (call === 'rating') return (order.rated_at ?? null) !== null;
  return statusTransitions.some((row) => row.call === call && row.to === order.status);
}

function wasUndone(order: OrderState): boolean {
  const last = lastStep(order);
  if (!last || last.to !== order.status) return false;
  return statusTransitions.some((row) => row.call === 'undo' && row.from === last.from && row.to === last.to);
}

function lastStep(order: OrderState): OrderState['history'][number] | undefined {
  return order.history.findLast(({ from, to }) => from !== to);
}

export const undoableCalls: ReadonlySet<string> = /* @__PURE__ */ new Set(
  statusTransitions
    .filter(
      ({ call, from, to }) =>
        call !== 'undo' && from !== to && orderStatusTable[to].ways.some((way) => way.call === 'undo'),
    )
    .map(({ call }) => call),
);

/** The calls that end an order without a sale, such as `reject` and `cancel`. They cannot be undone. */
export const orderEndingCalls: ReadonlySet<string> = /* @__PURE__ */ new Set(
  statusTransitions.filter(({ to }) => isCalledOff(to)).map(({ call }) => call),
);

/**
 * Returns the first status of a new order. A card order waits for its payment, unless it is paid at the till or its
 * total is 0.
 */
export function firstOrderStatus(order: {
  channel: OrderChannel;
  payment_method: PaymentMethod;
  total: number;
}): OrderStatus {
  const waits = order.payment_method === 'card' && !isStaffChannel(order.channel) && order.total > 0;
  return waits ? 'pending_payment' : 'placed';
}

/**
 * Whether an order is accepted when it is placed: staff entered it, or the shop accepts every order. A test order is
 * never accepted at once, because it must ring the board.
 */
export function isAcceptedAtOnce(
  { status, channel }: { status: OrderStatus; channel: OrderChannel },
  store: Pick<Store, 'auto_accept'>,
): boolean {
  return isUnanswered(status) && !isTestOrder({ channel }) && (isStaffChannel(channel) || store.auto_accept);
}

/** Whether an order is the owner's test of the board: nobody eats or pays for the food. */
export function isTestOrder({ channel }: { channel: OrderChannel }): boolean {
  return channel === 'test';
}

/** Whether no money moves for an order: it is a test order, or its latest payment used a test key or the sandbox. */
export function movesNoMoney(
  order: { channel: OrderChannel; payment_method: PaymentMethod },
  payment: { is_test: boolean | null } | null,
): boolean {
  return isTestOrder(order) || (order.payment_method === 'card' && payment?.is_test === true);
}

/** Whether staff enter the orders of a channel. Such orders are paid at the till and not at the provider. */
export function isStaffChannel(channel: OrderChannel): boolean {
  return channel === 'phone' || channel === 'counter' || channel === 'test';
}
