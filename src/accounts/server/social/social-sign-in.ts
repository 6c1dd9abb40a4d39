import { m } from '#messages';
import { saveNameFromProvider, readNameFromProvider } from '#accounts/server/social/identities.ts';
import {
  type SignInAttempt,
  type ProviderClaims,
  createSignInProviderClient,
  type SignInProviderFailure,
  type SignInProviderClient,
  classifySignInProviderFailure,
  type RedirectParams,
} from '#accounts/server/social/provider-client.ts';
import { environmentProviderId, type SignInProvider } from '#accounts/server/social/providers.ts';
import type { AccountServices } from '#accounts/server/services.ts';
import type { Db } from '#database/schema.ts';
import { AppError, invalidFieldError } from '#platform/errors.ts';
import { toPlainLine } from '#platform/plain-text.ts';
import { randomBytes } from 'node:crypto';
import { randomNonce, randomPKCECodeVerifier, randomState } from 'openid-client';
import { hashToken } from '#accounts/server/hash-password.ts';

export interface CompletedSocialSignIn {
  claims: ProviderClaims;
  provider: SignInProvider;
  /** The app's challenge; null if a browser began the sign-in. */
  challenge: string | null;
}

export interface SocialSignIn {
  client: SignInProviderClient;
  /**
   * Begins a sign-in. `url` is the provider's page, and `secret` stays in the browser. Throws 503 if the provider does
   * not answer or cannot be used, 422 if a retry would not help.
   */
  begin(db: Db, provider: SignInProvider, aim: AttemptPurpose, now: Date): Promise<{ url: string; secret: string }>;
  /**
   * Ends a sign-in, once. Throws 422 if the attempt is unknown, expired or another browser's, or if the provider
   * refuses. Throws 503 if the provider does not answer, does not know this shop, or is not offered any more.
   */
  end(db: Db, given: RedirectParams & { secret: string }, ending: Ending, now: Date): Promise<CompletedSocialSignIn>;
}

type Services = Pick<AccountServices, 'config' | 'log' | 'signInProviders'>;

export function providerReturnUrl({ publicUrl }: { publicUrl: string }): string {
  return `${publicUrl}/auth/callback`;
}

/** Sign-in at OpenID providers: authorization code with PKCE, state and nonce. */
export function createSocialSignIn({ config, log, signInProviders }: Services): SocialSignIn {
  const client = createSignInProviderClient(providerReturnUrl(config));
  const fail = async (db: Db, provider: SignInProvider, error: unknown, now: Date): Promise<AppError> => {
    const failure = classifySignInProviderFailure(error);
    log.warn({ err: error, provider: provider.id, failure }, 'a sign-in at a provider failed');
    await recordProblem(db, provider.id, failure, now);
    // A retry would not help against a refusal or a wrong clock, so the response is not 503. `recordProblem` has stored
    // a wrong clock for the owner.
    if (failure === 'refused' || failure === 'clock') return invalidFieldError('code', m.accounts_social_refused());
    return new AppError('unavailable', m.accounts_social_unavailable());
  };

  return {
    client,
    async begin(db, provider, aim, now) {
      const { attempt, secret } = await beginAttempt(db, provider.id, aim, now);
      try {
        return { url: await client.pageOf(provider, attempt), secret };
      } catch (error) {
        throw await fail(db, provider, error, now);
      }
    },

    async end(db, { secret, state, ...answer }, ending, now) {
      const taken = await takeAttempt(db, { state, secret, ending, now });
      if (!taken) throw invalidFieldError('state', m.accounts_social_expired());
      const provider = signInProviders.get(taken.provider);
      const isUsable = (it: SignInProvider) => ending.purpose === 'trial' || signInProviders.offered().includes(it);
      // The provider was removed or switched off after the sign-in began.
      if (!provider || !isUsable(provider)) throw new AppError('unavailable', m.accounts_social_unavailable());
      const claims = await client.exchange(provider, taken.attempt, answer).catch(async (error: unknown) => {
        throw await fail(db, provider, error, now);
      });
      await recordProblem(db, provider.id, null, now);
      if (taken.nameFromProvider) await saveNameFromProvider(db, claims, toPlainLine(taken.nameFromProvider), now);
      const name = claims.name || (await readNameFromProvider(db, claims, now));
      return { claims: { ...claims, name }, provider, challenge: taken.challenge };
    },
  };
}

/**
 * Records for the office why sign-ins at a provider fail, and since when; `failure` is null after a success. The
 * environment's provider has no row, so its failures are only logged.
 */
async function recordProblem(
  db: Db,
  providerId: string,
  failure: SignInProviderFailure | null,
  now: Date,
): Promise<void> {
  // A refused code is a fault of the browser or its user, not a problem of the provider.
  if (failure === 'refused' || providerId === environmentProviderId) return;
  await db
    .updateTable('sign_in_providers')
    .set({ problem: failure, problem_since: failure && now })
    .where('id', '=', providerId)
    .where('problem', 'is distinct from', failure)
    .execute();
}

/** Milliseconds in which a sign-in must end. */
const validFor = 15 * 60_000;

/** The purpose of a sign-in attempt. The call that ends the attempt must have the same purpose. */
type AttemptPurpose =
  | { purpose: 'sign_in' }
  /** `challenge`: the PKCE challenge that the app sent. */
  | { purpose: 'app'; challenge: string }
  | { purpose: 'link' | 'trial'; userId: string };

export interface BegunAttempt {
  attempt: SignInAttempt;
  /** The secret, which stays in the browser that began the attempt. */
  secret: string;
}

/** Stores an attempt, with its state and secret only as hashes. */
async function beginAttempt(db: Db, provider: string, aim: AttemptPurpose, now: Date): Promise<BegunAttempt> {
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

export interface ConsumedAttempt {
  attempt: SignInAttempt;
  provider: string;
  challenge: string | null;
  nameFromProvider: string | null;
}

type Ending = { purpose: 'sign_in' | 'app' } | { purpose: 'link' | 'trial'; userId: string };

/** Consumes an attempt; null if it is unknown, expired, or of another browser, person or purpose. */
async function takeAttempt(
  db: Db,
  { state, secret, ending, now }: { state: string; secret: string; ending: Ending; now: Date },
): Promise<ConsumedAttempt | null> {
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
    nameFromProvider: row.given_name,
  };
}

/** Stores the name from a provider's posted answer. Does nothing if no attempt has this state. */
export async function savePostedName(db: Db, state: string, name: string): Promise<void> {
  await db
    .updateTable('social_attempts')
    .set({ given_name: name })
    .where('state_hash', '=', hashToken(state))
    .execute();
}
