import { nativeShell } from '#platform/web/native/native-shell.ts';

const name = 'known_device';

/**
 * The headers of a sign-in that name this device, so that its owner gets no mail about a new one. They outlive signing
 * out.
 */
export function deviceHeaders(): Record<string, string> {
  const token = readDevice();
  return token === null ? {} : { 'x-known-device': token };
}

export function keepDevice(token: string): void {
  nativeShell().writeSecret(name, token);
}

const staffKey = 'staff_here';

/** Called when a member of staff signed in: from now on their ways in are offered in this browser. */
export function noteStaff(): void {
  try {
    localStorage.setItem(staffKey, '1');
  } catch {
    // Their pages lead to the same ways in.
  }
}

export function hasSeenStaff(): boolean {
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
