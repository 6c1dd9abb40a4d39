import type { SignInProviders } from '#accounts/server/social/providers.ts';
import type { Db, Tx } from '#database/schema.ts';
import type { Handlers } from '#platform/http/serve.ts';
import type { Realtime } from '#realtime/server/realtime.ts';
import type { storefront } from '#storefront/contract.ts';
import { browserConfig } from '#storefront/server/browser-config.ts';
import type { PageConfig } from '#storefront/server/services.ts';

interface PageConfigServices {
  config: PageConfig;
  realtime: Pick<Realtime, 'key'>;
  signInProviders: Pick<SignInProviders, 'choices'>;
}

export function pageConfigHandlers(services: PageConfigServices): Handlers<typeof storefront, Db, Tx> {
  const { config, realtime, signInProviders } = services;
  return {
    'GET /v1/page-config': async () => ({
      data: { ...browserConfig(config, realtime.key), signIn: signInProviders.choices() },
    }),
  };
}
