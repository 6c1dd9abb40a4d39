import type { SignInProviders } from '#accounts/server/social/providers.ts';
import type { TotpSecrets } from '#accounts/server/factors/factor-rows.ts';
import type { BaseServices } from '#database/services.ts';
import type { MailConfig, Sending } from '#mail/server/services.ts';
import type { InstallationKeys } from '#platform/server/secrets/installation-keys.ts';
import type { ShopKeys, CachedStores } from '#store/server/services.ts';
import type { Outbox } from '#realtime/server/outbox.ts';
import type { Realtime } from '#realtime/server/realtime.ts';

export interface AccountServices extends Pick<BaseServices, 'clock' | 'db' | 'jobs' | 'log' | 'now'>, Sending {
  config: MailConfig & { publicUrl: string; ADMIN_EMAIL?: string | undefined };
  installationKeys: InstallationKeys;
  keySets: ShopKeys;
  menus: Pick<CachedStores, 'forget' | 'store'>;
  outbox: Outbox;
  realtime: Realtime;
  signInProviders: SignInProviders;
  totpSecrets: TotpSecrets;
}
