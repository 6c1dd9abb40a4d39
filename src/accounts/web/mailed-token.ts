import { useEffect, useState } from 'react';

/**
 * The secret token in the address of a mailed link; empty if the address has no token. The token is after `#`, so that
 * no server logs it; links of earlier releases have the token in the query.
 */
export function useMailedToken(): string {
  const [token] = useState(() => readMailedToken(location));
  useEffect(() => {
    // A second mailed link to this page changes only the fragment, so the browser does not reload the page by itself. A
    // jump within the page has no token and needs no reload.
    const follow = () => void (inHash(location.hash) && location.reload());
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return token;
}

/** Reads the secret token from a link's address; empty if the address has no token. */
export function readMailedToken({ hash, search }: { hash: string; search: string }): string {
  return inHash(hash) || (new URLSearchParams(search).get('token') ?? '');
}

function inHash(hash: string): string {
  return new URLSearchParams(hash.slice(1)).get('token') ?? '';
}
