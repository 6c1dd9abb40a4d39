import { type AnchorHTMLAttributes, createContext, type MouseEvent, use, useSyncExternalStore } from 'react';
import { createWindowSubscriber } from '#platform/web/window-events.ts';
import { createExternalStore } from '#platform/web/external-store.ts';

/** The path that the server rendered, which the browser's first render must use. */
export const InitialPathContext = createContext('/');

const lastMove = createExternalStore<'push' | 'back'>(
  () => 'push',
  createWindowSubscriber('popstate', () => lastMove.set('back')),
);

/**
 * Navigates within this front end, without a page load. The state `{ isSheet: true }` marks a sheet that Back closes.
 */
export function navigate(
  to: string,
  { replace = false, state = null }: { replace?: boolean; state?: unknown } = {},
): void {
  if (replace) history.replaceState(state, '', to);
  else history.pushState(state, '', to);
  lastMove.set('push');
}

export function usePath(): string {
  const first = use(InitialPathContext);
  return useSyncExternalStore(lastMove.subscribe, readPath, () => first);
}

/**
 * The query of the URL, such as `?item=…`, or an empty text. The server renders every page without a query, so that all
 * visitors get the same page.
 */
export function useQueryString(): string {
  return useSyncExternalStore(lastMove.subscribe, readSearch, () => '');
}

/** Whether Back or Forward led to this page; then the browser restores the scroll position. */
export function isHistoryNavigation(): boolean {
  return lastMove.read() === 'back';
}

/**
 * A link within this front end. The browser itself handles clicks with another button or a modifier key, and links with
 * a `target`.
 */
export function Link({ href, onClick, children, ...rest }: AnchorHTMLAttributes<HTMLAnchorElement> & { href: string }) {
  const go = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    if (!isPlainClick(event) || rest.target) return;
    event.preventDefault();
    navigate(href);
  };
  return (
    <a href={href} onClick={go} {...rest}>
      {children}
    </a>
  );
}

export function isPlainClick(event: MouseEvent): boolean {
  return (
    !event.defaultPrevented && event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
  );
}

function readPath(): string {
  return location.pathname;
}

function readSearch(): string {
  return location.search;
}
