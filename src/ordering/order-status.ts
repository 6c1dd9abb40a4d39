import type { Order, OrderStatus } from '#ordering/order.ts';
import type { OrderCall, OrderStage, StatusRow, OutgoingTransition } from '#ordering/status-row.ts';

export const undoTimeLimitMs = 2 * 60_000;
/**
 * The time limit for a rating, in milliseconds after the handover: 30 days. After that, customers hardly remember the
 * food.
 */
export const ratingTimeLimitMs = 30 * 24 * 60 * 60_000;

const staff = ['store_admin', 'admin'] as const;
const staffOrSystem = [...staff, 'system'] as const;

export const orderStatusTable: Readonly<Record<OrderStatus, StatusRow>> = {
  pending_payment: {
    stage: 'unpaid',
    board: null,
    stamps: null,
    mail: null,
    push: null,
    reason: null,
    deadline: { column: 'expires_at', call: 'expire' },
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
    mail: 'placed',
    push: null,
    reason: null,
    deadline: { column: 'answer_by', call: 'reject', rejectReason: 'not_answered' },
    ways: [
      { call: 'accept', to: 'accepted', by: staffOrSystem, isNext: true },
      { call: 'reject', to: 'rejected', by: staffOrSystem },
      { call: 'lines/remove', to: 'placed', by: staff },
      { call: 'cancel', to: 'cancelled', by: ['customer', ...staff] },
    ],
  },
  accepted: {
    stage: 'in_hand',
    board: 'kitchen',
    stamps: 'accepted_at',
    mail: 'accepted',
    push: 'accepted',
    reason: null,
    deadline: null,
    ways: [
      { call: 'packed', to: 'packed', by: staff, isNext: true },
      { call: 'collected-by-driver', to: 'out_for_delivery', by: staff, only: 'delivery', through: 'packed' },
      { call: 'collected-by-customer', to: 'collected', by: staff, only: 'collection', through: 'packed' },
      { call: 'promise', to: 'accepted', by: staff },
      { call: 'lines/remove', to: 'accepted', by: staff },
      { call: 'lines/done', to: 'accepted', by: staff },
      { call: 'arrived', to: 'accepted', by: ['customer'], only: 'collection' },
      { call: 'cancel', to: 'cancelled', by: staff },
    ],
  },
  packed: {
    stage: 'in_hand',
    board: 'ready',
    stamps: 'packed_at',
    mail: 'ready',
    push: 'ready',
    reason: null,
    deadline: null,
    ways: [
      { call: 'collected-by-driver', to: 'out_for_delivery', by: staff, only: 'delivery', isNext: true },
      { call: 'collected-by-customer', to: 'collected', by: staff, only: 'collection', isNext: true },
      { call: 'promise', to: 'packed', by: staff },
      { call: 'lines/remove', to: 'packed', by: staff },
      { call: 'lines/done', to: 'packed', by: staff },
      { call: 'arrived', to: 'packed', by: ['customer'], only: 'collection' },
      { call: 'undo', to: 'accepted', by: staff, within: undoTimeLimitMs },
      { call: 'cancel', to: 'cancelled', by: staff },
    ],
  },
  out_for_delivery: {
    stage: 'in_hand',
    board: 'ready',
    stamps: 'left_at',
    mail: 'on_its_way',
    push: 'on_its_way',
    reason: null,
    deadline: null,
    ways: [
      { call: 'delivered-to-customer', to: 'delivered', by: staff, only: 'delivery', isNext: true },
      { call: 'undo', to: 'packed', by: staff, within: undoTimeLimitMs },
      { call: 'cancel', to: 'cancelled', by: ['admin'] },
    ],
  },
  delivered: {
    stage: 'handed_over',
    board: 'done',
    stamps: 'completed_at',
    mail: 'receipt',
    push: null,
    reason: null,
    deadline: null,
    ways: [
      { call: 'undo', to: 'out_for_delivery', by: staff, within: undoTimeLimitMs },
      { call: 'rating', to: 'delivered', by: ['customer'], within: ratingTimeLimitMs },
    ],
  },
  collected: {
    stage: 'handed_over',
    board: 'done',
    stamps: 'completed_at',
    mail: 'receipt',
    push: null,
    reason: null,
    deadline: null,
    ways: [
      { call: 'undo', to: 'packed', by: staff, within: undoTimeLimitMs },
      { call: 'rating', to: 'collected', by: ['customer'], within: ratingTimeLimitMs },
    ],
  },
  rejected: {
    stage: 'called_off',
    board: 'done',
    stamps: 'closed_at',
    mail: 'rejected',
    push: 'rejected',
    reason: 'listed',
    deadline: null,
    ways: [{ call: 'followed-up', to: 'rejected', by: staff, because: 'not_answered' }],
  },
  cancelled: {
    stage: 'called_off',
    board: 'done',
    stamps: 'closed_at',
    mail: 'cancelled',
    push: 'cancelled',
    reason: 'text',
    deadline: null,
    ways: [],
  },
  expired: {
    stage: 'called_off',
    board: null,
    stamps: 'closed_at',
    mail: null,
    push: null,
    reason: null,
    deadline: null,
    ways: [],
  },
};

