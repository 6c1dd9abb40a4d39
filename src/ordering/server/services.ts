import type { RawBuilder, Selectable } from 'kysely';
import type { BaseServices } from '#database/services.ts';
import type { MailConfig, HasMailSender } from '#mail/server/services.ts';
import type { Db, OrdersTable, PaymentsTable, RefundsView, Tx } from '#database/schema.ts';
import type { WantedRemoval } from '#ordering/remove-lines.ts';
import type { RefundOfOrder } from '#ordering/payment-status.ts';
import type { RemovedLine } from '#ordering/order.ts';
import type { OrderSessionCipher } from '#ordering/server/order-sessions.ts';
import type { PrintViewRow } from '#ordering/server/present-print.ts';
import type { ClientAddressReader } from '#platform/server/client-address.ts';
import type { PushSenderConfig } from '#push/server/push.ts';
import type { ShopCache } from '#shop/server/shop-cache.ts';
import type { Outbox } from '#realtime/server/outbox.ts';

export interface OrderServices extends Pick<BaseServices, 'clock' | 'db' | 'jobs' | 'log' | 'now'>, HasMailSender {
  clients: Pick<ClientAddressReader, 'recordUnnamedClient'>;
  config: MailConfig & { publicUrl: string };
  menus: ShopCache;
  /** The secret key of the digests of networks. Without it, nobody can find a network by its digest. */
  networkKey: string;
  orderParts: OrderSqlParts;
  orderSessions: OrderSessionCipher;
  outbox: Outbox;
  owed: OrderPaymentEffects;
  payments: OrderPaymentCalls;
  prints: OrderPrintEffects;
  push: PushSenderConfig;
}

type OrderRow = Selectable<OrdersTable>;

/**
 * Reads data that is stored outside of the order's row: SQL expressions for statements on `orders`, and functions for
 * data that needs a call.
 */
export interface OrderSqlParts {
  prints: RawBuilder<PrintViewRow[]>;
  latestPaymentSql: RawBuilder<Selectable<PaymentsTable> | null>;
  refunds: RawBuilder<OrderRefundRow[]>;
  /** Reads the problem and the due amount of failed refunds. The map's keys are the refunds' ids. */
  failedRefunds(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, FailedRefund>>;
  openSession: OrderSessionCipher['open'];
}

/** A refund as the order's SQL reads it. `id` is null for a charge that the payer's bank took back. */
export type OrderRefundRow = RefundOfOrder & { id: string | null };
export type FailedRefund = Pick<RefundOfOrder, 'amount' | 'problem'>;

/**
 * The functions by which the ordering domain uses the payment domain. They are passed in, because the payment domain
 * imports the ordering domain.
 */
export interface OrderPaymentCalls {
  /** Opens the provider's payment page for a pending order, after the order's commit. Returns the page's address. */
  begin(orderId: string): Promise<string>;
  /**
   * Asks the provider for the state of the order's payments, and applies that state. Throws `payment_unavailable` if
   * the provider cannot be reached.
   */
  reconcile(orderId: string): Promise<void>;
  /** Reads a refund for its mail; undefined if it does not exist. */
  readRefund(db: Db, id: string): Promise<Selectable<RefundsView> | undefined>;
}

/** The payment work that an order's steps cause. Each function runs in the transaction of the step. */
export interface OrderPaymentEffects {
  capture(tx: Tx, order: OrderRow): Promise<void>;
  release(tx: Tx, order: OrderRow): Promise<void>;
  /**
   * Refunds the part of a payment that exceeds the order's total after lines were removed. Throws 422 on `lines` with
   * the quantity that can be removed, if earlier refunds allow only some of the pieces. Throws `conflict` if earlier
   * refunds no longer fit the order, or if the new total is above 0 but below the minimum of a card charge.
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
  /** Erases the reasons that people typed for refunds of these orders; the refunds stay. */
  forget(tx: Tx, orderIds: readonly string[]): Promise<void>;
}

/** The prints that an order's steps cause. Each function runs in the transaction of the step. */
export interface OrderPrintEffects {
  /**
   * Queues the prints of an accepted order. The kitchen receipt is due at `kitchenDueAt`, if that is later than `now`.
   */
  accepted(tx: Tx, request: { order: OrderRow; now: Date; kitchenDueAt: Date | null }): Promise<void>;
  /** Opens the cash drawer when an order's cash was recorded, once for each order. */
  cashRecorded(tx: Tx, request: { order: OrderRow; now: Date }): Promise<void>;
  /**
   * Ends the unprinted kitchen receipts of an order that was handed over or called off. For a called-off order it
   * prints a slip on each printer that printed the order.
   */
  ended(tx: Tx, request: { order: OrderRow; now: Date }): Promise<void>;
  /**
   * Reschedules the unprinted kitchen receipts after a new promise. Printers that are set to print promises print a
   * slip with the new time.
   */
  promised(tx: Tx, request: { order: OrderRow; now: Date; kitchenDueAt: Date | null }): Promise<void>;
  /**
   * Reprints the receipts that were printed before lines were removed. A kitchen receipt is reprinted only if it has a
   * removed line.
   */
  changed(tx: Tx, request: { order: OrderRow; now: Date; removed: readonly RemovedLine[] }): Promise<void>;
  /**
   * Erases the content of these orders' prints, because the content names the customer. The rows stay, so that prints
   * can be counted.
   */
  forget(tx: Tx, orderIds: readonly string[]): Promise<void>;
  /**
   * Erases people's names from the prints of drafts, which belong to no order. All ended drafts lose their content; a
   * draft that has not ended is deleted if it contains one of `names`.
   */
  forgetDrafts(tx: Tx, names: readonly string[]): Promise<void>;
}
