import { makeStore } from '#platform/web/store.ts';

/** How far notices at the top may reach, in pixels from the top; null if they are at the bottom. */
export const roomAtTop = makeStore<number | null>(() => null);

/** A ref that shows notices at the top, at most down to this element's end, for a page with its next steps below. */
export function noticesOver(element: HTMLElement | null): (() => void) | undefined {
  if (!element) return undefined;
  const observer = new ResizeObserver(() => {
    roomAtTop.set(Math.round(element.getBoundingClientRect().bottom));
  });
  observer.observe(element);
  // The content above may wrap to another line, which moves the element.
  observer.observe(document.body);
  return () => {
    observer.disconnect();
    roomAtTop.set(null);
  };
}
