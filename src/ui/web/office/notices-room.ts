import { makeStore } from '#platform/web/store.ts';

/** How far notices may reach from the top; null: at the bottom. */
export const roomAtTop = makeStore<number | null>(() => null);

/** Notices at the top, at most to this element's end, for a page with its next steps below. A ref. */
export function noticesOver(element: HTMLElement | null): (() => void) | undefined {
  if (!element) return undefined;
  const observer = new ResizeObserver(() => {
    roomAtTop.set(Math.round(element.getBoundingClientRect().bottom));
  });
  observer.observe(element);
  // The content above it may wrap to another line, which moves it.
  observer.observe(document.body);
  return () => {
    observer.disconnect();
    roomAtTop.set(null);
  };
}
