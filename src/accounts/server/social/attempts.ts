import { randomBytes } from 'node:crypto';
import { randomNonce, randomPKCECodeVerifier, randomState } from 'openid-client';
import { hashToken } from '#accounts/server/hash-token.ts';
import type { Attempt } from '#accounts/server/social/provider-client.ts';
import type { Db } from '#database/schema.ts';

/** Milliseconds. */
const validFor = 15 * 60_000;

/** The purpose of a sign-in; it ends only as that. */
export type Aim =
  | { purpose: 'sign_in' }
  /** `challenge` is the app's. */
  | { purpose: 'app'; challenge: string }
  /** By somebody who is signed in. */
  | { purpose: 'link' | 'trial'; userId: string };

export interface Begun {
  attempt: Attempt;
  /** Stays in the browser that began. */
  secret: string;
}

/** Stores an attempt; state and secret only as hashes. */
export async function beginAttempt(db: Db, provider: string, aim: Aim, now: Date): Promise<Begun> {
  const attempt = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() };
  const secret = randomBytes(32).toString('base64url');
  await db
    .insertInto('social_attempts')
    .values({
      state_hash: hashToken(attempt.state),
      secret_hash: hashToken(secret),
      code_verifier: attempt.verifier,
      nonce: attempt.nonce,
      provider,
      purpose: aim.purpose,
      user_id: 'userId' in aim ? aim.userId : null,
      app_challenge: 'challenge' in aim ? aim.challenge : null,
      expires_at: new Date(now.getTime() + validFor),
    })
    .execute();
  return { attempt, secret };
}

export interface Taken {
  attempt: Attempt;
  provider: string;
  challenge: string | null;
  givenName: string | null;
}

/** The purpose, and the person, with which an attempt is ended. */
export type Ending = { purpose: 'sign_in' | 'app' } | { purpose: 'link' | 'trial'; userId: string };

/** Uses an attempt up; null when it was never begun, by another browser or person, for something else, or too long ago. */
export async function takeAttempt(
  db: Db,
  { state, secret, ending, now }: { state: string; secret: string; ending: Ending; now: Date },
): Promise<Taken | null> {
  const row = await db
    .deleteFrom('social_attempts')
    .where('state_hash', '=', hashToken(state))
    .where('secret_hash', '=', hashToken(secret))
    .where('purpose', '=', ending.purpose)
    .where('user_id', 'is not distinct from', 'userId' in ending ? ending.userId : null)
    .where('expires_at', '>', now)
    .returning(['code_verifier', 'nonce', 'provider', 'app_challenge', 'given_name'])
    .executeTakeFirst();
  if (!row) return null;
  return {
    attempt: { state, nonce: row.nonce, verifier: row.code_verifier },
    provider: row.provider,
    challenge: row.app_challenge,
    givenName: row.given_name,
  };
}

/** Stores the name that a provider posted with its answer. Nothing if there is no such attempt. */
export async function keepPostedName(db: Db, state: string, name: string): Promise<void> {
  await db
    .updateTable('social_attempts')
    .set({ given_name: name })
    .where('state_hash', '=', hashToken(state))
    .execute();
}
