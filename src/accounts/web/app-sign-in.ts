import { m } from '#messages';
import { deviceHeaders, enterWith } from '#accounts/web/sign-in-and-out.ts';
import { api } from '#platform/web/api.ts';
import { nativeShell } from '#platform/web/native/native-shell.ts';
import { failureOf } from '#ui/web/form-errors.ts';

const secretName = 'sign_in_verifier';

/**
 * Leaves the app for a sign-in at a provider: the shop's own page does it in a browser, and sends the app a code that
 * works once, for who knows the verifier.
 */
export async function beginAppSignIn(provider: string): Promise<void> {
  const { app, openPage, writeSecret } = nativeShell();
  const verifier = base64url(crypto.getRandomValues(new Uint8Array(32)));
  writeSecret(secretName, verifier);
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  const asked = new URLSearchParams({ provider, challenge: base64url(new Uint8Array(hash)) });
  openPage(`${app?.shop ?? ''}/app/sign-in?${asked}`);
}

/**
 * Ends it with the values of the way back. Returns why nobody is signed in; null when somebody is. Any app and page can
 * make such a link, so only the shop's answer uses the verifier up: after a foreign one, the running sign-in goes on.
 */
export async function endAppSignIn(query: string): Promise<string | null> {
  const said = new URLSearchParams(query);
  const { readSecret, writeSecret } = nativeShell();
  const verifier = readSecret(secretName);
  const [code, problem] = [said.get('app_code'), said.get('problem')];
  if (problem === 'denied') return m.accounts_social_denied();
  if (problem === 'refused' || problem === 'failed') return m.accounts_social_refused();
  if (!code || !verifier) return m.accounts_social_expired();
  try {
    const options = { timeout: 30_000, headers: deviceHeaders() };
    const entrance = await api('POST /v1/auth/social/app-token', { app_code: code, verifier }, options);
    writeSecret(secretName, null);
    await enterWith(entrance);
    return null;
  } catch (error) {
    return failureOf(error).message ?? m.accounts_social_expired();
  }
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
