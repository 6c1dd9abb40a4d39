import { type RefObject, useEffect, useRef, useState } from 'react';

/** What the words below a list that was cut take of its height, in em. */
const REST = 1.75;

/**
 * For a box whose style says in `--rows` how many lines of text it may show, with one child that holds a list and what
 * follows it: the height that shows whole entries only and leaves room for words below them; null while all of it fits.
 */
export function useFittingHeight(): { box: RefObject<HTMLDivElement | null>; height: number | null } {
  const box = useRef<HTMLDivElement>(null);
  const [height, setHeight] = useState<number | null>(null);
  useEffect(() => {
    const outer = box.current;
    const inner = outer?.firstElementChild;
    if (!outer || !inner) return undefined;
    // Told when it is first drawn and when its width changes; of a ticket far below nothing is measured.
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
  // Half a pixel is a screen's rounding.
  if (height <= most + 0.5) return null;
  const room = most - REST * Number.parseFloat(style.fontSize);
  const whole = [...inner.querySelectorAll(':scope > ul > li')]
    .map((row) => row.getBoundingClientRect().bottom - top)
    .filter((bottom) => bottom <= room);
  // A first dish that is longer than all of the room is cut between two of its lines.
  return whole.at(-1) ?? Math.floor(room / line) * line;
}
