import { useEffect } from 'react';
import { toLanguage } from '#platform/language.ts';
import { api } from '#platform/web/api.ts';

/**
 * Whoever is signed in and chooses another language of the page has chosen it for their mails too. Sent as the page is left;
 * should it be lost, the profile shows so.
 */
export function useKeptLanguage(): void {
  useEffect(() => {
    const keep = ({ target }: MouseEvent) => {
      const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[hreflang]') : null;
      const locale = toLanguage(link?.hreflang);
      if (locale) api('PATCH /v1/auth/user', { locale }, { timeout: 5000, keepalive: true }).catch(() => undefined);
    };
    document.addEventListener('click', keep);
    return () => document.removeEventListener('click', keep);
  }, []);
}