export type Transition = OutgoingTransition & { from: OrderStatus };

export const statusTransitions: readonly Transition[] = /* @__PURE__ */ everyWay();

export const orderDeadlines = /* @__PURE__ */ everyStatus().flatMap((status) => {
  const { deadline } = orderStatusTable[status];
  return deadline ? [{ status, ...deadline }] : [];
});

export const unansweredStatuses = /* @__PURE__ */ statusesInStages('unanswered');

export const inHandStatuses = /* @__PURE__ */ statusesInStages('in_hand');

/** The statuses in which the shop must act. */
export const openStatuses = /* @__PURE__ */ statusesInStages('unanswered', 'in_hand');

export const kitchenStatuses = /* @__PURE__ */ everyStatus().filter(isInKitchen);

/** The statuses of an unfinished order: the shop must act, or the order waits for its payment. */
export const unfinishedStatuses = /* @__PURE__ */ statusesInStages('unpaid', 'unanswered', 'in_hand');

export const doneStatuses = /* @__PURE__ */ statusesInStages('handed_over', 'called_off');

export const acceptedStatuses = /* @__PURE__ */ statusesInStages('in_hand', 'handed_over');

export const handedOverStatuses = /* @__PURE__ */ statusesInStages('handed_over');

export const calledOffStatuses = /* @__PURE__ */ statusesInStages('called_off');

export const textReasonStatuses = /* @__PURE__ */ everyStatus().filter(
  (status) => orderStatusTable[status].reason === 'text',
);

function isAt(stage: OrderStage): (status: OrderStatus) => boolean {
  return (status) => orderStatusTable[status].stage === stage;
}

export const isAwaitingPayment = /* @__PURE__ */ isAt('unpaid');
export const isUnanswered = /* @__PURE__ */ isAt('unanswered');
export const isInHand = /* @__PURE__ */ isAt('in_hand');
export const isHandedOver = /* @__PURE__ */ isAt('handed_over');
export const isCalledOff = /* @__PURE__ */ isAt('called_off');

export function isUnderWay(status: OrderStatus): boolean {
  return isUnanswered(status) || isInHand(status);
}

/** Whether the shop accepted an order and nobody cancelled it since. */
export function isAccepted(status: OrderStatus): boolean {
  return isInHand(status) || isHandedOver(status);
}

/** Whether an order was not paid in time. Its customer may still want it. */
export function isExpired(status: OrderStatus): boolean {
  return status === 'expired';
}

/** Whether the kitchen has an order: it is accepted, and not packed yet. */
export function isInKitchen(status: OrderStatus): boolean {
  return orderStatusTable[status].board === 'kitchen';
}

export function statusAllowsCall(status: OrderStatus, call: OrderCall): boolean {
  return orderStatusTable[status].ways.some((way) => way.call === call);
}

function statusesInStages(...stages: OrderStage[]): readonly OrderStatus[] {
  return everyStatus().filter((status) => stages.includes(orderStatusTable[status].stage));
}

function everyStatus(): OrderStatus[] {
  return Object.keys(orderStatusTable) as OrderStatus[];
}

function everyWay(): Transition[] {
  return Object.entries(orderStatusTable).flatMap(([from, { ways }]) =>
    ways.map((way) => ({ ...way, from: from as OrderStatus })),
  );
}

/** The values by which a lost order is found: nobody answered it in time, and staff have recorded no follow-up. */
export const lostOrderFields = { status: 'rejected', reject_reason: 'not_answered', followed_up: null } as const;

export function isLost(order: Pick<Order, keyof typeof lostOrderFields>): boolean {
  return (
    order.status === lostOrderFields.status &&
    order.reject_reason === lostOrderFields.reject_reason &&
    order.followed_up === lostOrderFields.followed_up
  );
}
