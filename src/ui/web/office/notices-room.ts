import { createExternalStore } from '#platform/web/external-store.ts';

/** The height down to which notices at the top may reach, in pixels; null if notices are at the bottom. */
export const noticeSpaceAtTop = createExternalStore<number | null>(() => null);

let spaceAbove: number | null = null;
let panelsOpen = 0;
const publish = (): void => noticeSpaceAtTop.set(panelsOpen > 0 ? null : spaceAbove);

/**
 * A ref callback that moves notices to the top, where they may reach down to this element's end. It is for a page whose
 * next steps are below.
 */
export function showNoticesAbove(element: HTMLElement | null): (() => void) | undefined {
  if (!element) return undefined;
  const observer = new ResizeObserver(() => {
    spaceAbove = Math.round(element.getBoundingClientRect().bottom);
    publish();
  });
  observer.observe(element);
  // The page is observed as well, because content above the element that wraps to another line moves the element.
  observer.observe(document.body);
  return () => {
    observer.disconnect();
    spaceAbove = null;
    publish();
  };
}

/** A ref callback that keeps notices at the bottom while this element, whose next steps are at its top, is shown. */
export function showNoticesBelow(element: HTMLElement | null): (() => void) | undefined {
  if (!element) return undefined;
  panelsOpen += 1;
  publish();
  return () => {
    panelsOpen -= 1;
    publish();
  };
}
