import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import { m } from '#messages';
import { deviceName } from '#accounts/device-name.ts';
import type { factors } from '#accounts/factor-contract.ts';
import { enterAccount, userAgentOf } from '#accounts/server/enter-account.ts';
import { changeFactors, type FactorServices, siteFor } from '#accounts/server/factors/factor-calls.ts';
import { factorsOf } from '#accounts/server/factors/factor-rows.ts';
import {
  addPasskey,
  assertionIn,
  beginPasskey,
  beginPasskeySignIn,
  takePasskey,
  verifyNewPasskey,
} from '#accounts/server/factors/passkeys.ts';
import { shopNameOf } from '#accounts/server/shop-name.ts';
import { countAttempt, forgiveAttempt } from '#accounts/server/throttle.ts';
import { findUser, ownRow } from '#accounts/server/users.ts';
import type { Db, Tx } from '#database/schema.ts';
import { AppError, invalid } from '#platform/errors.ts';
import type { Handlers } from '#platform/http/serve.ts';

type PasskeyKey = Extract<keyof typeof factors, `${string}passkey${string}`>;

/** Making, using and removing passkeys. */
export function passkeyHandlers(services: FactorServices): Handlers<Pick<typeof factors, PasskeyKey>, Db, Tx> {
  return {
    'POST /v1/auth/passkeys/begin': async (call) => {
      const { db, viewer, now } = call;
      const site = siteFor(services, call);
      const user = await ownRow(db, viewer);
      const { passkeys } = await factorsOf(db, user.id);
      const shop = await shopNameOf(services, db);
      return { data: { ...(await beginPasskey(db, site, { user, others: passkeys, shop, now })) } };
    },

    'POST /v1/auth/passkeys': async (call) => {
      const { db, body, viewer, now } = call;
      const { browser, system } = deviceName(userAgentOf(call.header));
      const name = body.name ?? ([browser, system].filter(Boolean).join(', ') || m.accounts_device_unknown());
      // The schema has its members; the library checks the rest.
      const response = body.response as unknown as RegistrationResponseJSON;
      const userId = viewer.id ?? '';
      const credential = await verifyNewPasskey(db, siteFor(services, call), { userId, response, now });
      return changeFactors(services, call, {
        change: 'passkey_added',
        work: (tx) => addPasskey(tx, { userId, credential, name, now }),
      });
    },

    'DELETE /v1/auth/passkeys/{id}': (call) =>
      changeFactors(services, call, {
        change: 'passkey_removed',
        work: async (tx, user) => {
          const removed = await tx
            .deleteFrom('passkeys')
            .where('id', '=', call.params.id)
            .where('user_id', '=', user.id)
            .returning('name')
            .executeTakeFirst();
          if (!removed) throw new AppError('not_found', m.platform_not_found());
          return removed.name;
        },
      }),

    'POST /v1/auth/passkey-sign-in/begin': async (call) => ({
      data: { ...(await beginPasskeySignIn(call.db, siteFor(services, call), call.now)) },
    }),

    'POST /v1/auth/passkey-sign-in': async (call) => {
      const { db, now, address } = call;
      await countAttempt(db, 'passkey', { address }, now);
      const { userId } = await takePasskey(db, siteFor(services, call), assertionIn(call.body.response), now);
      const user = await findUser(db, userId);
      if (!user) throw invalid('response', m.accounts_passkey_unknown());
      await forgiveAttempt(db, 'passkey', { address });
      return enterAccount(services, db, user, call);
    },
  };
}
