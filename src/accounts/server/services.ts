import type { BaseServices } from '#database/services.ts';
import type { MailConfig } from '#database/mail/mail.ts';
import type { Tx } from '#database/schema.ts';
import type { ShownStores } from '#store/server/services.ts';
import type { Outbox } from '#realtime/server/outbox.ts';
import type { Realtime } from '#realtime/server/realtime.ts';

/** What this domain's handlers and workers work with; each names the part that it takes. */
export interface AccountServices extends BaseServices {
  config: MailConfig & {
    publicUrl: string;
    OIDC_ISSUER?: string | undefined;
    OIDC_CLIENT_ID?: string | undefined;
    OIDC_CLIENT_SECRET?: string | undefined;
    OIDC_NAME?: string | undefined;
  };
  menus: Pick<ShownStores, 'forget' | 'store'>;
  orders: PersonOrders;
  outbox: Outbox;
  realtime: Realtime;
}

/** What forgetting a person asks of their orders, which know accounts and are handed in. */
export interface PersonOrders {
  /** Whether an order of theirs is not over yet. */
  hasOpen(tx: Tx, userId: string): Promise<boolean>;
  /** Takes the person out of their orders, which stay as sales: lines, prices and times. */
  forget(tx: Tx, userId: string): Promise<void>;
}
