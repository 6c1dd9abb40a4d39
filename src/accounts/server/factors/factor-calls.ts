import { m } from '#messages';
import type { Factors, factorEndpoints } from '#accounts/factor-contract.ts';
import {
  factorsOf,
  hasSecondFactor,
  makeRecoveryCodes,
  type PasskeyRow,
  removeFactors,
  removeUnneededRecoveryCodes,
} from '#accounts/server/factors/factor-rows.ts';
import { sendFactorNotice } from '#accounts/server/account-mail.ts';
import { endSignIns, makeSignInsStale, userAgentOf } from '#accounts/server/sign-ins.ts';
import type { FactorChange } from '#accounts/server/write-account-mail.ts';
import { type PasskeySite, passkeySiteOf } from '#accounts/server/factors/passkeys.ts';
import type { AccountServices } from '#accounts/server/services.ts';
import { lockUserRow, readSignedInUser, type UserRow } from '#accounts/server/users.ts';
import type { Db, Tx } from '#database/schema.ts';
import { inTransaction } from '#database/transaction.ts';
import { AppError } from '#platform/errors.ts';
import type { HandlerInput } from '#platform/http/serve.ts';

export type FactorServices = Pick<AccountServices, 'config' | 'mail' | 'menus' | 'totpSecrets'>;
export type FactorCall<K extends keyof typeof factorEndpoints> = HandlerInput<typeof factorEndpoints, K, Db, Tx>;
type Services = Pick<FactorServices, 'config'>;
interface Asked {
  ownOrigin(): string;
}

/**
 * The site to which a call's passkeys belong. Throws 409 if browsers offer no passkeys there: over plain http, or at an
 * IP address.
 */
export function requirePasskeySite({ config }: Services, call: Asked): PasskeySite {
  const site = passkeySiteOf(config.APP_URL ?? call.ownOrigin());
  if (!site) throw new AppError('conflict', m.accounts_passkey_nowhere());
  return site;
}

export async function presentFactors({ config }: Services, db: Db, user: UserRow, call: Asked): Promise<Factors> {
  const { passkeys, totp, recoveryCodes } = await factorsOf(db, user.id);
  return {
    passkeys: passkeys.map(presentPasskey),
    totp_since: totp?.confirmed_at.toISOString() ?? null,
    recovery_codes_left: recoveryCodes,
    can_have_passkeys: passkeySiteOf(config.APP_URL ?? call.ownOrigin()) !== null,
    is_removed_at_start: config.ADMIN_EMAIL?.toLowerCase() === user.email,
  };
}

/**
 * Changes the caller's own factors, and mails the change to the caller. Recovery codes are made with the first factor
 * and deleted with the last. `work` makes the change, and returns the name of a passkey that it removed.
 */
export async function changeSecondFactors(
  services: FactorServices,
  call: FactorCall<'POST /v1/auth/passkeys' | 'POST /v1/auth/totp' | 'DELETE /v1/auth/totp'>,
  { change, work }: { change: FactorChange; work: (tx: Tx, user: UserRow) => Promise<string | void> },
): Promise<{ data: Factors & { recovery_codes?: string[] } }> {
  const data = await inTransaction(call.db, async (tx) => {
    const user = await readSignedInUser(tx, call.viewer, 'locked');
    const before = await factorsOf(tx, user.id);
    const passkey = await work(tx, user);
    await removeUnneededRecoveryCodes(tx, user.id);
    const isFirst = !hasSecondFactor(before) && hasSecondFactor(await factorsOf(tx, user.id));
    if (isFirst) await makeSignInsStale(tx, user.id, call.now, call.viewer.signInId);
    const codes = isFirst ? { recovery_codes: await makeRecoveryCodes(tx, user.id) } : {};
    await mailFactorChange(tx, services, call, { change, to: user, ...(passkey && { passkey }) });
    await call.audit(tx, { data: { id: user.id } });
    return { ...(await presentFactors(services, tx, user, call)), ...codes };
  });
  return { data };
}

export async function mailFactorChange(
  tx: Tx,
  services: FactorServices,
  { header, now }: Pick<FactorCall<'POST /v1/auth/recovery-codes'>, 'header' | 'now'>,
  told: { change: FactorChange; to: UserRow; passkey?: string },
): Promise<void> {
  await sendFactorNotice(tx, services, { ...told, userAgent: userAgentOf(header), at: now });
}

export function presentPasskey({ id, name, created_at: made, last_used_at: used }: PasskeyRow) {
  return { id, name, created_at: made.toISOString(), last_used_at: used?.toISOString() ?? null };
}

/**
 * Removes a person's lost second factors and ends the person's sign-ins. `by`: the name of the person who removes the
 * factors, for the mail. Returns false if there were no factors.
 */
export async function removeLostSecondFactors(
  tx: Tx,
  services: Pick<AccountServices, 'config' | 'mail' | 'menus' | 'totpSecrets'>,
  { userId, by, at }: { userId: string; by: string; at: Date },
): Promise<boolean> {
  // The lock waits for concurrent removals, and for the person, who may just be adding a factor.
  const user = await lockUserRow(tx, userId);
  if (!user || !hasSecondFactor(await factorsOf(tx, user.id))) return false;
  await removeFactors(tx, services.totpSecrets, user.id);
  await endSignIns(tx, user.id, at);
  await sendFactorNotice(tx, services, { change: 'removed_by_owner', to: user, by, at });
  return true;
}
