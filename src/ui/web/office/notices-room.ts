import { createExternalStore } from '#platform/web/external-store.ts';

/** The height of the space for notices at the top of the screen (px); null: notices are at the bottom. */
export const noticeSpaceAtTop = createExternalStore<number | null>(() => null);

let spaceAbove: number | null = null;
let panelsOpen = 0;
const publish = (): void => noticeSpaceAtTop.set(panelsOpen > 0 ? null : spaceAbove);

/**
 * A ref callback that moves notices to the top of the screen. There they stay above the element's lower edge, so that
 * they never cover the buttons below the element.
 */
export function showNoticesAbove(element: HTMLElement | null): (() => void) | undefined {
  if (!element) return undefined;
  const observer = new ResizeObserver(() => {
    // The place on the page and not on the screen, so that a scrolled page has room, too.
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
export function showNoticesBelow(element: HTMLElement | null): (() => void) | undefined {
  if (!element) return undefined;
  panelsOpen += 1;
  publish();
  return () => {
    panelsOpen -= 1;
    publish();
  };
}
