import { useEffect, useRef } from 'react';

/** The space above and below the element, in pixels. */
const room = 16;
/** The minimum height in pixels; below it the lines in the element could not be read. */
const least = 320;

/**
 * Sets `--room` of the parent element to the window's height below the element's top. At the top of a page a sticky
 * element is below the header, and its end would be out of view.
 */
export function ParentHeightToWindow() {
  const mark = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const part = mark.current?.parentElement;
    if (!part) return undefined;
    const fit = () => {
      const top = Math.max(room, part.getBoundingClientRect().top);
      part.style.setProperty('--room', `${Math.max(least, innerHeight - top - room)}px`);
    };
    const observer = new ResizeObserver(fit);
    observer.observe(document.body);
    addEventListener('scroll', fit, { passive: true });
    addEventListener('resize', fit);
    fit();
    return () => {
      observer.disconnect();
      removeEventListener('scroll', fit);
      removeEventListener('resize', fit);
    };
  }, []);
  return <span ref={mark} hidden />;
}
