import { type AnchorHTMLAttributes, createContext, type MouseEvent, use, useSyncExternalStore } from 'react';

/** The path that the server renders, and that the browser's first rendering repeats. */
export const FirstPath = createContext('/');

let lastMove: 'push' | 'back' = 'push';
const listeners = new Set<() => void>();

/** Goes to a path of this face without loading a page. A state `{ isSheet: true }` marks what Back should close. */
export function navigate(
  to: string,
  { replace = false, state = null }: { replace?: boolean; state?: unknown } = {},
): void {
  if (replace) history.replaceState(state, '', to);
  else history.pushState(state, '', to);
  lastMove = 'push';
  tellAll();
}

export function usePath(): string {
  const first = use(FirstPath);
  return useSyncExternalStore(subscribe, readPath, () => first);
}

/** `?item=…`, or empty. The server's rendering never sees it: its pages are the same for everyone. */
export function useSearch(): string {
  return useSyncExternalStore(subscribe, readSearch, () => '');
}

/** Whether the page was reached by Back or Forward: then the browser puts the scrolling back by itself. */
export function cameBack(): boolean {
  return lastMove === 'back';
}

/** A link within this face. A new tab, a download or a middle click stay the browser's. */
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

function onPopState(): void {
  lastMove = 'back';
  tellAll();
}

function tellAll(): void {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (listeners.size === 1) addEventListener('popstate', onPopState);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) removeEventListener('popstate', onPopState);
  };
}
