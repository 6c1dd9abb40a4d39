import { useEffect } from 'react';
import { toLanguage } from '#platform/language.ts';
import { api } from '#platform/web/api.ts';

/**
 * If a signed-in person chooses another language on the page, their mails use it too. Sent when the page is left; if
 * that fails, the profile shows the old one.
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
