import type { Order, OrderChannel, OrderStatus, RejectReason } from '#ordering/order.ts';
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

/** Not calls of the API: a payment is authorised (or replaced by cash), and a payment expires after 30 minutes. */
export type SystemCall = 'authorised' | 'expire';

/** `system` is the shop itself: payments, deadlines, automatic acceptance. */
export type Actor = Role | 'system';

/**
 * The phase of an order: it waits for its payment, or for the shop's answer; the shop is working on it; the food was
 * handed over; or it ended without a sale.
 */
export type Stage = 'unpaid' | 'unanswered' | 'in_hand' | 'handed_over' | 'called_off';

export type TimeColumn = 'placed_at' | 'accepted_at' | 'packed_at' | 'left_at' | 'completed_at' | 'closed_at';

/** The column of the board for an order, unless its time or its ending says otherwise. */
export type BoardPlace = 'new' | 'kitchen' | 'ready' | 'done';

/** One transition from a status. */
export type Way = CallWay | SystemWay;

interface CallWay extends AnyWay {
  call: OrderCall;
  /** The step that the work leads to: at most one for an order. */
  isNext?: true;
}

interface SystemWay extends AnyWay {
  call: SystemCall;
  isNext?: never;
}

interface AnyWay {
  to: OrderStatus;
  by: readonly Actor[];
  /** An intermediate status that is recorded as a step of its own. */
  through?: OrderStatus;
  only?: FulfilmentType;
  /** Only for an order that was rejected for this reason. */
  because?: RejectReason;
  /** Milliseconds since the last step. */
  within?: number;
}

interface StatusRow {
  stage: Stage;
  /** null: not on the board. */
  board: BoardPlace | null;
  /** The time that is set when an order reaches it; undoing the step clears it. */
  stamps: TimeColumn | null;
  /** In the order of the work; for each call at most one is possible for an order. */
  ways: readonly Way[];
}

export const undoWithin = 2 * 60_000;

const staff = ['store_admin', 'admin'] as const;
const staffOrSystem = [...staff, 'system'] as const;

/** Everything that depends on a status, and every transition. */
export const statuses: Readonly<Record<OrderStatus, StatusRow>> = {
  pending_payment: {
    stage: 'unpaid',
    board: null,
    stamps: null,
    ways: [
      { call: 'authorised', to: 'placed', by: ['system'] },
      { call: 'expire', to: 'expired', by: ['system'] },
      { call: 'cancel', to: 'cancelled', by: ['customer', 'admin'] },
    ],
  },
  placed: {
    stage: 'unanswered',
    board: 'new',
    stamps: 'placed_at',
    ways: [
      { call: 'accept', to: 'accepted', by: staffOrSystem, isNext: true },
      { call: 'reject', to: 'rejected', by: staffOrSystem },
      { call: 'cancel', to: 'cancelled', by: ['customer', ...staff] },
    ],
  },
  accepted: {
    stage: 'in_hand',
    board: 'kitchen',
    stamps: 'accepted_at',
    ways: [
      { call: 'packed', to: 'packed', by: staff, isNext: true },
      { call: 'collected-by-driver', to: 'out_for_delivery', by: staff, only: 'delivery', through: 'packed' },
      { call: 'collected-by-customer', to: 'collected', by: staff, only: 'collection', through: 'packed' },
      { call: 'promise', to: 'accepted', by: staff },
      { call: 'cancel', to: 'cancelled', by: staff },
    ],
  },
  packed: {
    stage: 'in_hand',
    board: 'ready',
    stamps: 'packed_at',
    ways: [
      { call: 'collected-by-driver', to: 'out_for_delivery', by: staff, only: 'delivery', isNext: true },
      { call: 'collected-by-customer', to: 'collected', by: staff, only: 'collection', isNext: true },
      { call: 'promise', to: 'packed', by: staff },
      { call: 'undo', to: 'accepted', by: staff, within: undoWithin },
      { call: 'cancel', to: 'cancelled', by: staff },
    ],
  },
  out_for_delivery: {
    stage: 'in_hand',
    board: 'ready',
    stamps: 'left_at',
    ways: [
      { call: 'delivered-to-customer', to: 'delivered', by: staff, only: 'delivery', isNext: true },
      { call: 'undo', to: 'packed', by: staff, within: undoWithin },
      { call: 'cancel', to: 'cancelled', by: ['admin'] },
    ],
  },
  delivered: {
    stage: 'handed_over',
    board: 'done',
    stamps: 'completed_at',
    ways: [{ call: 'undo', to: 'out_for_delivery', by: staff, within: undoWithin }],
  },
  collected: {
    stage: 'handed_over',
    board: 'done',
    stamps: 'completed_at',
    ways: [{ call: 'undo', to: 'packed', by: staff, within: undoWithin }],
  },
  rejected: {
    stage: 'called_off',
    board: 'done',
    stamps: 'closed_at',
    ways: [{ call: 'followed-up', to: 'rejected', by: staff, because: 'not_answered' }],
  },
  cancelled: { stage: 'called_off', board: 'done', stamps: 'closed_at', ways: [] },
  expired: { stage: 'called_off', board: null, stamps: 'closed_at', ways: [] },
};

