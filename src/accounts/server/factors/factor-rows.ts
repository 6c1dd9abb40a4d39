import { randomBytes, randomInt, randomUUIDv7 } from 'node:crypto';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import { z } from 'zod';
import { findTotpStep } from '#accounts/server/factors/totp.ts';
import type { Db, PasskeysTable, Tx } from '#database/schema.ts';
import { openSecretStore, type SecretStore } from '#platform/server/secrets/secret-store.ts';
import { deviceCodeCharacters } from '#accounts/devices.ts';
import { slowDigest } from '#accounts/server/hash-password.ts';

export type PasskeyRow = Selectable<PasskeysTable>;

/** The secrets of authenticator apps, each under the id of its row in `totp_secrets`. */
export type TotpSecrets = SecretStore<{ secret: string }>;

export function openTotpSecrets(config: { dataDir: string; SECRETS_KEY?: string | undefined }): TotpSecrets {
  const schema = z.object({ secret: z.string() });
  return openSecretStore(config, { folder: 'second-factors', use: 'hatch second factors', schema });
}

export interface FactorRows {
  passkeys: PasskeyRow[];
  /** The authenticator app; null until a code has confirmed it. */
  totp: { confirmed_at: Date } | null;
  recoveryCodes: number;
}

export async function factorsOf(db: Db, userId: string): Promise<FactorRows> {
  const passkeys = await db
    .selectFrom('passkeys')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  const totp = await db
    .selectFrom('totp_secrets')
    .select('confirmed_at')
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst();
  const { codes } = await db
    .selectFrom('recovery_codes')
    .select(sql<number>`count(*)::int`.as('codes'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return {
    passkeys,
    totp: totp?.confirmed_at ? { confirmed_at: totp.confirmed_at } : null,
    recoveryCodes: codes,
  };
}

export function hasSecondFactor({ passkeys, totp }: FactorRows): boolean {
  return passkeys.length > 0 || totp !== null;
}

export function hasSecondFactorSql(userId: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`(exists (select 1 from passkeys p where p.user_id = ${userId})
    or exists (select 1 from totp_secrets t where t.user_id = ${userId} and t.confirmed_at is not null))`;
}

/** Replaces the person's secret by a new one, which is unconfirmed until its first code is typed. */
export async function saveTotpSecret(
  tx: Tx,
  secrets: TotpSecrets,
  { userId, secret, now }: { userId: string; secret: Buffer; now: Date },
): Promise<void> {
  await removeTotp(tx, secrets, userId);
  const id = randomUUIDv7();
  const sealed = await secrets.keep(id, { secret: secret.toString('base64') });
  await tx.insertInto('totp_secrets').values({ id, user_id: userId, sealed, created_at: now }).execute();
}

/**
 * Redeems a code of the authenticator app; false if it is invalid or was used. With `isFirst` the code confirms the
 * secret.
 */
export async function redeemTotpCode(
  tx: Tx,
  secrets: TotpSecrets,
  { userId, code, now, isFirst = false }: { userId: string; code: string; now: Date; isFirst?: boolean },
): Promise<boolean> {
  const row = await tx
    .selectFrom('totp_secrets')
    .selectAll()
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst();
  if (!row || (row.confirmed_at === null) !== isFirst) return false;
  const kept = await secrets.read(row.id, row.sealed);
  const step = kept && findTotpStep(Buffer.from(kept.secret, 'base64'), code, now, row.last_step);
  if (!step) return false;
  await tx
    .updateTable('totp_secrets')
    .set({ last_step: step, ...(isFirst && { confirmed_at: now }) })
    .where('id', '=', row.id)
    .execute();
  return true;
}

export async function removeTotp(tx: Tx, secrets: TotpSecrets, userId: string): Promise<boolean> {
  const row = await tx.deleteFrom('totp_secrets').where('user_id', '=', userId).returning('id').executeTakeFirst();
  if (row) await secrets.wipe(row.id);
  return row !== undefined;
}

/** Redeems a code of the authenticator app, or a recovery code; false if it is neither. */
export async function redeemOneTimeCode(
  tx: Tx,
  secrets: TotpSecrets,
  given: { userId: string; code: string; now: Date },
): Promise<boolean> {
  return (await redeemTotpCode(tx, secrets, given)) || takeRecoveryCode(tx, given.userId, given.code);
}

export async function removeUnneededRecoveryCodes(tx: Tx, userId: string): Promise<void> {
  if (!hasSecondFactor(await factorsOf(tx, userId))) {
    await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  }
}

/** Removes every second factor; false if there was none. */
export async function removeFactors(tx: Tx, secrets: TotpSecrets, userId: string): Promise<boolean> {
  const passkey = await tx.deleteFrom('passkeys').where('user_id', '=', userId).returning('id').execute();
  const hadTotp = await removeTotp(tx, secrets, userId);
  await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  return passkey.length > 0 || hadTotp;
}

export async function countAdminsWithoutFactor(db: Db): Promise<{ admins: number; without: number }> {
  const { rows } = await sql<{ admins: number; without: number }>`
    select count(*)::int as admins, count(*) filter (where not ${hasSecondFactorSql(sql`users.id`)})::int as without
    from users where role = 'admin'`.execute(db);
  return rows[0] ?? { admins: 0, without: 0 };
}

/** The number of a person's recovery codes, and the number of characters of each code. */
const count = 10;
const length = 10;

/**
 * Replaces a person's recovery codes by ten new codes of 50 bits. The codes are returned once, and stored only as slow
 * hashes.
 */
export async function makeRecoveryCodes(tx: Tx, userId: string): Promise<string[]> {
  const codes = Array.from({ length: count }, () =>
    Array.from({ length }, () => deviceCodeCharacters[randomInt(deviceCodeCharacters.length)]).join(''),
  );
  const nonce = randomBytes(16);
  const hashes: Buffer[] = [];
  // The hashes are computed one after the other, because each takes 19 MB.
  for (const code of codes) hashes.push(await slowDigest(code, nonce, userId));
  await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  await tx
    .insertInto('recovery_codes')
    .values(hashes.map((code_hash) => ({ user_id: userId, nonce, code_hash })))
    .execute();
  return codes.map((code) => `${code.slice(0, 5)}-${code.slice(5)}`);
}

/** Redeems a recovery code; false if the person has no such code. */
async function takeRecoveryCode(db: Db, userId: string, typed: string): Promise<boolean> {
  const code = typed.replaceAll(/[\s-]/g, '').toUpperCase();
  const made = await db.selectFrom('recovery_codes').select('nonce').where('user_id', '=', userId).executeTakeFirst();
  if (!made) return false;
  const { numDeletedRows } = await db
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where('code_hash', '=', await slowDigest(code, made.nonce, userId))
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
