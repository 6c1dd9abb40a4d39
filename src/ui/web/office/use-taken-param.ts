import { useEffect } from 'react';
import { useSearchParams } from 'wouter';

/**
 * A parameter of the address, for one render: it is then removed from the address, so that the same link works again.
 * null without it.
 */
export function useOneTimeParam(name: string): string | null {
  const [params, setParams] = useSearchParams();
  const value = params.get(name);
  useEffect(() => {
    if (value === null) return;
    setParams(
      (all) => {
        const rest = new URLSearchParams(all);
        rest.delete(name);
        return rest;
      },
      { replace: true },
    );
  }, [name, value, setParams]);
  return value;
}
