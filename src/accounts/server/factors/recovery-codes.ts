import { randomBytes, randomInt } from 'node:crypto';
import { deviceCodeSigns } from '#accounts/device-code.ts';
import { slowDigest } from '#accounts/server/hash-password.ts';
import type { Db, Tx } from '#database/schema.ts';

const count = 10;
const length = 10;

/** Makes ten codes of 50 bits in place of the earlier ones; they are shown once and stored as passwords are. */
export async function makeRecoveryCodes(tx: Tx, userId: string): Promise<string[]> {
  const codes = Array.from({ length: count }, () =>
    Array.from({ length }, () => deviceCodeSigns[randomInt(deviceCodeSigns.length)]).join(''),
  );
  const nonce = randomBytes(16);
  const hashes: Buffer[] = [];
  // One after the other: each takes 19 MB.
  for (const code of codes) hashes.push(await slowDigest(code, nonce, userId));
  await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  await tx
    .insertInto('recovery_codes')
    .values(hashes.map((code_hash) => ({ user_id: userId, nonce, code_hash })))
    .execute();
  return codes.map((code) => `${code.slice(0, 5)}-${code.slice(5)}`);
}

/** Uses a code up; false if it is none of this person's. */
export async function takeRecoveryCode(db: Db, userId: string, typed: string): Promise<boolean> {
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
