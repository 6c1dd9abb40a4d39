import { Button } from '@mantine/core';
import { type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { type BannerSize, foldBanners } from '#kitchen/banner-fold.ts';
import classes from '#kitchen/web/board/banner.module.css';
import { m } from '#messages';

/** All banners in one low line, so that the tickets keep their room. What has no room there is in a list that opens over them. */
export function BannerStrip({ children }: { children: ReactNode }) {
  const strip = useRef<HTMLDivElement>(null);
  const { folded, isCut } = useFold(strip);
  const [isWanted, setWanted] = useState(false);
  const [height, setHeight] = useState(0);
  const hasMore = folded > 0 || isCut;
  const isOpen = isWanted && hasMore;
  const toggle = (): void => {
    // The tickets keep their places while the list is open.
    setHeight(strip.current?.offsetHeight ?? 0);
    setWanted(!isOpen);
  };
  return (
    <div
      ref={strip}
      className={classes.strip}
      data-banners
      data-open={isOpen || undefined}
      style={{ minHeight: isOpen ? height : undefined }}
    >
      <div className={classes.line} onClickCapture={({ target }) => isButton(target) && setWanted(false)}>
        {children}
      </div>
      {hasMore && (
        <Button variant="default" className={classes.more} aria-expanded={isOpen} onClick={toggle}>
          {isOpen
            ? m.kitchen_banners_fewer()
            : folded > 0
              ? m.kitchen_banners_more({ count: folded })
              : m.kitchen_banners_whole()}
        </Button>
      )}
    </div>
  );
}

function isButton(target: EventTarget): boolean {
  return target instanceof Element && target.closest('button') !== null;
}

interface Fold {
  folded: number;
  isCut: boolean;
}

/** Marks the banners that have no room, whenever their words or the screen change. */
function useFold(strip: RefObject<HTMLDivElement | null>): Fold {
  const [fold, setFold] = useState<Fold>({ folded: 0, isCut: false });
  useLayoutEffect(() => {
    const outer = strip.current;
    const line = outer?.firstElementChild;
    if (!outer || !line) return undefined;
    const look = (): void => {
      const next = foldLine(outer, line);
      setFold((known) => (known.folded === next.folded && known.isCut === next.isCut ? known : next));
    };
    look();
    const words = new MutationObserver(look);
    words.observe(line, { childList: true, subtree: true, characterData: true });
    const width = new ResizeObserver(look);
    width.observe(outer);
    return () => {
      words.disconnect();
      width.disconnect();
    };
  }, [strip]);
  return fold;
}

function foldLine(strip: HTMLElement, line: Element): Fold {
  const banners = [...line.querySelectorAll<HTMLElement>(':scope > [data-tone]')];
  const style = getComputedStyle(strip);
  const em = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  strip.dataset['measuring'] = '';
  const sizes = banners.map(sizeOf);
  delete strip.dataset['measuring'];
  const lines = Number.parseInt(style.getPropertyValue('--lines'), 10);
  const { shown, widths, isCut } = foldBanners({
    banners: sizes,
    width: strip.clientWidth,
    more: Number.parseFloat(style.getPropertyValue('--more')) * em,
    lines,
    isStacked: lines === 2,
  });
  for (const [place, banner] of banners.entries()) {
    banner.toggleAttribute('data-folded', !shown.includes(place));
    banner.style.flexBasis = lines === 2 ? '' : `${widths[place] ?? 0}px`;
  }
  return { folded: banners.length - shown.length, isCut };
}

function sizeOf(banner: HTMLElement): BannerSize {
  const words = [...banner.querySelectorAll(':scope > [data-words]')].reduce(
    (sum, each) => sum + each.getBoundingClientRect().width,
    0,
  );
  const isAsking = banner.dataset['asks'] !== undefined;
  return { tone: banner.dataset['tone'] ?? '', isAsking, words, rest: banner.getBoundingClientRect().width - words };
}
