import { createHash, randomBytes } from 'node:crypto';
import { hashToken } from '#accounts/server/hash-token.ts';
import type { Db } from '#database/schema.ts';
import { equalInConstantTime } from '#platform/server/secrets/equal-in-constant-time.ts';

/** Milliseconds. */
const validFor = 60_000;

/** A code with which the app takes over a sign-in of the browser, for the holder of the challenge's verifier. */
export async function makeAppCode(
  db: Db,
  { userId, challenge }: { userId: string; challenge: string },
  now: Date,
): Promise<{ app_code: string; expires_at: string }> {
  const code = randomBytes(32).toString('base64url');
  const expires = new Date(now.getTime() + validFor);
  await db
    .insertInto('social_codes')
    .values({ code_hash: hashToken(code), user_id: userId, challenge, expires_at: expires })
    .execute();
  return { app_code: code, expires_at: expires.toISOString() };
}

/** Uses a code up, also with a wrong verifier. Returns its user; null when the code or the verifier is not valid. */
export async function redeemAppCode(db: Db, code: string, verifier: string, now: Date): Promise<string | null> {
  const row = await db
    .deleteFrom('social_codes')
    .where('code_hash', '=', hashToken(code))
    .returning(['user_id', 'challenge', 'expires_at'])
    .executeTakeFirst();
  if (!row || row.expires_at <= now) return null;
  return equalInConstantTime(row.challenge, challengeOf(verifier)) ? row.user_id : null;
}

/** RFC 7636, S256. */
function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url');
}
