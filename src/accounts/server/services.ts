import type { SignInProviders } from '#accounts/server/social/providers.ts';
import type { TotpSecrets } from '#accounts/server/factors/factor-rows.ts';
import type { BaseServices } from '#database/services.ts';
import type { MailConfig, HasMailSender } from '#mail/server/services.ts';
import type { InstallationKeys } from '#platform/server/secrets/installation-keys.ts';
import type { ShopCardKeyReads, StoreCache } from '#store/server/services.ts';
import type { Outbox } from '#realtime/server/outbox.ts';
import type { RealtimeServer } from '#realtime/server/realtime.ts';

export interface AccountServices extends Pick<BaseServices, 'clock' | 'db' | 'jobs' | 'log' | 'now'>, HasMailSender {
  config: MailConfig & { publicUrl: string; ADMIN_EMAIL?: string | undefined };
  installationKeys: InstallationKeys;
  keySets: ShopCardKeyReads;
  menus: Pick<StoreCache, 'forget' | 'store'>;
  outbox: Outbox;
  realtime: RealtimeServer;
  signInProviders: SignInProviders;
  totpSecrets: TotpSecrets;
}
