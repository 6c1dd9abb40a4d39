import * as oidc from 'openid-client';
import { shorten } from '#platform/graphemes.ts';
import { toPlainLine } from '#platform/plain-text.ts';
import type { SignInProvider } from '#accounts/server/social/providers.ts';
import { isAddressConfirmed } from '#accounts/sign-in-kinds.ts';
import type { SignInProviderKind, SignInProviderProblem } from '#database/column-values.ts';
import { importPKCS8, SignJWT } from 'jose';

export interface ProviderClaims {
  issuer: string;
  subject: string;
  email: string | null;
  isEmailConfirmed: boolean;
  name: string;
}

export interface RedirectParams {
  state: string;
  code: string;
  /** The provider's issuer (RFC 9207); required of a provider that promises to send it. */
  iss?: string | undefined;
}

export interface SignInAttempt {
  state: string;
  nonce: string;
  verifier: string;
}

/** Calls to providers, with this shop's redirect address. `classifySignInProviderFailure` classifies the errors. */
export interface SignInProviderClient {
  pageOf(provider: SignInProvider, attempt: SignInAttempt): Promise<string>;
  /** Exchanges the code for the provider's claims. Throws on any invalid answer. */
  exchange(
    provider: SignInProvider,
    attempt: SignInAttempt,
    answer: Pick<RedirectParams, 'code' | 'iss'>,
  ): Promise<ProviderClaims>;
  /** Checks that the provider answers, and accepts this shop's client id and secret. Throws like `exchange`. */
  probe(provider: SignInProvider): Promise<void>;
}

/** The timeouts of a provider: for one request in seconds, and for all requests of a call in milliseconds. */
export interface ProviderTimeouts {
  requestSeconds: number;
  callMs: number;
}
const usualTimeouts: ProviderTimeouts = { requestSeconds: 8, callMs: 20_000 };
/** Seconds by which the clocks of the shop and the provider may differ. */
const clockTolerance = 5 * 60;

interface Rules {
  scope: string;
  /** Further query parameters of the provider's sign-in page. */
  more?: Record<string, string>;
}

const rules: Record<SignInProviderKind, Rules> = {
  // `select_account` makes Google ask people with several accounts each time which account they use.
  google: { scope: 'openid email profile', more: { prompt: 'select_account' } },
  // Apple requires a form post for the name and the address.
  apple: { scope: 'openid name email', more: { response_mode: 'form_post' } },
  other: { scope: 'openid email profile' },
};

export function createSignInProviderClient(redirectUri: string, timeouts = usualTimeouts): SignInProviderClient {
  return {
    async pageOf(provider, { state, nonce, verifier }) {
      // The shop fetches the provider's metadata before it redirects. If the provider is down, the person then sees the
      // shop's message and not the browser's error page.
      const client = await discover(provider, timeouts);
      const { scope, more } = rules[provider.kind];
      return oidc.buildAuthorizationUrl(client, {
        redirect_uri: redirectUri,
        scope,
        state,
        nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...more,
      }).href;
    },

    async exchange(provider, { state, nonce, verifier }, { code, iss }) {
      // The provider's metadata and keys are fetched each time, so that a withdrawn key is noticed at once.
      const client = await discover(provider, timeouts);
      oidc.enableNonRepudiationChecks(client);
      const answer = new URL(redirectUri);
      answer.search = new URLSearchParams({ code, state, ...(iss !== undefined && { iss }) }).toString();
      const tokens = await oidc.authorizationCodeGrant(client, answer, {
        pkceCodeVerifier: verifier,
        expectedState: state,
        expectedNonce: nonce,
        idTokenExpected: true,
      });
      const id = tokens.claims();
      if (!id) throw new Error('no ID token');
      // With an empty subject, all users of the provider would share one account.
      if (id.sub.trim() === '') throw new Error('the ID token names nobody');
      if (id.iat > Date.now() / 1000 + clockTolerance) throw new IssuedLater('the ID token was issued in the future');
      return readClaims(provider.kind, id, await readUserInfo(client, tokens.access_token, id));
    },

    async probe(provider) {
      const client = await discover(provider, timeouts);
      const code = { code: 'none', redirect_uri: redirectUri, code_verifier: oidc.randomPKCECodeVerifier() };
      try {
        await oidc.genericGrantRequest(client, 'authorization_code', code);
      } catch (error) {
        // The provider has accepted the shop's id and secret, and refused only the invented code.
        if (error instanceof oidc.ResponseBodyError && error.error === 'invalid_grant') return;
        throw error;
      }
    },
  };
}

export type SignInProviderFailure = SignInProviderProblem | 'refused';

