import { useEffect, useState } from 'react';
import { type LocalAccess, localAccess } from '#printing/web/lan/local-network.ts';

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
