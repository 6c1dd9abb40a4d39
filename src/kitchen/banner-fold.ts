/** A message of the board about itself, as it is ranked. */
export interface RankedBanner {
  tone: string;
  /** It waits for an answer, such as whether the clock is right. */
  isAsking: boolean;
}

/** The most important first. */
const tones = ['ringing', 'bad', 'plain', 'test'];

/**
 * The places of the banners that are shown where there is room for `slots`, in their own order: the most important, and always
 * the alarm and one that waits for an answer. The others are folded.
 */
export function shownBanners(banners: readonly RankedBanner[], slots: number): number[] {
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
