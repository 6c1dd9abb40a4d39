import type { RestoredShop } from '#database/restores.ts';
import type { BaseServices } from '#database/services.ts';
import type { HasMailSender } from '#mail/server/services.ts';
import type { HistoryActor } from '#ordering/server/change-orders.ts';
import type {
  OrderPaymentEffects,
  OrderSqlParts,
  OrderPaymentCalls,
  OrderPrintEffects,
} from '#ordering/server/services.ts';
import type { AlertServices } from '#alerts/server/alert-owner.ts';
import type { InstallationKeys } from '#platform/server/secrets/installation-keys.ts';
import type { ShopCache } from '#shop/server/shop-cache.ts';
import type { KeySetCache } from '#payment/server/keys/key-sets.ts';
import type { Sandbox } from '#payment/server/sandbox/sandbox.ts';
import type { CardProviderName } from '#platform/card-providers.ts';
import type { Wallet } from '#store/wallets.ts';
import type { DueWork } from '#database/jobs/due-work.ts';
import type { PaymentMethod } from '#store/contract.ts';
import type { Outbox } from '#realtime/server/outbox.ts';

export interface PaymentServices extends Pick<BaseServices, 'db' | 'jobs' | 'log' | 'now'>, HasMailSender {
  config: {
    APP_URL?: string | undefined;
    ALERT_WEBHOOK_URL?: string | undefined;
    PAYMENT_SANDBOX: boolean;
    PORT: number;
    publicUrl: string;
  };
  admins: AlertServices['admins'];
  installationKeys: InstallationKeys;
  keySets: KeySetCache;
  menus: ShopCache;
  outbox: Outbox;
  owed: OrderPaymentEffects;
  prints: OrderPrintEffects;
  /** The state of a restored shop: while it is held, no provider is called. */
  restored: Pick<RestoredShop, 'isHeld'>;
}

export interface PaymentHandlerServices extends PaymentServices {
  orderParts: OrderSqlParts;
  payments: Payments;
}

export interface Payments extends OrderPaymentCalls {
  /**
   * Reconciles like `reconcile` of OrderPaymentCalls. `isWhole`: also reads disputes, and includes voided, failed and
   * refunded payments, because their refunds may have failed.
   */
  reconcile(orderId: string, isWhole?: boolean): Promise<void>;
  /** The wallets on the page of the provider; empty while it does not answer. */
  wallets(provider: CardProviderName): Promise<readonly Wallet[]>;
  /** Starts another attempt to pay a pending order, or an accepted one whose card was refused, by card or in cash. */
  payAgain(orderId: string, method: PaymentMethod, by?: HistoryActor): Promise<void>;
  /**
   * Stores a provider's webhook, to be handled soon. Throws `not_found` for an unknown provider, `invalid_signature`
   * for a wrong signature.
   */
  receiveWebhook(provider: string, rawBody: string, header: (name: string) => string | undefined): Promise<void>;
  /** Sweeps the due payments and refunds once; returns how many it checked. */
  sweep(): Promise<number>;
  /** Handles the stored events that are due; returns how many. */
  handleEvents(): Promise<number>;
  /**
   * The domain's due work: the sweep, unhandled events, journal chains, the daily reading of statements, and the
   * provider reads after a restore.
   */
  due: readonly DueWork[];
  /** Releases or refunds a payment whose order is not in the backup of a restored shop (`refundUnknownPayment`). */
  refundUnknownPayment(id: string): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
  sandbox: Sandbox;
}
