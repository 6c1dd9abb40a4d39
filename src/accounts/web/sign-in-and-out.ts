import type { User } from '#accounts/contract.ts';
import { forgetPersonalData } from '#accounts/web/personal-storage.ts';
import { clearUser, clearUserAndToken, readSession, reloadUser } from '#accounts/web/session.ts';
import { api, ApiError, type ApiInput, readToken, saveToken } from '#platform/web/api.ts';
import { nativeShell } from '#platform/web/native/native-shell.ts';

// This file is separate, because every page loads session.ts at its start, and few pages need these functions.

/**
 * Signs in with a password. If the call fails, looks the user up again by the stored token, and throws the ApiError.
 */
export async function signIn(credentials: ApiInput<'POST /v1/auth/login'>): Promise<User> {
  return enter(() => api('POST /v1/auth/login', credentials, { timeout: 20_000, headers: deviceHeaders() }));
}

/** Opens a customer account and signs in with it. Throws ApiError. */
export async function registerCustomer(details: ApiInput<'POST /v1/auth/register/customer'>): Promise<User> {
  return enter(() => api('POST /v1/auth/register/customer', details, { timeout: 20_000, headers: deviceHeaders() }));
}

/** Creates the owner's account and the shop, and signs in. Throws ApiError. */
export async function setUpShop(details: ApiInput<'POST /v1/setup'>): Promise<User> {
  return enter(() => api('POST /v1/setup', details, { timeout: 60_000, headers: deviceHeaders() }));
}

/** Completes a sign-in with a provider from the values in its redirect. Throws ApiError. */
export async function completeSocialSignIn(answer: ApiInput<'POST /v1/auth/social/end'>): Promise<User> {
  return enter(() => api('POST /v1/auth/social/end', answer, { timeout: 30_000, headers: deviceHeaders() }));
}

/** Signs this browser in as an order board, with a device code from the office. Throws ApiError. */
export async function signInAsDevice(code: string): Promise<User> {
  return enter(
    async () => (await api('POST /v1/devices/sign-in', { code, kind: 'browser' }, { timeout: 20_000 })).data,
  );
}

/** Connects an identity at a provider to the signed-in person's account. Throws ApiError. */
export async function connectIdentity(answer: ApiInput<'POST /v1/auth/identities'>): Promise<void> {
  await api('POST /v1/auth/identities', answer, { timeout: 30_000 });
}

/** Ends every sign-in of the user, including this one. If the call fails, throws ApiError and changes nothing. */
export async function signOutEverywhere(): Promise<void> {
  await api('POST /v1/auth/logout-everywhere', {}, { timeout: 20_000 });
  clearSignedInPerson();
}

/**
 * Clears the user, the token and the person's data in this browser. A failure of the server to end the sign-in is
 * ignored; the caller goes to `/`.
 */
export async function signOut(): Promise<void> {
  const ending = readToken()
    ? api('POST /v1/auth/logout', {}, { timeout: 5000, keepalive: true }).catch(() => null)
    : null;
  clearSignedInPerson();
  await ending;
}

/**
 * Clears the user, the token and the person's data in this browser, after the server has ended the sign-in or the
 * account.
 */
export function clearSignedInPerson(): void {
  clearUserAndToken();
  forgetPersonalData();
}

interface SignInResult {
  token: string;
  /** The token of this known device; missing for an order board, which is a device itself. */
  device_token?: string;
}

async function enter(call: () => Promise<SignInResult>): Promise<User> {
  const answer = await call().catch(async (error: unknown) => {
    clearUser();
    await reloadUser();
    throw error;
  });
  return completeSignIn(answer);
}

/**
 * Completes a sign-in: stores the tokens of the server's answer in this browser, and looks the user up. Throws ApiError
 * if the user cannot be looked up.
 */
export async function completeSignIn({ token, device_token: device }: SignInResult): Promise<User> {
  saveToken(token);
  if (device !== undefined) saveDeviceToken(device);
  await reloadUser();
  const { user } = readSession();
  if (!user) throw new ApiError(0, { code: 'offline' });
  if (user.role !== 'customer') recordStaffSignIn();
  return user;
}

const name = 'known_device';

/**
 * The headers of a sign-in that name this known device, so that no mail about a new device is sent. The device token
 * survives signing out.
 */
export function deviceHeaders(): Record<string, string> {
  const token = readDevice();
  return token === null ? {} : { 'x-known-device': token };
}

export function saveDeviceToken(token: string): void {
  nativeShell().writeSecret(name, token);
}

const staffKey = 'staff_here';

/** Records that staff have signed in with this browser, which then offers the sign-in by passkey. */
export function recordStaffSignIn(): void {
  try {
    localStorage.setItem(staffKey, '1');
  } catch {
    // A failed write is ignored. The sign-in page still offers the passkey if the sign-in leads to a staff page, or if
    // the account needs a second factor.
  }
}

export function hadStaffSignIn(): boolean {
  try {
    return localStorage.getItem(staffKey) !== null;
  } catch {
    return false;
  }
}

function readDevice(): string | null {
  try {
    return nativeShell().readSecret(name);
  } catch {
    return null;
  }
}
