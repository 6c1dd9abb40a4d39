import { useEffect, useRef } from 'react';

/** The space above and below the element, in pixels. */
const room = 16;
/** The element's minimum height (px), below which its lines could not be read. */
const least = 320;

/**
 * Sets `--room` of the parent to the height between the parent's top and the window's bottom. The window's whole height
 * would be too much while the page's header is visible above the parent.
 */
export function ParentHeightFitter() {
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
