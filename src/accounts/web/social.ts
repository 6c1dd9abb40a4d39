import type { SignInPurpose } from '#database/column-values.ts';
import { m } from '#messages';
import type { SignInChoice } from '#accounts/sign-in-kinds.ts';
import { api } from '#platform/web/api.ts';
import { nativeShell } from '#platform/web/native/native-shell.ts';
import { readPageData } from '#platform/web/page-data.ts';

const key = 'sign_in_attempt';
/** Milliseconds; the server asks the provider for its address. */
const timeout = 25_000;

/** Why this tab left for a provider, and the secret that ends the attempt. */
interface Pending {
  purpose: SignInPurpose;
  secret: string;
}

/** The return values: the body of the call that ends the attempt, or why there is nothing to end. */
export type SocialReturn = Pick<Pending, 'purpose'> &
  ({ body: { secret: string; state: string; code: string; iss?: string } } | { problem: string });

/** The sign-in providers of this shop, in the order of their buttons. */
export function signInChoices(): SignInChoice[] {
  return readPageData().config.signIn;
}

/** Leaves for the provider's page to sign in; throws ApiError when there is no way there. */
export async function leaveToSignIn(provider: string): Promise<void> {
  if (nativeShell().app) return (await import('#accounts/web/app-sign-in.ts')).beginAppSignIn(provider);
  const { data } = await api('POST /v1/auth/social/begin', { provider }, { timeout });
  leaveFor({ purpose: 'sign_in', ...data });
}

/** The same for the app, which made the challenge; its page in the browser ends with a code for it. */
export async function leaveForApp(provider: string | undefined, challenge: string): Promise<void> {
  const body = { app_challenge: challenge, ...(provider !== undefined && { provider }) };
  const { data } = await api('POST /v1/auth/social/begin', body, { timeout });
  leaveFor({ purpose: 'app', ...data });
}

/** The same to connect an account there to one's own, which needs the password, if there is one. */
export async function leaveToConnect(provider: string, password: string | undefined): Promise<void> {
  const body = { provider, ...(password !== undefined && { password }) };
  const { data } = await api('POST /v1/auth/social/connect', body, { timeout });
  leaveFor({ purpose: 'link', ...data });
}

/** Goes to the provider's page; this tab stores the values that end the attempt. */
export function leaveFor({ purpose, secret, url }: Pending & { url: string }): void {
  sessionStorage.setItem(key, JSON.stringify({ purpose, secret } satisfies Pending));
  location.assign(url);
}

let returned: SocialReturn | null = null;

/** How the provider sent the browser back to this page. The values work once, and are removed from the address. */
export function readReturn(): SocialReturn {
  returned ??= takeReturn();
  return returned;
}

function takeReturn(): SocialReturn {
  // A provider that posts its answer is led on with it behind `#`.
  const answer = new URLSearchParams(location.search || location.hash.slice(1));
  // The code must not stay in the history or in a screenshot.
  history.replaceState(null, '', location.pathname);
  const pending = takePending();
  const { purpose } = pending ?? { purpose: 'sign_in' };
  const [code, state, iss, error] = ['code', 'state', 'iss', 'error'].map((name) => answer.get(name));
  if (error === 'access_denied' || error === 'user_cancelled_authorize') {
    return { purpose, problem: m.accounts_social_denied() };
  }
  if (error) return { purpose, problem: m.accounts_social_refused() };
  if (!pending || !code || !state) return { purpose, problem: m.accounts_social_expired() };
  return { purpose, body: { secret: pending.secret, state, code, ...(iss && { iss }) } };
}

/** This tab's stored attempt, once; null when it began none. */
function takePending(): Pending | null {
  const kept = sessionStorage.getItem(key);
  sessionStorage.removeItem(key);
  // Written above.
  return kept === null ? null : (JSON.parse(kept) as Pending);
}

const trialKey = 'sign_in_trial';

/** Passes the return values of a provider that the owner tries to the office, in this tab. */
export function keepTrialReturn(back: SocialReturn): void {
  sessionStorage.setItem(trialKey, JSON.stringify(back));
}

/** Once; null when nothing came back. */
export function takeTrialReturn(): SocialReturn | null {
  const kept = sessionStorage.getItem(trialKey);
  sessionStorage.removeItem(trialKey);
  // Written above.
  return kept === null ? null : (JSON.parse(kept) as SocialReturn);
}
