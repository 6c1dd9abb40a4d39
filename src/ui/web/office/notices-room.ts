import { makeStore } from '#platform/web/store.ts';

/** How far down from the top of the page notices may reach; null: they are at the bottom of the page. */
export const roomAtTop = makeStore<number | null>(() => null);

/**
 * Shows the notices at the top of the page, no lower than the end of this element, for a page whose next steps are
 * below it. Pass this function as the element's ref.
 */
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
