import type { RawBuilder, Selectable } from 'kysely';
import type { BaseServices } from '#database/services.ts';
import type { MailConfig, Sending } from '#mail/server/services.ts';
import type { Db, OrdersTable, PaymentsTable, RefundsView, Tx } from '#database/schema.ts';
import type { WantedRemoval } from '#ordering/remove-lines.ts';
import type { RefundOfOrder } from '#ordering/payment-status.ts';
import type { RemovedLine } from '#ordering/order.ts';
import type { OrderSessions } from '#ordering/server/order-sessions.ts';
import type { PrintViewRow } from '#ordering/server/present-print.ts';
import type { Clients } from '#platform/server/client-address.ts';
import type { PushSender } from '#push/server/push.ts';
import type { ShopCache } from '#shop/server/shop-cache.ts';
import type { Outbox } from '#realtime/server/outbox.ts';

/** The services of this domain's handlers and workers; each names the part that it needs. */
export interface OrderServices extends Pick<BaseServices, 'clock' | 'db' | 'jobs' | 'log' | 'now'>, Sending {
  clients: Pick<Clients, 'noteUnnamed'>;
  config: MailConfig & { publicUrl: string };
  menus: ShopCache;
  /** The key of the networks' digests, so that an order's origin cannot be read. */
  networkKey: string;
  orderParts: OrderParts;
  orderSessions: OrderSessions;
  outbox: Outbox;
  owed: OrderOwed;
  payments: OrderPayments;
  prints: OrderPrints;
  push: PushSender;
}

type OrderRow = Selectable<OrdersTable>;

/** Data of other domains shown with an order: parts of the statement that reads it, each for its `orders`. */
export interface OrderParts {
  /** Oldest first. */
  prints: RawBuilder<PrintViewRow[]>;
  latestPayment: RawBuilder<Selectable<PaymentsTable> | null>;
  refunds: RawBuilder<FoundRefund[]>;
  /** The untold parts of failed `refunds`, by their ids. */
  failedRefunds(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, FailedRefund>>;
  openSession: OrderSessions['open'];
}

/** `id` is null for money that the payer's bank took back. */
export type FoundRefund = RefundOfOrder & { id: string | null };
export type FailedRefund = Pick<RefundOfOrder, 'amount' | 'problem'>;

/** The orders' needs of payments, which depend on orders and are passed in. */
export interface OrderPayments {
  /** Opens the provider's page for a pending order, after the order's commit, and returns its address. */
  begin(orderId: string): Promise<string>;
  /** Asks the provider for the state of the order's payments and applies it. Throws `payment_unavailable` in an outage. */
  reconcile(orderId: string): Promise<void>;
  /** The data of a refund for its mail. */
  readRefund(db: Db, id: string): Promise<Selectable<RefundsView> | undefined>;
}

/** The payment work of an order's steps, each in the transaction of the step. */
export interface OrderOwed {
  /** Captures an accepted order's authorised money. */
  capture(tx: Tx, order: OrderRow): Promise<void>;
  /** Releases everything that an ended order has at the provider. */
  release(tx: Tx, order: OrderRow): Promise<void>;
  /**
   * Refunds the excess of an order's payment over its price since staff took dishes off it. Throws `conflict` if more
   * of it was refunded than is left, or 422 on `lines` with how many of them can still go.
   */
  lower(
    tx: Tx,
    change: {
      before: OrderRow;
      order: OrderRow;
      lines: readonly WantedRemoval[];
      by: { actor: string; actorId: string | null };
    },
  ): Promise<void>;
  /** Removes people's words about the refunds of these orders. The refunds stay. */
  forget(tx: Tx, orderIds: readonly string[]): Promise<void>;
}

/** The prints of an order's steps, each in the transaction of the step. */
export interface OrderPrints {
  /** The prints at acceptance; the kitchen receipt at `kitchenDueAt`, if that is later than `now`. */
  accepted(tx: Tx, request: { order: OrderRow; now: Date; kitchenDueAt: Date | null }): Promise<void>;
  /** Cash was recorded for an order: the drawer opens, once for each order. */
  cashRecorded(tx: Tx, request: { order: OrderRow; now: Date }): Promise<void>;
  /**
   * The order was handed over or called off: the kitchen needs no copy any more. A slip tells the holders of a paper
   * that it was called off.
   */
  ended(tx: Tx, request: { order: OrderRow; now: Date }): Promise<void>;
  /** Another time is promised: the kitchen's waiting copies move to it, and those who want it are told of it on a slip. */
  promised(tx: Tx, request: { order: OrderRow; now: Date; kitchenDueAt: Date | null }): Promise<void>;
  /** Prints the copies again that were printed before `removed` went; of the kitchen's only those with some of it. */
  changed(tx: Tx, request: { order: OrderRow; now: Date; removed: readonly RemovedLine[] }): Promise<void>;
  /** Removes the content of their prints, because the paper names the person too. The prints stay counted. */
  forget(tx: Tx, orderIds: readonly string[]): Promise<void>;
  /** Papers of unsaved baskets belong to no order: all that have ended lose their content, and those with a name go. */
  forgetDrafts(tx: Tx, names: readonly string[]): Promise<void>;
}
