import { createExternalStore } from '#platform/web/external-store.ts';

/** The height of the space for notices at the top of the screen (px); null: notices are at the bottom. */
export const noticeSpaceAtTop = createExternalStore<number | null>(() => null);

let spaceAbove: number | null = null;
let panelsOpen = 0;
const publish = (): void => noticeSpaceAtTop.set(panelsOpen > 0 ? null : spaceAbove);

/**
 * A ref callback that moves notices to the top of the screen. Notices may cover this element, but never the buttons
 * below it.
 */
export function moveNoticesToTop(element: HTMLElement | null): (() => void) | undefined {
  if (!element) return undefined;
  const observer = new ResizeObserver(() => {
    // The distance is measured from the page's top, not from the screen's top. On a scrolled page, the element may be
    // above the screen, and notices would have no room.
    spaceAbove = Math.round(element.getBoundingClientRect().bottom + scrollY);
    publish();
  });
  observer.observe(element);
  // The page is observed, too, because content above the element may wrap and so move the element.
  observer.observe(document.body);
  return () => {
    observer.disconnect();
    spaceAbove = null;
    publish();
  };
}

/**
 * A ref callback for a panel with its controls at the top. While the panel is shown, notices stay at the bottom, so
 * that they do not cover these controls.
 */
export function keepNoticesAtBottom(element: HTMLElement | null): (() => void) | undefined {
  if (!element) return undefined;
  panelsOpen += 1;
  publish();
  return () => {
    panelsOpen -= 1;
    publish();
  };
}