export type Transition = Way & { from: OrderStatus };

/** Every transition, with its start. */
export const transitions: readonly Transition[] = /* @__PURE__ */ everyWay();

/** The statuses in which the shop has work to do. */
export const openStatuses = /* @__PURE__ */ at('unanswered', 'in_hand');

/** The statuses of an order that is not finished: work, or waiting for its payment. */
export const unendedStatuses = /* @__PURE__ */ at('unpaid', 'unanswered', 'in_hand');

/** The final statuses. */
export const doneStatuses = /* @__PURE__ */ at('handed_over', 'called_off');

/** The statuses of an order that the shop accepted and that was not cancelled since. */
export const takenStatuses = /* @__PURE__ */ at('in_hand', 'handed_over');

export const handedOverStatuses = /* @__PURE__ */ at('handed_over');

/** The statuses of an order that ended without a sale. */
export const calledOffStatuses = /* @__PURE__ */ at('called_off');

/** Whether it is still open: waiting for the shop's answer, in the kitchen, or being delivered. */
export function isUnderWay(status: OrderStatus): boolean {
  return statuses[status].stage === 'unanswered' || isInHand(status);
}

/** Whether the shop accepted it and still has it. */
export function isInHand(status: OrderStatus): boolean {
  return statuses[status].stage === 'in_hand';
}

export function isHandedOver(status: OrderStatus): boolean {
  return statuses[status].stage === 'handed_over';
}

/** Whether the shop accepted it and nobody cancelled it since. */
export function isTaken(status: OrderStatus): boolean {
  return isInHand(status) || isHandedOver(status);
}

/** Whether it ended without a sale. */
export function isCalledOff(status: OrderStatus): boolean {
  return statuses[status].stage === 'called_off';
}

/** Whether staff may promise another time for it. */
export function canPromise(status: OrderStatus): boolean {
  return statuses[status].ways.some(({ call }) => call === 'promise');
}

/** The times that a call sets and clears, as steps from one status to the next. */
export function timesAfter<T>(
  call: OrderCall | SystemCall,
  steps: readonly { from: OrderStatus; to: OrderStatus }[],
  at: T,
): Partial<Record<TimeColumn, T | null>> {
  const times: Partial<Record<TimeColumn, T | null>> = {};
  for (const { from, to } of steps) {
    const column = statuses[call === 'undo' ? from : to].stamps;
    if (column && from !== to) times[column] = call === 'undo' ? null : at;
  }
  return times;
}

function at(...stages: Stage[]): readonly OrderStatus[] {
  const all = Object.keys(statuses) as OrderStatus[];
  return all.filter((status) => stages.includes(statuses[status].stage));
}

function everyWay(): Transition[] {
  return Object.entries(statuses).flatMap(([from, { ways }]) =>
    ways.map((way) => ({ ...way, from: from as OrderStatus })),
  );
}

/** Nobody answered it in time, and staff have not yet recorded what they did about it. */
export const lost = { status: 'rejected', reject_reason: 'not_answered', followed_up: null } as const;

export function isLost(order: Pick<Order, keyof typeof lost>): boolean {
  return (
    order.status === lost.status && order.reject_reason === lost.reject_reason && order.followed_up === lost.followed_up
  );
}

/** The first status of a new order: cash is placed immediately, a card waits for its payment, an order by staff is accepted. */
export function firstStatus(order: { channel: OrderChannel; payment_method: PaymentMethod }): OrderStatus {
  if (isStaffChannel(order.channel)) return 'accepted';
  return order.payment_method === 'cash' ? 'placed' : 'pending_payment';
}

/** Entered by staff: it is paid at the till and not through the provider. */
export function isStaffChannel(channel: OrderChannel): boolean {
  return channel === 'phone' || channel === 'counter';
}
