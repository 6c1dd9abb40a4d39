import type { OrderPushKind } from '#database/column-values.ts';
import type { OrderMailKind } from '#database/mail-values.ts';
import type { OrderStatus, RejectReason } from '#ordering/order.ts';
import type { Role } from '#platform/http/viewer.ts';
import type { FulfilmentType } from '#store/contract.ts';

/** The calls about an order's progress, as in the paths of the API: `POST /v1/orders/{id}/{call}`. */
export type OrderCall = StaffCall | CustomerCall;
/** The calls that only an order's customer can make. */
export type CustomerCall = 'arrived' | 'rating';
export type StaffCall =
  | 'accept'
  | 'reject'
  | 'packed'
  | 'collected-by-driver'
  | 'collected-by-customer'
  | 'delivered-to-customer'
  | 'promise'
  | 'lines/remove'
  | 'lines/done'
  | 'undo'
  | 'cancel'
  | 'followed-up';

/**
 * The system's own calls, which are not in the API. `authorised`: a payment was approved, or replaced by cash.
 * `expire`: no payment was made in time.
 */
export type SystemCall = 'authorised' | 'expire';

/** A caller. `system` is the server, which acts after payments, at deadlines, and when it accepts automatically. */
export type Actor = Role | 'system';

/**
 * The phase of an order. `unpaid`: it waits for its payment. `unanswered`: it waits for the shop's answer. `in_hand`:
 * the shop is making or delivering it. `handed_over`: the customer has the food. `called_off`: it ended without a sale.
 */
export type OrderStage = 'unpaid' | 'unanswered' | 'in_hand' | 'handed_over' | 'called_off';

export type TimeColumn = 'placed_at' | 'accepted_at' | 'packed_at' | 'left_at' | 'completed_at' | 'closed_at';

export type BoardColumn = 'new' | 'kitchen' | 'ready' | 'done';

export type OutgoingTransition = StaffWay | OtherWay;

interface StaffWay extends AnyWay {
  call: StaffCall;
  /** Set if this is the usual next step. A status has at most one such transition for each fulfilment type. */
  isNext?: true;
}

interface OtherWay extends AnyWay {
  call: SystemCall | CustomerCall;
  isNext?: never;
}

interface AnyWay {
  to: OrderStatus;
  by: readonly Actor[];
  /** A status between the old status and `to`. The history records the transition as two steps. */
  through?: OrderStatus;
  only?: FulfilmentType;
  /** The reject reason that the order must have for the call; if missing, any order fits. */
  because?: RejectReason;
  /** The call is possible only within this many milliseconds after the last step; if missing, at any time. */
  within?: number;
}

export interface StatusDeadline {
  column: 'answer_by' | 'expires_at';
  call: 'reject' | 'expire';
  rejectReason?: RejectReason;
}

export interface StatusRow {
  stage: OrderStage;
  /** The order's column on the board; null if the board does not show it. */
  board: BoardColumn | null;
  /**
   * The time column that is set when an order reaches the status, and cleared when that step is undone; null: there is
   * none.
   */
  stamps: TimeColumn | null;
  mail: OrderMailKind | null;
  /** The push news when an order reaches the status; null: none. A delivery has no news when it is packed. */
  push: OrderPushKind | null;
  /**
   * The kind of reason for a step to the status. `listed`: a reject reason. `text`: a CancelReason or free text. null:
   * no reason.
   */
  reason: 'listed' | 'text' | null;
  deadline: StatusDeadline | null;
  /**
   * The transitions from the status, in the order in which staff make them. For each call, at most one transition fits
   * an order.
   */
  ways: readonly OutgoingTransition[];
}
