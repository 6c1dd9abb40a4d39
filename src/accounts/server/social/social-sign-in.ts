import { m } from '#messages';
import { type Aim, beginAttempt, type Ending, takeAttempt } from '#accounts/server/social/attempts.ts';
import { keepGivenName, readGivenName } from '#accounts/server/social/given-names.ts';
import {
  type Claims,
  createProviderClient,
  type Failure,
  type ProviderClient,
  readFailure,
  type Return,
} from '#accounts/server/social/provider-client.ts';
import { environmentId, type SignInProvider } from '#accounts/server/social/providers.ts';
import type { AccountServices } from '#accounts/server/services.ts';
import type { Db } from '#database/schema.ts';
import { AppError, invalid } from '#platform/errors.ts';
import { plainText } from '#platform/plain-text.ts';

export interface Ended {
  claims: Claims;
  provider: SignInProvider;
  /** Of the app, if it began the sign-in. */
  challenge: string | null;
}

export interface SocialSignIn {
  client: ProviderClient;
  /**
   * Begins a sign-in; `url` is the provider's page, `secret` stays in the browser. Throws 404 for a provider that customers
   * cannot use, 503 for one that does not answer.
   */
  begin(db: Db, provider: SignInProvider, aim: Aim, now: Date): Promise<{ url: string; secret: string }>;
  /**
   * Ends it, once. Throws 422 when it was never begun, by another browser, or too long ago, or the provider refuses.
   * Throws 503 when the provider does not answer, or does not know this shop.
   */
  end(db: Db, given: Return & { secret: string }, ending: Ending, now: Date): Promise<Ended>;
}

type Services = Pick<AccountServices, 'config' | 'log' | 'signInProviders'>;

/** The address to which providers send browsers back. */
export function returnUrl({ publicUrl }: { publicUrl: string }): string {
  return `${publicUrl}/auth/callback`;
}

/** Sign-in at OpenID providers: authorization code with PKCE, state and nonce. */
export function createSocialSignIn({ config, log, signInProviders }: Services): SocialSignIn {
  const client = createProviderClient(returnUrl(config));
  const fail = async (db: Db, provider: SignInProvider, error: unknown, now: Date): Promise<AppError> => {
    const failure = readFailure(error);
    log.warn({ err: error, provider: provider.id, failure }, 'a sign-in at a provider failed');
    await noteProblem(db, provider.id, failure, now);
    // A retry would not help; the owner hears of a wrong clock.
    if (failure === 'refused' || failure === 'clock') return invalid('code', m.accounts_social_refused());
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
      if (!taken) throw invalid('state', m.accounts_social_expired());
      const provider = signInProviders.get(taken.provider);
      const isUsable = (it: SignInProvider) => ending.purpose === 'trial' || signInProviders.offered().includes(it);
      // It was removed or switched off meanwhile.
      if (!provider || !isUsable(provider)) throw new AppError('unavailable', m.accounts_social_unavailable());
      const claims = await client.exchange(provider, taken.attempt, answer).catch(async (error: unknown) => {
        throw await fail(db, provider, error, now);
      });
      await noteProblem(db, provider.id, null, now);
      if (taken.givenName) await keepGivenName(db, claims, plainText(taken.givenName), now);
      const name = claims.name || (await readGivenName(db, claims, now));
      return { claims: { ...claims, name }, provider, challenge: taken.challenge };
    },
  };
}

/**
 * Stores a provider's problem for the office, with its beginning; `null` after a success. The one of the environment
 * has no row: its problems are only in the log.
 */
async function noteProblem(db: Db, providerId: string, failure: Failure | null, now: Date): Promise<void> {
  // A code that is not valid is the browser's.
  if (failure === 'refused' || providerId === environmentId) return;
  await db
    .updateTable('sign_in_providers')
    .set({ problem: failure, problem_since: failure && now })
    .where('id', '=', providerId)
    .where('problem', 'is distinct from', failure)
    .execute();
}
