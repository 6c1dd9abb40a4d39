import type { SignInProviderKind, SignInPurpose } from '#database/column-values.ts';
import { m } from '#messages';
import type { SignInChoice } from '#accounts/sign-in-kinds.ts';
import { api } from '#platform/web/api.ts';
import { nativeShell } from '#platform/web/native/native-shell.ts';
import { readPageData } from '#platform/web/page-data.ts';
import { useState } from 'react';
import { formFailureOf } from '#ui/web/form-errors.ts';

const key = 'sign_in_attempt';
/** The timeout in milliseconds; it is long, because the server first fetches the provider's metadata. */
const timeout = 25_000;

/** This tab's sign-in attempt at a provider: its purpose, and the secret that ends the attempt. */
interface Pending {
  purpose: SignInPurpose;
  secret: string;
}

/** The body of the call that ends the attempt, or the problem that prevents the call. */
export type ProviderRedirect = Pick<Pending, 'purpose'> &
  ({ body: { secret: string; state: string; code: string; iss?: string } } | { problem: string });

export function signInChoices(): SignInChoice[] {
  return readPageData().config.signIn;
}

/** Goes to the provider's page to sign in. Throws ApiError if the sign-in cannot begin. */
async function leaveToSignIn(provider: string): Promise<void> {
  if (nativeShell().app) return (await import('#accounts/web/app-sign-in.ts')).openBrowserForAppSignIn(provider);
  const { data } = await api('POST /v1/auth/social/begin', { provider }, { timeout });
  openProviderPage({ purpose: 'sign_in', ...data });
}

/**
 * Goes to the provider's page for a sign-in of the app, with the app's challenge. The sign-in ends with a code for the
 * app.
 */
export async function beginAppSignInInBrowser(provider: string | undefined, challenge: string): Promise<void> {
  const body = { app_challenge: challenge, ...(provider !== undefined && { provider }) };
  const { data } = await api('POST /v1/auth/social/begin', body, { timeout });
  openProviderPage({ purpose: 'app', ...data });
}

/**
 * Goes to the provider's page to connect an identity there to the visitor's account. An account with a password needs
 * the password.
 */
export async function beginConnectingIdentity(provider: string, password: string | undefined): Promise<void> {
  const body = { provider, ...(password !== undefined && { password }) };
  const { data } = await api('POST /v1/auth/social/connect', body, { timeout });
  openProviderPage({ purpose: 'link', ...data });
}

/** Goes to the provider's page; this tab stores the values that end the attempt. */
export function openProviderPage({ purpose, secret, url }: Pending & { url: string }): void {
  sessionStorage.setItem(key, JSON.stringify({ purpose, secret } satisfies Pending));
  location.assign(url);
}

let returned: ProviderRedirect | null = null;

/** The values of the provider's redirect. The values work once, and are removed from the address. */
export function readProviderRedirect(): ProviderRedirect {
  returned ??= takeReturn();
  return returned;
}

