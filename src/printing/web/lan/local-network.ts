/**
 * What the browser says about reaching devices in the shop's network. `lacking`: it has no way from a secured page.
 * `prompt`: it asks when something is sent there, if the page comes from outside of that network.
 */
export type LocalAccess = 'granted' | 'prompt' | 'denied' | 'lacking' | 'open';

/** Of Chromium 145 and later, and of 142 to 144. */
const names = ['local-network', 'local-network-access'];

/** `open`: a page without encryption in a browser that has no such permission: nothing stands in the way. */
export async function localAccess(): Promise<LocalAccess> {
  for (const name of names) {
    try {
      // The list of names that TypeScript knows is older.
      const { state } = await navigator.permissions.query({ name: name as PermissionName });
      return state;
    } catch {
      // It does not know this name.
    }
  }
  return location.protocol === 'https:' ? 'lacking' : 'open';
}
