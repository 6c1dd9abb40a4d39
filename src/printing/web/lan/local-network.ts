import { useEffect, useState } from 'react';

/**
 * The browser's permission for devices in the shop's network. `lacking`: it has no way from a secured page. `prompt`:
 * it asks when something is sent there, if the page comes from outside of that network.
 */
type LocalAccess = 'granted' | 'prompt' | 'denied' | 'lacking' | 'open';

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

/** The browser's permission, asked again when the page is shown again: people change it in the browser's settings. */
export function useLocalAccess(): LocalAccess | null {
  const [access, setAccess] = useState<LocalAccess | null>(null);
  useEffect(() => {
    let isShown = true;
    const look = () => void localAccess().then((found) => isShown && setAccess(found));
    look();
    const timer = setInterval(look, 2000);
    document.addEventListener('visibilitychange', look);
    return () => {
      isShown = false;
      clearInterval(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, []);
  return access;
}
