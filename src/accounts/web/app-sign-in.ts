import { m } from '#messages';
import { deviceHeaders, completeSignIn } from '#accounts/web/sign-in-and-out.ts';
import { api } from '#platform/web/api.ts';
import { nativeShell } from '#platform/web/native/native-shell.ts';
import { formFailureOf } from '#ui/web/form-errors.ts';

const secretName = 'sign_in_verifier';

/**
 * Opens the shop's page in the browser for a sign-in at a provider. The page returns a one-time code, which works only
 * with the stored verifier.
 */
export async function openBrowserForAppSignIn(provider: string): Promise<void> {
  const { app, openPage, writeSecret } = nativeShell();
  const verifier = base64url(crypto.getRandomValues(new Uint8Array(32)));
  writeSecret(secretName, verifier);
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  const asked = new URLSearchParams({ provider, challenge: base64url(new Uint8Array(hash)) });
  openPage(`${app?.shop ?? ''}/app/sign-in?${asked}`);
}

/**
 * Ends the app's sign-in with the query of the link that opened the app. Returns the problem in words; null on success.
 * Other apps and pages can forge such a link, so the verifier is deleted only after the shop has accepted the code.
 */
export async function finishAppSignIn(query: string): Promise<string | null> {
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
    await completeSignIn(entrance);
    return null;
  } catch (error) {
    return formFailureOf(error).message ?? m.accounts_social_expired();
  }
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
