import { createExternalStore } from '#platform/web/external-store.ts';

/** How far notices at the top may reach, in pixels from the top; null if they are at the bottom. */
export const noticeRoomAtTop = createExternalStore<number | null>(() => null);

/** A ref that shows notices at the top, at most down to this element's end, for a page with its next steps below. */
export function showNoticesOver(element: HTMLElement | null): (() => void) | undefined {
  if (!element) return undefined;
  const observer = new ResizeObserver(() => {
    noticeRoomAtTop.set(Math.round(element.getBoundingClientRect().bottom));
  });
  observer.observe(element);
  // The whole page is observed too: if content above the element wraps to another line, the element moves.
  observer.observe(document.body);
  return () => {
    observer.disconnect();
    noticeRoomAtTop.set(null);
  };
}
