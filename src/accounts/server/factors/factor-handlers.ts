import { m } from '#messages';
import type { factorEndpoints } from '#accounts/factor-contract.ts';
import {
  changeSecondFactors,
  type FactorCall,
  type FactorServices,
  presentFactors,
  requirePasskeySite,
  mailFactorChange,
} from '#accounts/server/factors/factor-calls.ts';
import {
  factorsOf,
  hasSecondFactor,
  saveTotpSecret,
  makeRecoveryCodes,
  removeTotp,
  redeemOneTimeCode,
  redeemTotpCode,
} from '#accounts/server/factors/factor-rows.ts';
import { newTotpSecret, encodeTotpSecret, totpUrl } from '#accounts/server/factors/totp.ts';
import { readShopName } from '#accounts/server/shop-name.ts';
import {
  countAttempt,
  countActorAttempt,
  resetCountsAfterSuccess,
  clearActorCount,
  type ActorCountKey,
} from '#accounts/server/throttle.ts';
import { findUser, readSignedInUser, type UserRow } from '#accounts/server/users.ts';
import type { Db, Tx } from '#database/schema.ts';
import { inTransaction } from '#database/transaction.ts';
import { AppError, invalidFieldError } from '#platform/errors.ts';
import type { Handlers } from '#platform/http/serve.ts';
import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import { parseUserAgent } from '#accounts/devices.ts';
import { signInToAccount, recordSignInProof, userAgentOf } from '#accounts/server/sign-ins.ts';
import {
  addPasskey,
  asAuthenticationResponse,
  makePasskeyOptions,
  makePasskeySignInOptions,
  verifyPasskeySignature,
  verifyNewPasskey,
} from '#accounts/server/factors/passkeys.ts';
import { checkPassword } from '#accounts/server/check-owner.ts';
import { signInFreshUntil } from '#platform/http/viewer.ts';

export function factorHandlers(services: FactorServices): Handlers<typeof factorEndpoints, Db, Tx> {
  const { totpSecrets } = services;
  return {
    ...passkeyHandlers(services),

    'GET /v1/auth/factors': async (call) => ({
      data: await presentFactors(services, call.db, await readSignedInUser(call.db, call.viewer), call),
    }),

    'POST /v1/auth/proof': (call) => prove(services, call),

    'POST /v1/auth/totp/begin': async ({ db, viewer, now, audit }) => {
      const secret = newTotpSecret();
      const user = await inTransaction(db, async (tx) => {
        const row = await readSignedInUser(tx, viewer, 'locked');
        if ((await factorsOf(tx, row.id)).totp) throw new AppError('conflict', m.accounts_totp_is_on());
        await saveTotpSecret(tx, totpSecrets, { userId: row.id, secret, now });
        await audit(tx, { data: { id: row.id } });
        return row;
      });
      const url = totpUrl(secret, { account: user.email, issuer: await readShopName(services, db) });
      return { data: { secret: encodeTotpSecret(secret), url } };
    },

    'POST /v1/auth/totp': async (call) => {
      const { db, body, viewer, now } = call;
      const own: ActorCountKey = { kind: 'second factor', id: viewer.id ?? '' };
      await countActorAttempt(db, own, now);
      const answer = await changeSecondFactors(services, call, {
        change: 'totp_added',
        work: async (tx, user) => {
          const given = { userId: user.id, code: body.one_time_code, now, isFirst: true };
          if (!(await redeemTotpCode(tx, totpSecrets, given)))
            throw invalidFieldError('one_time_code', m.accounts_code_wrong());
        },
      });
      await clearActorCount(db, own);
      return answer;
    },

    'DELETE /v1/auth/totp': (call) =>
      changeSecondFactors(services, call, {
        change: 'totp_removed',
        work: async (tx, user) => {
          if (!(await removeTotp(tx, totpSecrets, user.id))) throw new AppError('not_found', m.platform_not_found());
        },
      }),

    'POST /v1/auth/recovery-codes': async (call) => ({
      data: await inTransaction(call.db, async (tx) => {
        const user = await readSignedInUser(tx, call.viewer, 'locked');
        if (!hasSecondFactor(await factorsOf(tx, user.id))) throw new AppError('conflict', m.accounts_no_factor());
        const codes = await makeRecoveryCodes(tx, user.id);
        await mailFactorChange(tx, services, call, { change: 'recovery_codes_made', to: user });
        await call.audit(tx, { data: { id: user.id } });
        return { ...(await presentFactors(services, tx, user, call)), recovery_codes: codes };
      }),
    }),
  };
}

