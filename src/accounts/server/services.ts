import type { BaseServices } from '#database/services.ts';
import type { MailConfig } from '#database/mail/mail.ts';
import type { ShopKeys, ShownStores } from '#store/server/services.ts';
import type { Outbox } from '#realtime/server/outbox.ts';
import type { Realtime } from '#realtime/server/realtime.ts';

/** What this domain's handlers and workers use; each names the part that it needs. */
export interface AccountServices extends Pick<BaseServices, 'clock' | 'db' | 'jobs' | 'log' | 'mail' | 'now'> {
  config: MailConfig & {
    publicUrl: string;
    OIDC_ISSUER?: string | undefined;
    OIDC_CLIENT_ID?: string | undefined;
    OIDC_CLIENT_SECRET?: string | undefined;
    OIDC_NAME?: string | undefined;
  };
  keySets: ShopKeys;
  menus: Pick<ShownStores, 'forget' | 'store'>;
  outbox: Outbox;
  realtime: Realtime;
}
