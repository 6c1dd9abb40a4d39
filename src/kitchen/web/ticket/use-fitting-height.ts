import { type RefObject, useEffect, useRef, useState } from 'react';
import { cutAt } from '#kitchen/ticket-fit.ts';

/** The height that the text below a cut list takes, in em. */
const REST = 1.75;

/**
 * For a box that may be lower than its one child, which holds a list and the text after it. Returns where to cut it, so that it
 * shows whole entries only and has room for that text; null if all fits. A ticket whose list is longer than its column allows is
 * marked: it uses all of its row.
 */
export function useFittingHeight(): { box: RefObject<HTMLDivElement | null>; height: number | null } {
  const box = useRef<HTMLDivElement>(null);
  const [height, setHeight] = useState<number | null>(null);
  useEffect(() => {
    const outer = box.current;
    const inner = outer?.firstElementChild;
    if (!outer || !inner) return undefined;
    // Called when it first renders and when a size changes; a ticket far below the screen is not measured.
    const observer = new ResizeObserver(() => {
      // An opened list has all the room, and can be closed again.
      if (outer.closest('[data-open]')) return;
      outer.closest('[data-ticket]')?.toggleAttribute('data-long', isLong(outer, inner));
      setHeight(fittingHeight(outer, inner));
    });
    observer.observe(outer);
    observer.observe(inner);
    return () => observer.disconnect();
  }, []);
  return { box, height };
}

/** Whether the list is longer than its column allows; it may still be shown whole, where its row is higher. */
function isLong(outer: HTMLElement, inner: Element): boolean {
  const most = Number.parseFloat(getComputedStyle(outer).maxHeight);
  return inner.getBoundingClientRect().height > most + 0.5;
}

function fittingHeight(outer: HTMLElement, inner: Element): number | null {
  const style = getComputedStyle(outer);
  const { top, height } = inner.getBoundingClientRect();
  return cutAt({
    whole: height,
    room: outer.getBoundingClientRect().height,
    rest: REST * Number.parseFloat(style.fontSize),
    line: Number.parseFloat(style.lineHeight),
    ends: [...inner.querySelectorAll(':scope > ul > li')].map((row) => row.getBoundingClientRect().bottom - top),
  });
}
