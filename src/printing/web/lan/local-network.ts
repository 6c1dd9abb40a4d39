import { useEffect, useState } from 'react';

/**
 * The browser's permission for the local network. `lacking`: there is no such permission, and a secure page cannot send
 * there. `prompt`: the browser asks at the first request from outside that network. `open`: an insecure page needs
 * none.
 */
type LocalAccess = 'granted' | 'prompt' | 'denied' | 'lacking' | 'open';

/** The permission's name in Chromium 145 and later, and in 142 to 144. */
const names = ['local-network', 'local-network-access'];

/** The browser's permission with its change event; null if it has none. */
export async function localNetworkPermission(): Promise<PermissionStatus | null> {
  for (const name of names) {
    try {
      // The cast is needed because TypeScript's list of permissions lacks this name.
      return await navigator.permissions.query({ name: name as PermissionName });
    } catch {
      // The error means that the browser does not know this name; the next one is tried.
    }
  }
  return null;
}

/**
 * Reads the permission. `open`: the page is insecure and the browser has no such permission, so nothing blocks
 * requests.
 */
export async function localNetworkAccess(): Promise<LocalAccess> {
  const permission = await localNetworkPermission();
  if (permission) return permission.state;
  return location.protocol === 'https:' ? 'lacking' : 'open';
}

/**
 * The browser's permission, read again every two seconds and when the page is shown, because the user may change it in
 * the settings.
 */
export function useLocalNetworkAccess(): LocalAccess | null {
  const [access, setAccess] = useState<LocalAccess | null>(null);
  useEffect(() => {
    let isShown = true;
    const look = () => void localNetworkAccess().then((found) => isShown && setAccess(found));
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
