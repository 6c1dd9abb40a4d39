import type { RestoredShop } from '#database/restores.ts';
import { hasMailServer } from '#mail/server/services.ts';
import type { PageData } from '#storefront/page-data.ts';
import type { PageConfig } from '#storefront/server/services.ts';
import type { SignInProviders } from '#accounts/server/social/providers.ts';
import type { Db, Tx } from '#database/schema.ts';
import type { Handlers } from '#platform/http/serve.ts';
import type { RealtimeServer } from '#realtime/server/realtime.ts';
import type { storefrontEndpoints } from '#storefront/contract.ts';

/** The config of every page, without the sign-in providers, which may change while the server runs. */
export function browserConfig(
  config: PageConfig,
  key: string,
  epoch: string | null,
): Omit<PageData['config'], 'signIn'> {
  const api = config.API_URL ? new URL(config.API_URL) : null;
  const port = api ? Number(api.port) || (api.protocol === 'https:' ? 443 : 80) : 0;
  return {
    apiUrl: api ? api.href.replace(/\/$/, '') : '',
    publicUrl: config.APP_URL ? new URL(config.APP_URL).origin : null,
    ...(epoch !== null && { epoch }),
    storeName: config.STORE_NAME ?? null,
    map: config.MAP_TILES_URL
      ? { url: config.MAP_TILES_URL, attribution: config.MAP_ATTRIBUTION ?? openStreetMap }
      : null,
    sendsMail: hasMailServer(config),
    ...(config.ADDRESS_LOOKUP_URL && { findsAddresses: true }),
    realtime: { key, host: api?.hostname ?? '', port, cluster: 'mt1' },
  };
}

const openStreetMap =
  '© <a href="https://www.openstreetmap.org/copyright" target="_blank" rel="noreferrer">OpenStreetMap</a>';

interface PageConfigServices {
  config: PageConfig;
  realtime: Pick<RealtimeServer, 'key'>;
  restored: Pick<RestoredShop, 'epoch'>;
  signInProviders: Pick<SignInProviders, 'choices'>;
}

export function pageConfigHandlers(services: PageConfigServices): Handlers<typeof storefrontEndpoints, Db, Tx> {
  const { config, realtime, restored, signInProviders } = services;
  return {
    'GET /v1/page-config': async () => ({
      data: { ...browserConfig(config, realtime.key, restored.epoch), signIn: signInProviders.choices() },
    }),
  };
}