export function classifySignInProviderFailure(error: unknown): SignInProviderFailure {
  if (error instanceof oidc.ResponseBodyError) return readError(error.error, error.status);
  if (error instanceof oidc.WWWAuthenticateChallengeError) return error.status === 401 ? 'client_refused' : 'refused';
  if (error instanceof IssuedLater) return 'clock';
  if (error instanceof DiscoveryFailed) return readDiscovery(error.cause);
  if (error instanceof oidc.ClientError) {
    if (error.code === 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED') return 'clock';
    return isAway(error) ? 'away' : 'refused';
  }
  return isAway(error) ? 'away' : 'refused';
}

class DiscoveryFailed extends Error {}

/** The error for a token that was issued in the future. The library refuses only tokens that are too old. */
class IssuedLater extends Error {}

async function discover(provider: SignInProvider, timeouts: ProviderTimeouts): Promise<oidc.Configuration> {
  const deadline = AbortSignal.timeout(timeouts.callMs);
  const issuer = new URL(provider.issuer);
  // The settings and the office accept plain http only for an issuer on this machine.
  const execute = issuer.protocol === 'http:' ? [oidc.allowInsecureRequests] : [];
  const { clientId, secrets } = provider;
  const metadata = {
    ...(secrets.clientSecret !== null && { client_secret: secrets.clientSecret }),
    [oidc.clockTolerance]: clockTolerance,
  };
  return oidc
    .discovery(issuer, clientId, metadata, clientAuthentication(provider), {
      execute,
      timeout: timeouts.requestSeconds,
      [oidc.customFetch]: (url, options) =>
        fetch(url, { ...options, signal: options.signal ? AbortSignal.any([options.signal, deadline]) : deadline }),
    })
    .catch((cause: unknown) => {
      throw new DiscoveryFailed('the sign-in provider could not be discovered', { cause });
    });
}

/** How the shop authenticates itself to the provider; undefined for a client without a secret. */
function clientAuthentication(provider: SignInProvider): oidc.ClientAuth | undefined {
  const { clientId, secrets, teamId, keyId } = provider;
  const { privateKey, clientSecret } = secrets;
  if (privateKey !== null && teamId !== null && keyId !== null) {
    return async (server, _client, body) => {
      // The machine's clock is used, because the provider compares the time with its own clock. Tests move only the
      // shop's clock.
      const seconds = Math.floor(Date.now() / 1000);
      const key = { teamId, keyId, privateKey };
      body.set('client_id', clientId);
      body.set('client_secret', await signAppleClientSecret(key, { clientId, audience: server.issuer, seconds }));
    };
  }
  if (clientSecret === null) return undefined;
  return (server, client, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported;
    const isBasic = methods?.includes('client_secret_basic') && !methods.includes('client_secret_post');
    const authenticate = isBasic ? oidc.ClientSecretBasic(clientSecret) : oidc.ClientSecretPost(clientSecret);
    return authenticate(server, client, body, headers);
  };
}

/**
 * Reads the user info, where many providers give the address and the name. Empty: the ID token has both, or the
 * provider has no user info.
 */
async function readUserInfo(client: oidc.Configuration, accessToken: string, id: oidc.IDToken): Promise<object> {
  const isComplete = id['email'] !== undefined && id['name'] !== undefined;
  if (isComplete || client.serverMetadata().userinfo_endpoint === undefined) return {};
  return oidc.fetchUserInfo(client, accessToken, id.sub).catch((cause: unknown) => {
    throw new Error('the sign-in provider gave no information about the person', { cause });
  });
}

function readClaims(kind: SignInProviderKind, id: oidc.IDToken, more: object): ProviderClaims {
  const said: Record<string, unknown> = { ...id, ...more };
  const { email, name } = said;
  return {
    issuer: id.iss,
    subject: id.sub,
    email: typeof email === 'string' ? email.trim().toLowerCase() : null,
    isEmailConfirmed: isAddressConfirmed(kind, said),
    name: typeof name === 'string' ? shorten(toPlainLine(name).trim(), 80, '') : '',
  };
}

function readError(code: string, status: number): SignInProviderFailure {
  if (code === 'invalid_client' || code === 'unauthorized_client') return 'client_refused';
  if (code === 'redirect_uri_mismatch') return 'return_refused';
  return status >= 500 || status === 429 ? 'away' : 'refused';
}

function readDiscovery(cause: unknown): SignInProviderFailure {
  return isAway(cause) ? 'away' : 'no_provider';
}

function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { cause } = error;
  if (cause instanceof Response) return cause.status >= 500 || cause.status === 429;
  const code = 'code' in error ? error.code : undefined;
  if (code === 'OAUTH_TIMEOUT' || code === 'OAUTH_ABORT' || error.name === 'TimeoutError') return true;
  // A failed `fetch` throws a TypeError whose cause is the connection's error. The library's own errors about a
  // response have a code.
  if (error instanceof TypeError && code === undefined && cause instanceof Error) return true;
  return cause instanceof Error && isAway(cause);
}

/**
 * Seconds for which a client secret is valid. Each use makes a new secret, although Apple accepts a secret for half a
 * year.
 */
const lifetime = 30 * 60;
/** Seconds by which this machine's clock may be ahead of Apple's. */
const ahead = 5 * 60;

export interface AppleKey {
  teamId: string;
  keyId: string;
  /** The text of the file AuthKey_<key>.p8, which Apple lets the owner download only once. */
  privateKey: string;
}

export async function isAppleKey(privateKey: string): Promise<boolean> {
  return importPKCS8(privateKey, 'ES256').then(
    () => true,
    () => false,
  );
}

/**
 * Apple's client secret: a token of the shop's team, signed by its key. `seconds`: since 1970 by this machine's clock.
 * Throws if the key is invalid.
 */
export async function signAppleClientSecret(
  { teamId, keyId, privateKey }: AppleKey,
  { clientId, audience, seconds }: { clientId: string; audience: string; seconds: number },
): Promise<string> {
  return new SignJWT()
    .setProtectedHeader({ alg: 'ES256', kid: keyId })
    .setIssuer(teamId)
    .setIssuedAt(seconds - ahead)
    .setExpirationTime(seconds - ahead + lifetime)
    .setAudience(audience)
    .setSubject(clientId)
    .sign(await importPKCS8(privateKey, 'ES256'));
}
