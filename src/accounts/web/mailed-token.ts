import { useEffect, useState } from 'react';

/**
 * The secret of a mailed link, which stands after its `#`, so that no server and no proxy on the way writes it down; in
 * links of earlier releases it is a query. Empty where there is none.
 */
export function useMailedToken(): string {
  const [token] = useState(readMailedToken);
  useEffect(() => {
    // Another link to the same page is no new page to the browser; a jump within the page names no token.
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
