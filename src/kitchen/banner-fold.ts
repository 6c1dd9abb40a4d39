/** A banner's words in one line, and its icon, buttons and gaps, in pixels. */
export interface BannerSize {
  tone: string;
  /** It waits for an answer, such as whether the clock is right. */
  isAsking?: boolean;
  words: number;
  rest: number;
}

export interface FoldInput {
  banners: readonly BannerSize[];
  /** The width of the line that they share, and of the button that opens the others. */
  width: number;
  more: number;
  /** How many lines of words the line's height has. */
  lines: number;
  /** A phone shows one, with its buttons below its words. */
  isStacked?: boolean;
}

/** The most important first. */
const tones = ['ringing', 'bad', 'plain', 'test'];

/** A line ends before a word that has no room, so words need more than their share of the lines. */
const RAGGED = 1.2;
/** The least width of words, so that no line has less than a word. */
const LEAST = 112;
/** The icon of a phone's banner, with its gaps. */
const ICON = 44;

/**
 * Which banners share the line, by their places, and how wide each has to be. The others are folded, the least important first;
 * `isCut`: there is only one, and its words have no room.
 */
export function foldBanners({ banners, width, more, lines, isStacked = false }: FoldInput): {
  shown: number[];
  widths: number[];
  isCut: boolean;
} {
  const widths = banners.map(({ words, rest }) => {
    const least = Math.max(Math.min(words, LEAST), Math.ceil((words / lines) * RAGGED));
    return isStacked ? least + ICON : least + rest;
  });
  const byTone = banners.map((_, place) => place).toSorted((a, b) => rankOf(banners[a]) - rankOf(banners[b]) || a - b);
  const most = isStacked ? 1 : banners.length;
  const widthOf = (count: number) => byTone.slice(0, count).reduce((sum, place) => sum + (widths[place] ?? 0) + 1, 0);
  let count = most;
  while (count > 1 && widthOf(count) > (count < banners.length ? width - more : width)) count -= 1;
  const isCut = widthOf(count) > (count < banners.length ? width - more : width);
  return { shown: byTone.slice(0, count).toSorted((a, b) => a - b), widths, isCut: banners.length > 0 && isCut };
}

function rankOf(banner: BannerSize | undefined): number {
  const rank = tones.indexOf(banner?.tone ?? '');
  return banner?.isAsking ? Math.min(rank, 0.5) : rank;
}
