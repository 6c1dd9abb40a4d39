import { m } from '#messages';
import type { factors } from '#accounts/factor-contract.ts';
import {
  changeFactors,
  type FactorServices,
  presentFactors,
  tellOfChange,
} from '#accounts/server/factors/factor-calls.ts';
import {
  factorsOf,
  isSecondNeeded,
  keepTotpSecret,
  removeTotp,
  takeTotpCode,
} from '#accounts/server/factors/factor-rows.ts';
import { passkeyHandlers } from '#accounts/server/factors/passkey-handlers.ts';
import { prove } from '#accounts/server/factors/prove.ts';
import { makeRecoveryCodes } from '#accounts/server/factors/recovery-codes.ts';
import { newSecret, spellSecret, totpAddress } from '#accounts/server/factors/totp.ts';
import { shopNameOf } from '#accounts/server/shop-name.ts';
import { countOwn, forgiveOwn, type OwnCount } from '#accounts/server/throttle.ts';
import { ownRow } from '#accounts/server/users.ts';
import type { Db, Tx } from '#database/schema.ts';
import { inTransaction } from '#database/transaction.ts';
import { AppError, invalid } from '#platform/errors.ts';
import type { Handlers } from '#platform/http/serve.ts';

/** Passkeys, authenticator apps and recovery codes. */
export function factorHandlers(services: FactorServices): Handlers<typeof factors, Db, Tx> {
  const { totpSecrets } = services;
  return {
    ...passkeyHandlers(services),

    'GET /v1/auth/factors': async (call) => ({
      data: await presentFactors(services, call.db, await ownRow(call.db, call.viewer), call),
    }),

    'POST /v1/auth/proof': (call) => prove(services, call),

    'POST /v1/auth/totp/begin': async ({ db, viewer, now, audit }) => {
      const secret = newSecret();
      const user = await inTransaction(db, async (tx) => {
        const row = await ownRow(tx, viewer, 'locked');
        if ((await factorsOf(tx, row.id)).totp) throw new AppError('conflict', m.accounts_totp_is_on());
        await keepTotpSecret(tx, totpSecrets, { userId: row.id, secret, now });
        await audit(tx, { data: { id: row.id } });
        return row;
      });
      const url = totpAddress(secret, { account: user.email, issuer: await shopNameOf(services, db) });
      return { data: { secret: spellSecret(secret), url } };
    },

    'POST /v1/auth/totp': async (call) => {
      const { db, body, viewer, now } = call;
      const own: OwnCount = { kind: 'second factor', id: viewer.id ?? '' };
      await countOwn(db, own, now);
      const answer = await changeFactors(services, call, {
        change: 'totp_added',
        work: async (tx, user) => {
          const given = { userId: user.id, code: body.one_time_code, now, isFirst: true };
          if (!(await takeTotpCode(tx, totpSecrets, given))) throw invalid('one_time_code', m.accounts_code_wrong());
        },
      });
      await forgiveOwn(db, own);
      return answer;
    },

    'DELETE /v1/auth/totp': (call) =>
      changeFactors(services, call, {
        change: 'totp_removed',
        work: async (tx, user) => {
          if (!(await removeTotp(tx, totpSecrets, user.id))) throw new AppError('not_found', m.platform_not_found());
        },
      }),

    'POST /v1/auth/recovery-codes': async (call) => ({
      data: await inTransaction(call.db, async (tx) => {
        const user = await ownRow(tx, call.viewer, 'locked');
        if (!isSecondNeeded(await factorsOf(tx, user.id))) throw new AppError('conflict', m.accounts_no_factor());
        const codes = await makeRecoveryCodes(tx, user.id);
        await tellOfChange(tx, services, call, { change: 'recovery_codes_made', to: user });
        await call.audit(tx, { data: { id: user.id } });
        return { ...(await presentFactors(services, tx, user, call)), recovery_codes: codes };
      }),
    }),
  };
}
