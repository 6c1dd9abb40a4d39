import { createExternalStore } from '#platform/web/external-store.ts';

/** The lower limit of notices at the screen's top, in pixels; null: notices are at the bottom. */
export const noticeSpaceAtTop = createExternalStore<number | null>(() => null);

let spaceAbove: number | null = null;
let panelsOpen = 0;
const publish = (): void => noticeSpaceAtTop.set(panelsOpen > 0 ? null : spaceAbove);

/**
 * A ref callback that moves notices to the top, down to this element's lower edge at most. It is for a page whose next
 * steps are below.
 */
export function showNoticesAbove(element: HTMLElement | null): (() => void) | undefined {
  if (!element) return undefined;
  const observer = new ResizeObserver(() => {
    spaceAbove = Math.round(element.getBoundingClientRect().bottom);
    publish();
  });
  observer.observe(element);
  // The page is observed in addition, because content above the element may wrap and move it.
  observer.observe(document.body);
  return () => {
    observer.disconnect();
    spaceAbove = null;
    publish();
  };
}

/**
 * A ref callback that keeps notices at the bottom while this element is shown, because its next steps are at its top.
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
