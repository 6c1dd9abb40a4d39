import type { Shop } from '#shop/server/shop.ts';

/** So many changes within so many milliseconds are a run: an import by another program, several people at once. */
const runLength = 6;
const runSpan = 500;

/** What is known of one shop. */
export interface KeptShop {
  /** What was read last; null before the first reading. */
  newest: Shop | null;
  /** The newest version that was heard of: whoever makes a change here hears of it twice. */
  heard: number;
  /** `newest`, or an older version during a run. */
  shown: Shop | null;
  /** Somebody got the older one: they are to ask again when the next is shown. */
  wasOlderSeen: boolean;
  /** The reading that began after the last change. */
  loading: Promise<Shop | null> | null;
  /** When the last changes were, on the monotonic clock: at most `runLength` of them. */
  changes: number[];
  /** Told of the next change. */
  waiting: Set<() => void>;
  /** When the next version is made ready, while another one is shown. */
  next: NodeJS.Timeout | undefined;
  isNextRunning: boolean;
}

export function keepNothingYet(): KeptShop {
  return {
    newest: null,
    heard: 0,
    shown: null,
    wasOlderSeen: false,
    loading: null,
    changes: [],
    waiting: new Set(),
    next: undefined,
    isNextRunning: false,
  };
}

export function isStale({ newest, heard }: KeptShop): boolean {
  return newest === null || newest.version < heard;
}

/** Readings may end in another order than they began. */
export function keepNewest(kept: KeptShop, shop: Shop): void {
  if (shop.version > (kept.newest?.version ?? 0)) kept.newest = shop;
}

/** False where it was heard of before. */
export function hearOf(kept: KeptShop, version: number): boolean {
  if (version <= kept.heard) return false;
  kept.heard = version;
  // Whoever waits for it gets it, but nobody after them.
  kept.loading = null;
  if (kept.changes.push(performance.now()) > runLength) kept.changes.shift();
  for (const tell of kept.waiting) tell();
  return true;
}

export function isRun({ changes }: KeptShop): boolean {
  return changes.length === runLength && performance.now() - (changes[0] ?? -Infinity) < runSpan;
}

/** Whether another change comes within three times the usual time between two; at once when it does. */
export function isChangedSoon({ changes, waiting }: KeptShop): Promise<boolean> {
  const [first = 0, last = 0] = [changes[0], changes.at(-1)];
  const usual = (last - first) / (changes.length - 1);
  return new Promise((resolve) => {
    const end = (isChanged: boolean) => {
      clearTimeout(timer);
      waiting.delete(tell);
      resolve(isChanged);
    };
    const tell = () => end(true);
    const timer = setTimeout(end, Math.max(30, 3 * usual), false);
    waiting.add(tell);
  });
}