type PasskeyKey = Extract<keyof typeof factorEndpoints, `${string}passkey${string}`>;

function passkeyHandlers(services: FactorServices): Handlers<Pick<typeof factorEndpoints, PasskeyKey>, Db, Tx> {
  return {
    'POST /v1/auth/passkeys/begin': async (call) => {
      const { db, viewer, now } = call;
      const site = requirePasskeySite(services, call);
      const user = await readSignedInUser(db, viewer);
      const { passkeys } = await factorsOf(db, user.id);
      const shop = await readShopName(services, db);
      return { data: { ...(await makePasskeyOptions(db, site, { user, others: passkeys, shop, now })) } };
    },

    'POST /v1/auth/passkeys': async (call) => {
      const { db, body, viewer, now } = call;
      const { browser, system } = parseUserAgent(userAgentOf(call.header));
      const name = body.name ?? ([browser, system].filter(Boolean).join(', ') || m.accounts_device_unknown());
      // The schema checks only that the main members exist; the library checks the rest.
      const response = body.response as unknown as RegistrationResponseJSON;
      const userId = viewer.id ?? '';
      const credential = await verifyNewPasskey(db, requirePasskeySite(services, call), { userId, response, now });
      return changeSecondFactors(services, call, {
        change: 'passkey_added',
        work: (tx) => addPasskey(tx, { userId, credential, name, now }),
      });
    },

    'DELETE /v1/auth/passkeys/{id}': (call) =>
      changeSecondFactors(services, call, {
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
      data: { ...(await makePasskeySignInOptions(call.db, requirePasskeySite(services, call), call.now)) },
    }),

    'POST /v1/auth/passkey-sign-in': async (call) => {
      const { db, now, address } = call;
      await countAttempt(db, 'passkey', { address }, now);
      const { userId } = await verifyPasskeySignature(
        db,
        requirePasskeySite(services, call),
        asAuthenticationResponse(call.body.response),
        now,
      );
      const user = await findUser(db, userId);
      if (!user) throw invalidFieldError('response', m.accounts_passkey_unknown());
      await resetCountsAfterSuccess(db, 'passkey', { address });
      return signInToAccount(services, db, user, call);
    },
  };
}

type ProofCall = FactorCall<'POST /v1/auth/proof'>;

/** Makes the caller's current sign-in fresh, but none of the caller's other sign-ins. Throws 422 on a wrong proof. */
async function prove(services: FactorServices, call: ProofCall): Promise<{ data: { until: string } }> {
  const { db, viewer, now } = call;
  const user = await readSignedInUser(db, viewer);
  await check(services, call, user).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'invalid') call.note('failed', viewer);
    throw error;
  });
  await inTransaction(db, async (tx) => {
    await recordSignInProof(tx, viewer.signInId, now);
    await call.audit(tx, { data: { id: user.id } });
  });
  return { data: { until: signInFreshUntil(now).toISOString() } };
}

/**
 * Checks the given password, code or passkey. Attempts are counted by sign-in, so that guesses on a stolen sign-in do
 * not throttle the owner.
 */
async function check(services: FactorServices, call: ProofCall, user: UserRow): Promise<void> {
  const { db, viewer, now, body } = call;
  if (body.password !== undefined) {
    // With a second factor the password does not suffice. At a tablet that was left signed in, a thief with the
    // password could otherwise remove the factor.
    if (hasSecondFactor(await factorsOf(db, user.id)))
      throw invalidFieldError('password', m.accounts_proof_needs_factor());
    await checkPassword(db, user, { password: body.password, field: 'password', viewer, now });
    return;
  }
  const own: ActorCountKey = { kind: 'proof', id: viewer.signInId ?? user.id };
  await countActorAttempt(db, own, now);
  if (body.response !== undefined) {
    const { userId } = await verifyPasskeySignature(
      db,
      requirePasskeySite(services, call),
      asAuthenticationResponse(body.response),
      now,
    );
    if (userId !== user.id) throw invalidFieldError('response', m.accounts_passkey_other());
  } else {
    const given = { userId: user.id, code: body.one_time_code ?? '', now };
    const isRight = await inTransaction(db, (tx) => redeemOneTimeCode(tx, services.totpSecrets, given));
    if (!isRight) throw invalidFieldError('one_time_code', m.accounts_code_wrong());
  }
  await clearActorCount(db, own);
}
