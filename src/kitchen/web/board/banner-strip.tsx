import { Button } from '@mantine/core';
import { type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import classes from '#kitchen/web/board/banner.module.css';
import { m } from '#messages';
import type { IconName } from '#ui/web/icons.ts';
import { Icon } from '#ui/web/office/office-icon.tsx';

/**
 * The banners in one line, so that tickets have more room. If some do not fit, a button opens all banners as a list
 * over the tickets.
 */
export function BannerStrip({ children }: { children: ReactNode }) {
  const strip = useRef<HTMLDivElement>(null);
  const { folded, isCut } = useFold(strip);
  const [isWanted, setWanted] = useState(false);
  const [height, setHeight] = useState(0);
  const hasMore = folded > 0 || isCut;
  const isOpen = isWanted && hasMore;
  const toggle = (): void => {
    // The strip keeps its height while the list is open, so that no ticket moves.
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

/** Folds banners that do not fit, whenever the banners or the screen's size change. */
function useFold(strip: RefObject<HTMLDivElement | null>): Fold {
  const [fold, setFold] = useState<Fold>({ folded: 0, isCut: false });
  useLayoutEffect(() => {
    const outer = strip.current;
    const line = outer?.firstElementChild;
    if (!outer || !line) return undefined;
    const look = (): void => {
      const folded = foldLine(outer, line);
      setFold((known) => {
        // An open list shows every text in full, so only the closed strip shows whether a text is cut.
        const isCut = outer.dataset['open'] === undefined ? hasCutWords(line) : known.isCut;
        return known.folded === folded && known.isCut === isCut ? known : { folded, isCut };
      });
    };
    look();
    const words = new MutationObserver(look);
    words.observe(line, { childList: true, subtree: true, characterData: true });
    const size = new ResizeObserver(look);
    size.observe(outer);
    return () => {
      words.disconnect();
      size.disconnect();
    };
  }, [strip]);
  return fold;
}

function foldLine(strip: HTMLElement, line: Element): number {
  const banners = [...line.querySelectorAll<HTMLElement>(':scope > [data-tone]')];
  const ranked = banners.map(({ dataset }) => ({
    tone: dataset['tone'] ?? '',
    isAsking: dataset['asks'] !== undefined,
  }));
  const slots = Number.parseInt(getComputedStyle(strip).getPropertyValue('--slots'), 10);
  const shown = visibleBanners(ranked, slots);
  for (const [place, banner] of banners.entries()) banner.toggleAttribute('data-folded', !shown.includes(place));
  return banners.length - shown.length;
}

function hasCutWords(line: Element): boolean {
  return [...line.querySelectorAll('[data-words]')].some(
    ({ scrollHeight, clientHeight }) => scrollHeight > clientHeight + 1,
  );
}

export interface RankedBanner {
  tone: string;
  /** Whether the banner asks staff a question, such as whether the clock is right. */
  isAsking: boolean;
}

/** The tones of banners, the most important first. */
const tones = ['ringing', 'bad', 'plain', 'test'];

/**
 * The indexes of the banners that fit into `slots`, in screen order: the most important ones. The alarm and a banner
 * with a question are always included; the others are folded.
 */
export function visibleBanners(banners: readonly RankedBanner[], slots: number): number[] {
  const ranked = banners
    .map((banner, place) => ({ place, rank: rankOf(banner) }))
    .toSorted((a, b) => a.rank - b.rank || a.place - b.place);
  const due = Math.min(2, ranked.filter(({ rank }) => rank < 1).length);
  return ranked
    .slice(0, Math.max(slots, due))
    .map(({ place }) => place)
    .toSorted((a, b) => a - b);
}

function rankOf({ tone, isAsking }: RankedBanner): number {
  const rank = tones.indexOf(tone);
  return isAsking ? Math.min(rank, 0.5) : rank;
}

/** A message below the tickets. The tone `bad`: a person must act; `test`: card payments are only tests. */
export function Banner({
  icon,
  tone = 'plain',
  buttons,
  isAsking,
  children,
}: {
  icon: IconName;
  tone?: 'plain' | 'bad' | 'test';
  buttons?: ReactNode;
  /** Whether the banner asks staff a question; if so, it comes right after the alarm. */
  isAsking?: boolean;
  children: ReactNode;
}) {
  return (
    <div className={classes.banner} data-tone={tone} data-asks={isAsking || undefined} aria-live="polite">
      <Icon name={icon} />
      <div className={classes.words} data-words>
        {children}
      </div>
      {buttons}
    </div>
  );
}
