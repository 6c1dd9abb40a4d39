import type { Shop } from '#shop/server/shop.ts';

/** This many changes within this many milliseconds are a run: an import by another program, several people together. */
const runLength = 6;
const runSpan = 500;

/** The cache entry of one shop. */
export interface KeptShop {
  /** The last result of a read; null before the first one. */
  newest: Shop | null;
  /** The newest known version: the instance that made a change learns of it twice. */
  heard: number;
  /** `newest`, or an older version during a run. */
  shown: Shop | null;
  /** Somebody got the older version: they are told to refetch when the next one is shown. */
  wasOlderSeen: boolean;
  /** The read that began after the last change. */
  loading: Promise<Shop | null> | null;
  /** The times of the last changes, on the monotonic clock: at most `runLength` of them. */
  changes: number[];
  /** Called at the next change. */
  waiting: Set<() => void>;
  /** The preparation of the next version, while another one is shown. */
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

/** Reads may end in another order than they began. */
export function keepNewest(kept: KeptShop, shop: Shop): void {
  if (shop.version > (kept.newest?.version ?? 0)) kept.newest = shop;
}

/** False if it was known before. */
export function hearOf(kept: KeptShop, version: number): boolean {
  if (version <= kept.heard) return false;
  kept.heard = version;
  // Callers already waiting for it get it, but nobody after them.
  kept.loading = null;
  if (kept.changes.push(performance.now()) > runLength) kept.changes.shift();
  for (const tell of kept.waiting) tell();
  return true;
}

export function isRun({ changes }: KeptShop): boolean {
  return changes.length === runLength && performance.now() - (changes[0] ?? -Infinity) < runSpan;
}

/** Whether another change comes within three times the usual interval; resolves immediately when it does. */
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
