import type { BaseServices } from '#database/services.ts';
import type { MailConfig } from '#database/mail/mail.ts';
import type { Tx } from '#database/schema.ts';
import type { ShopKeys, ShownStores } from '#store/server/services.ts';
import type { Outbox } from '#realtime/server/outbox.ts';
import type { Realtime } from '#realtime/server/realtime.ts';

/** What this domain's handlers and workers use; each names the part that it needs. */
export interface AccountServices extends BaseServices {
  config: MailConfig & {
    publicUrl: string;
    OIDC_ISSUER?: string | undefined;
    OIDC_CLIENT_ID?: string | undefined;
    OIDC_CLIENT_SECRET?: string | undefined;
    OIDC_NAME?: string | undefined;
  };
  keySets: ShopKeys;
  menus: Pick<ShownStores, 'forget' | 'store'>;
  orders: PersonOrders;
  outbox: Outbox;
  realtime: Realtime;
}

/** What forgetting a person needs of their orders, which depend on accounts and are passed in. */
export interface PersonOrders {
  /** Whether one of their orders is open. */
  hasOpen(tx: Tx, userId: string): Promise<boolean>;
  /** Removes the person from their orders, which stay as sales: lines, prices and times. */
  forget(tx: Tx, userId: string): Promise<void>;
}
