import { randomBytes } from 'node:crypto';
import * as oidc from 'openid-client';
import { m } from '#messages';
import { hashToken } from '#accounts/server/sign-ins.ts';
import type { Db } from '#database/schema.ts';
import { AppError, invalid } from '#platform/errors.ts';
import type { AccountServices } from '#accounts/server/services.ts';

const validFor = 15 * 60_000;
const scope = 'openid email profile';

/** The provider's data about a person. */
export interface Claims {
  issuer: string;
  subject: string;
  email: string | null;
  isEmailVerified: boolean;
  name: string;
}

/** The parameters with which the provider sent the browser back. */
export interface Return {
  state: string;
  code: string;
  /** RFC 9207: the provider's identity; required of a provider that promises it. */
  iss?: string | undefined;
}

export interface SocialSignIn {
  /** Begins a sign-in; `url` is the provider's page, `secret` stays in the browser. */
  begin(db: Db, now: Date): Promise<{ url: string; secret: string }>;
  /** Ends it, once. Throws 422 when it was never begun, by another browser, or too long ago, or the provider refuses. */
  end(db: Db, secret: string, answer: Return, now: Date): Promise<Claims>;
}

/** Sign-in at the OpenID provider of the settings: authorization code with PKCE, state and nonce. */
export function createSocialSignIn(services: Pick<AccountServices, 'config' | 'log'>): SocialSignIn {
  const { config, log } = services;
  const redirectUri = `${services.config.publicUrl}/auth/callback`;
  let known: Promise<oidc.Configuration> | null = null;
  // Loaded when first needed: an unavailable provider must not prevent the shop from starting.
  const provider = () => {
    known ??= discover(config);
    known.catch(() => (known = null));
    return known.catch((error: unknown) => {
      log.warn({ err: error }, 'the OpenID provider cannot be reached');
      throw new AppError('unavailable', m.accounts_social_unavailable());
    });
  };

  return {
    async begin(db, now) {
      const client = await provider();
      const [state, nonce, verifier] = [oidc.randomState(), oidc.randomNonce(), oidc.randomPKCECodeVerifier()];
      const secret = randomBytes(32).toString('base64url');
      await db
        .insertInto('social_attempts')
        .values({
          state_hash: hashToken(state),
          secret_hash: hashToken(secret),
          code_verifier: verifier,
          nonce,
          expires_at: new Date(now.getTime() + validFor),
        })
        .execute();
      const url = oidc.buildAuthorizationUrl(client, {
        redirect_uri: redirectUri,
        scope,
        state,
        nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      });
      return { url: url.href, secret };
    },

    async end(db, secret, { state, code, iss }, now) {
      const begun = await db
        .deleteFrom('social_attempts')
        .where('state_hash', '=', hashToken(state))
        .where('secret_hash', '=', hashToken(secret))
        .where('expires_at', '>', now)
        .returning(['code_verifier', 'nonce'])
        .executeTakeFirst();
      if (!begun) throw invalid('state', m.accounts_social_expired());
      const client = await provider();
      const answer = new URL(redirectUri);
      answer.search = new URLSearchParams({ code, state, ...(iss !== undefined && { iss }) }).toString();
      try {
        return await exchange(client, answer, { ...begun, state });
      } catch (error) {
        log.warn({ err: error }, 'the OpenID provider refused a sign-in');
        throw invalid('code', m.accounts_social_refused());
      }
    },
  };
}

async function discover({ OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET }: AccountServices['config']) {
  const issuer = new URL(OIDC_ISSUER ?? '');
  // The settings allow plain http for this machine only.
  const execute = issuer.protocol === 'http:' ? [oidc.allowInsecureRequests] : [];
  return oidc.discovery(issuer, OIDC_CLIENT_ID ?? '', OIDC_CLIENT_SECRET, undefined, { execute, timeout: 10 });
}

async function exchange(
  client: oidc.Configuration,
  answer: URL,
  { state, code_verifier: verifier, nonce }: { state: string; code_verifier: string; nonce: string },
): Promise<Claims> {
  const tokens = await oidc.authorizationCodeGrant(client, answer, {
    pkceCodeVerifier: verifier,
    expectedState: state,
    expectedNonce: nonce,
    idTokenExpected: true,
  });
  const id = tokens.claims();
  if (!id) throw new Error('no ID token');
  // Many providers give the address only there.
  const more = client.serverMetadata().userinfo_endpoint
    ? await oidc.fetchUserInfo(client, tokens.access_token, id.sub)
    : {};
  const said: Record<string, unknown> = { ...id, ...more };
  const { email, email_verified: isVerified, name } = said;
  return {
    issuer: id.iss,
    subject: id.sub,
    email: typeof email === 'string' ? email.trim().toLowerCase() : null,
    isEmailVerified: isVerified === true,
    name: typeof name === 'string' ? name.trim().slice(0, 80) : '',
  };
}