function takeReturn(): ProviderRedirect {
  // A provider may post its answer to the server. The server then redirects here, with the values behind `#`
  // (`serveProviderFormPost`).
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

/** Returns and deletes this tab's stored attempt; null: none is stored. */
function takePending(): Pending | null {
  const kept = sessionStorage.getItem(key);
  sessionStorage.removeItem(key);
  // The cast is right: only this file writes the key.
  return kept === null ? null : (JSON.parse(kept) as Pending);
}

const trialKey = 'sign_in_trial';

export function saveTrialRedirect(back: ProviderRedirect): void {
  sessionStorage.setItem(trialKey, JSON.stringify(back));
}

/** Returns and deletes the stored values of a trial sign-in; null: none are stored. */
export function consumeTrialRedirect(): ProviderRedirect | null {
  const kept = sessionStorage.getItem(trialKey);
  sessionStorage.removeItem(trialKey);
  // The cast is right: only this file writes the key.
  return kept === null ? null : (JSON.parse(kept) as ProviderRedirect);
}

interface SocialButtonsProps {
  onLeave?: () => void;
  /** Whether the buttons are below a form; then the word “or” introduces them. */
  isAfterForm?: boolean;
}

export function SocialSignInButtons({ onLeave, isAfterForm = false }: SocialButtonsProps) {
  const [state, setState] = useState<{ leavingFor: string | null; message?: string | undefined }>({ leavingFor: null });
  const choices = signInChoices();
  if (choices.length === 0) return null;
  const go = ({ id }: SignInChoice) => {
    if (state.leavingFor !== null) return;
    setState({ leavingFor: id });
    onLeave?.();
    leaveToSignIn(id).catch((error: unknown) => setState({ leavingFor: null, message: formFailureOf(error).message }));
  };
  return (
    <div className="grid gap-3">
      {isAfterForm && <p className="text-center text-ink-soft">{m.accounts_or()}</p>}
      {choices.map((choice) => (
        <SocialButton
          key={choice.id}
          choice={choice}
          isLeaving={state.leavingFor === choice.id}
          onClick={() => go(choice)}
        />
      ))}
      {state.message && (
        <p role="alert" className="font-semibold text-bad-text">
          {state.message}
        </p>
      )}
    </div>
  );
}

const looks: Record<SignInChoice['kind'], string> = {
  google: 'btn-google',
  apple: 'btn-apple',
  other: 'btn-quiet min-h-13 text-lg',
};

function SocialButton(props: { choice: Omit<SignInChoice, 'id'>; isLeaving: boolean; onClick: () => void }) {
  const { choice, isLeaving, onClick } = props;
  return (
    <button
      type="button"
      className={`btn ${looks[choice.kind]}`}
      aria-disabled={isLeaving}
      aria-busy={isLeaving}
      onClick={onClick}
    >
      <SignInProviderLogo kind={choice.kind} />
      {m.accounts_social_continue({ name: choice.name })}
    </button>
  );
}

/** The company's logo in its own colours, as Google and Apple require; nothing for other providers. */
export function SignInProviderLogo({ kind }: { kind: SignInProviderKind }) {
  if (kind === 'google') return <GoogleMark />;
  return kind === 'apple' ? <AppleMark /> : null;
}

function GoogleMark() {
  return (
    <svg aria-hidden="true" viewBox="0 0 48 48" width="20" height="20">
      <path
        fill="#EA4335"
        d="M24 9.5c3.5 0 6.7 1.2 9.2 3.6l6.9-6.9C35.9 2.4 30.5 0 24 0 14.6 0 6.5 5.4 2.6 13.2l8 6.2C12.4 13.7 17.7 9.5 24 9.5z"
      />
      <path
        fill="#4285F4"
        d="M47 24.6c0-1.6-.2-3.1-.4-4.6H24v9h12.9c-.6 3-2.2 5.5-4.8 7.2l7.7 6C44.4 38 47 31.9 47 24.6z"
      />
      <path
        fill="#FBBC05"
        d="M10.5 28.6c-.5-1.5-.8-3-.8-4.6s.3-3.1.8-4.6l-8-6.2C.9 16.5 0 20.1 0 24s.9 7.5 2.6 10.8l7.9-6.2z"
      />
      <path
        fill="#34A853"
        d="M24 48c6.5 0 11.9-2.1 15.9-5.8l-7.7-6c-2.2 1.5-4.9 2.3-8.2 2.3-6.3 0-11.6-4.2-13.5-9.9l-8 6.2C6.5 42.6 14.6 48 24 48z"
      />
    </svg>
  );
}

function AppleMark() {
  return (
    <svg aria-hidden="true" viewBox="0 0 24 24" width="22" height="22" fill="currentColor">
      <path d="M16.37 12.74c.02 2.6 2.28 3.47 2.3 3.48-.02.06-.36 1.24-1.19 2.45-.72 1.05-1.46 2.1-2.64 2.12-1.15.02-1.52-.68-2.84-.68-1.31 0-1.73.66-2.81.7-1.13.05-2-1.13-2.72-2.18-1.48-2.14-2.62-6.05-1.09-8.69a4.22 4.22 0 0 1 3.56-2.16c1.11-.02 2.16.75 2.84.75.68 0 1.96-.93 3.3-.79.56.02 2.14.23 3.15 1.7-.08.05-1.88 1.1-1.86 3.3M14.2 6.34c.6-.73 1-1.74.9-2.75-.87.04-1.92.58-2.54 1.31-.56.64-1.05 1.68-.92 2.66.97.08 1.96-.49 2.56-1.22" />
    </svg>
  );
}
