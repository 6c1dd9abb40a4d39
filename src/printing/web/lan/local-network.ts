/**
 * The browser's permission for devices in the shop's network. `lacking`: it has no way from a secured page. `prompt`:
 * it asks when something is sent there, if the page comes from outside of that network.
 */
export type LocalAccess = 'granted' | 'prompt' | 'denied' | 'lacking' | 'open';

/** Of Chromium 145 and later, and of 142 to 144. */
const names = ['local-network', 'local-network-access'];

/** The browser's permission, which tells when it changes; null: it has no such permission. */
export async function localPermission(): Promise<PermissionStatus | null> {
  for (const name of names) {
    try {
      // The list of names that TypeScript knows is older.
      return await navigator.permissions.query({ name: name as PermissionName });
    } catch {
      // It does not know this name.
    }
  }
  return null;
}

/** `open`: a page without encryption in a browser that has no such permission: nothing stands in the way. */
export async function localAccess(): Promise<LocalAccess> {
  const permission = await localPermission();
  if (permission) return permission.state;
  return location.protocol === 'https:' ? 'lacking' : 'open';
}
