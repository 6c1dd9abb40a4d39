import type { RawBuilder, Selectable } from 'kysely';
import type { BaseServices } from '#database/services.ts';
import type { Db, OrdersTable, PaymentsTable, PrintsTable, RefundsTable, Tx } from '#database/schema.ts';
import type { ShopCache } from '#shop/server/shop-cache.ts';
import type { PaymentMethod } from '#store/contract.ts';
import type { Outbox } from '#realtime/server/outbox.ts';

/** What this domain's handlers and workers work with; each names the part that it takes. */
export interface OrderServices extends BaseServices {
  config: { APP_URL?: string | undefined; publicUrl: string };
  menus: ShopCache;
  orderParts: OrderParts;
  outbox: Outbox;
  owed: OrderOwed;
  payments: OrderPayments;
  prints: OrderPrints;
}

type OrderRow = Selectable<OrdersTable>;

/** What is shown with an order and is other domains': parts of the statement that reads it, each for its `orders`. */
export interface OrderParts {
  /** Oldest first. */
  prints: RawBuilder<Selectable<PrintsTable>[]>;
  latestPayment: RawBuilder<Selectable<PaymentsTable> | null>;
}

/** What an order asks of its payments, which know orders and are handed in. */
export interface OrderPayments {
  /** Opens the provider's page for a pending order, after the order's commit, and answers its address. */
  begin(orderId: string): Promise<string>;
  /** Asks the provider how the order's payments stand and follows it. Throws `payment_unavailable` in an outage. */
  reconcile(orderId: string): Promise<void>;
  /** Another try to pay a pending order, by card or in cash. */
  payAgain(orderId: string, method: PaymentMethod): Promise<void>;
  /** What a mail about it tells. */
  readRefund(db: Db, id: string): Promise<Selectable<RefundsTable> | undefined>;
}

/** What an order's steps owe to its payments, each in the transaction of the step. */
export interface OrderOwed {
  /** The taking of an accepted order's authorised money. */
  capture(tx: Tx, order: OrderRow): Promise<void>;
  /** The release of whatever an ended order has at the provider. */
  release(tx: Tx, order: OrderRow): Promise<void>;
}

/** What an order's steps have printed, each in the transaction of the step. */
export interface OrderPrints {
  /** What accepting prints; the kitchen's copy at `kitchenDueAt`, where that is later than `now`. */
  accepted(tx: Tx, request: { order: OrderRow; now: Date; kitchenDueAt: Date | null }): Promise<void>;
  /** The kitchen's copies that still wait come out at another time. */
  move(tx: Tx, orderId: string, now: Date, kitchenDueAt: Date | null): Promise<void>;
  /** Takes out what was printed of them: the paper names the person too. That it was printed stays counted. */
  forget(tx: Tx, orderIds: readonly string[]): Promise<void>;
}
