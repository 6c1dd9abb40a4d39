import { useEffect } from 'react';
import { navigate } from 'wouter/use-browser-location';
import { m } from '#messages';
import { confirm } from '#ui/web/office/confirm.tsx';

/** Asks before unsaved changes are lost by leaving the page. Moving within the page does not ask. */
export function useLeaveGuard(isChanged: boolean): void {
  useEffect(() => {
    if (!isChanged) return undefined;
    let hasAgreed = false;
    const ask = async (url: URL): Promise<void> => {
      const goes = await confirm({
        title: m.store_manage_leave_title(),
        body: m.store_manage_leave_words(),
        action: m.store_manage_leave(),
        isDangerous: true,
      });
      if (!goes) return;
      hasAgreed = true;
      if (url.origin === location.origin) navigate(url.pathname + url.search);
      else location.assign(url);
    };
    const stop = (event: Event, href: string): void => {
      const url = new URL(href, location.href);
      if (hasAgreed || !event.cancelable || url.pathname === location.pathname) return;
      event.preventDefault();
      void ask(url);
    };
    const onUnload = (event: Event): void => {
      if (!hasAgreed) event.preventDefault();
    };
    const onNavigate = (event: NavigateEvent): void => stop(event, event.destination.url);
    // For browsers without the Navigation API: links only.
    const onClick = (event: MouseEvent): void => {
      const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
      if (link && !event.ctrlKey && !event.metaKey) stop(event, link.getAttribute('href') ?? '');
    };
    const hasNavigation = 'navigation' in window;
    addEventListener('beforeunload', onUnload);
    if (hasNavigation) navigation.addEventListener('navigate', onNavigate);
    else document.addEventListener('click', onClick, true);
    return () => {
      removeEventListener('beforeunload', onUnload);
      if (hasNavigation) navigation.removeEventListener('navigate', onNavigate);
      else document.removeEventListener('click', onClick, true);
    };
  }, [isChanged]);
}
