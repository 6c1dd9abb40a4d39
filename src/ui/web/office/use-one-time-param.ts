import { useEffect } from 'react';
import { useSearchParams } from 'wouter';

/**
 * Reads a URL parameter and removes it from the URL, so that the same link works a second time; null: the parameter is
 * missing.
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
