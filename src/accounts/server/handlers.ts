import type { accountEndpoints, setupEndpoints } from '#accounts/contract.ts';
import type { factorEndpoints } from '#accounts/factor-contract.ts';
import type { deviceEndpoints } from '#accounts/device-contract.ts';
import type { signInProviderEndpoints, socialSignInEndpoints } from '#accounts/provider-contract.ts';
import { accountHandlers } from '#accounts/server/account-handlers.ts';
import { deviceHandlers } from '#accounts/server/devices/device-handlers.ts';
import { factorHandlers } from '#accounts/server/factors/factor-handlers.ts';
import { signInToAccount } from '#accounts/server/sign-ins.ts';
import { signInHandlers } from '#accounts/server/sign-in-handlers.ts';
import { checkSetup, isOwnerNeeded, refuseSecondSetup, setUpShop } from '#accounts/server/set-up-shop.ts';
import { signInProviderHandlers } from '#accounts/server/social/provider-handlers.ts';
import { socialHandlers } from '#accounts/server/social/social-handlers.ts';
import { createSocialSignIn } from '#accounts/server/social/social-sign-in.ts';
import { recordHasHadShop } from '#database/data-version.ts';
import type { Db, Tx } from '#database/schema.ts';
import type { EarlyChecks, Handlers } from '#platform/http/serve.ts';
import type { AccountServices } from '#accounts/server/services.ts';

/** The checks before a body is read: setup is refused once a shop or an owner exists. */
export const accountsEarlyChecks: EarlyChecks<typeof setupEndpoints, Db> = {
  'POST /v1/setup': refuseSecondSetup,
};

export function accountsHandlers(
  services: Pick<
    AccountServices,
    | 'config'
    | 'db'
    | 'installationKeys'
    | 'jobs'
    | 'keySets'
    | 'log'
    | 'mail'
    | 'menus'
    | 'now'
    | 'outbox'
    | 'realtime'
    | 'signInProviders'
    | 'totpSecrets'
  >,
): Handlers<
  typeof accountEndpoints &
    typeof factorEndpoints &
    typeof socialSignInEndpoints &
    typeof signInProviderEndpoints &
    typeof deviceEndpoints &
    typeof setupEndpoints,
  Db,
  Tx
> {
  const socialSignIn = createSocialSignIn(services);
  return {
    ...signInHandlers(services),
    ...accountHandlers(services),
    ...factorHandlers(services),
    ...socialHandlers(services, socialSignIn),
    ...signInProviderHandlers(services, socialSignIn),
    ...deviceHandlers(services),

    'GET /v1/setup': async ({ db }) => ({ data: { is_needed: await isOwnerNeeded(db) } }),

    'POST /v1/setup': async (call) => {
      await checkSetup(services, call.body, call);
      const user = await setUpShop(services, call.body, call.now);
      await recordHasHadShop(services.config.dataDir).catch((error: unknown) =>
        services.log.warn({ err: error }, 'the data folder could not be marked'),
      );
      return signInToAccount(services, call.db, user, call, 'beginning');
    },
  };
}
