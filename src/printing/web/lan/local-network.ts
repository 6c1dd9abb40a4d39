import { useEffect, useState } from 'react';

/**
 * The browser's permission for the local network. `prompt`: the browser asks at the first request. In a browser without
 * such a permission, a secure page cannot send to the local network (`lacking`), but an insecure page can (`open`).
 */
type LocalAccess = 'granted' | 'prompt' | 'denied' | 'lacking' | 'open';

/** The permission's name in Chromium 145 and later, and in 142 to 144. */
const names = ['local-network', 'local-network-access'];

/** The browser's local network permission, with its change event; null if the browser has none. */
export async function findLocalNetworkPermission(): Promise<PermissionStatus | null> {
  for (const name of names) {
    try {
      // TypeScript's list of permission names lacks this name.
      return await navigator.permissions.query({ name: name as PermissionName });
    } catch {
      // The browser does not know this name, so the next name is tried.
    }
  }
  return null;
}

/**
 * Reads the local network permission. `open`: the page is insecure and the browser has no such permission, so nothing
 * blocks requests.
 */
export async function readLocalNetworkAccess(): Promise<LocalAccess> {
  const permission = await findLocalNetworkPermission();
  if (permission) return permission.state;
  return location.protocol === 'https:' ? 'lacking' : 'open';
}

/**
 * Returns the local network permission. It is read again every two seconds and when the page is shown, because the user
 * may change it in the settings.
 */
export function useLocalNetworkAccess(): LocalAccess | null {
  const [access, setAccess] = useState<LocalAccess | null>(null);
  useEffect(() => {
    let isShown = true;
    const look = () => void readLocalNetworkAccess().then((found) => isShown && setAccess(found));
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
