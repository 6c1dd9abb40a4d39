import { nativeShell } from '#platform/web/native/native-shell.ts';

const name = 'known_device';

/** What a sign-in sends, so that the account's owner is not told of this device as of a new one. It outlives signing out. */
export function deviceHeaders(): Record<string, string> {
  const token = readDevice();
  return token === null ? {} : { 'x-known-device': token };
}

export function keepDevice(token: string): void {
  nativeShell().writeSecret(name, token);
}

function readDevice(): string | null {
  try {
    return nativeShell().readSecret(name);
  } catch {
    return null;
  }
}
