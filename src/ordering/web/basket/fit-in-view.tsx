import { useEffect, useRef } from 'react';

/** Pixels above and below the part. */
const room = 16;
/** Pixels: with less, its lines could not be read. */
const least = 320;

/**
 * Keeps the part around it as high as the window has room below its top, in `--room`. At the top of a page a sticky
 * part stands below the page's head, and its foot would be out of view.
 */
export function FitInView() {
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
