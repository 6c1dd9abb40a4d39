import { useEffect, useState } from 'react';

/**
 * The secret of a mailed link. It is after the `#`, so that no server or proxy logs it; in
 * links of earlier releases it is in the query. Empty if there is none.
 */
export function useMailedToken(): string {
  const [token] = useState(readMailedToken);
  useEffect(() => {
    // Opening another link to the same page does not load it again; a jump within the page has no token.
    const follow = () => void (inHash() && location.reload());
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return token;
}

function readMailedToken(): string {
  return inHash() || (new URLSearchParams(location.search).get('token') ?? '');
}

function inHash(): string {
  return new URLSearchParams(location.hash.slice(1)).get('token') ?? '';
}
