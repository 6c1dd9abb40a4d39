import { useEffect, useState } from 'react';

/**
 * The secret of a mailed link: after `#`, out of logs; in the query in links of earlier releases. Empty without one.
 */
export function useMailedToken(): string {
  const [token] = useState(() => mailedToken(location));
  useEffect(() => {
    // Another link to the same page does not reload it; a jump within the page has no token.
    const follow = () => void (inHash(location.hash) && location.reload());
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return token;
}

/** The secret in a link's address. */
export function mailedToken({ hash, search }: { hash: string; search: string }): string {
  return inHash(hash) || (new URLSearchParams(search).get('token') ?? '');
}

function inHash(hash: string): string {
  return new URLSearchParams(hash.slice(1)).get('token') ?? '';
}
