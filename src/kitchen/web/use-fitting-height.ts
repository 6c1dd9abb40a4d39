import { type RefObject, useEffect, useRef, useState } from 'react';

/** The height that the text below a cut list takes, in em. */
const REST = 1.75;

/**
 * For a box whose style says in `--rows` how many lines of text it may show, and whose one child holds a list and
 * the text after it. Returns the height that shows whole entries only and has room for that text; null if all fits.
 */
export function useFittingHeight(): { box: RefObject<HTMLDivElement | null>; height: number | null } {
  const box = useRef<HTMLDivElement>(null);
  const [height, setHeight] = useState<number | null>(null);
  useEffect(() => {
    const outer = box.current;
    const inner = outer?.firstElementChild;
    if (!outer || !inner) return undefined;
    // Called when it first renders and when its width changes; a ticket far below the screen is not measured.
    const observer = new ResizeObserver(() => setHeight(fittingHeight(outer, inner)));
    observer.observe(inner);
    return () => observer.disconnect();
  }, []);
  return { box, height };
}

function fittingHeight(outer: HTMLElement, inner: Element): number | null {
  const style = getComputedStyle(outer);
  const line = Number.parseFloat(style.lineHeight);
  const most = Number.parseFloat(style.getPropertyValue('--rows')) * line;
  const { top, height } = inner.getBoundingClientRect();
  // Half a pixel comes from the screen's rounding.
  if (height <= most + 0.5) return null;
  const room = most - REST * Number.parseFloat(style.fontSize);
  const whole = [...inner.querySelectorAll(':scope > ul > li')]
    .map((row) => row.getBoundingClientRect().bottom - top)
    .filter((bottom) => bottom <= room);
  // A first dish that is higher than all of the room is cut between two of its lines.
  return whole.at(-1) ?? Math.floor(room / line) * line;
}
