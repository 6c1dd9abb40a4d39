import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Shop } from '#shop/server/shop.ts';
import type { PrebuiltBytes } from '#platform/http/answer.ts';
import { type Compressor, makeOnce, prebuild, recompress } from '#platform/server/prebuild.ts';

/** A page of one version of a shop, as everyone gets it. */
export interface KeptPage {
  bytes: Promise<PrebuiltBytes>;
  /** Recompresses it now and waits for that. Without this call it is recompressed after a quiet period. */
  recompress(): Promise<void>;
  /** Whether it is still the page sent to everyone, and of the newest version of its shop. */
  isWanted(): boolean;
  /** The same page with a dish opened over it, by the dish's id; the most recently requested ones. */
  withDishes: LRUCache<string, Promise<PrebuiltBytes>>;
}

interface Kept {
  page: KeptPage;
  minute: number;
  /** A hash of the page's text without its time. */
  said: string;
}

const type = 'text/html; charset=utf-8';
const cacheControl = 'no-cache';
const mostDishes = 40;

/** By shop, that is by its version, and by page. */
export type KeptPages = WeakMap<Shop, Map<string, Kept>>;

export interface PageKeeping {
  kept: KeptPages;
  compressor: Compressor;
  /** Whether this is still the newest version of its shop: pages of an older version are not recompressed. */
  isCurrent(shop: Shop): boolean;
}

/**
 * Renders the page again once a minute, because the shop opens and closes by the minute. It compresses it again only
 * when its text has changed apart from the time: the browser hydrates with the page's own time. `write` must write the
 * time in ISO 8601.
 */
export function keepPage(
  { kept, compressor, isCurrent }: PageKeeping,
  shop: Shop,
  name: string,
  now: Date,
  write: (at: Date) => string,
): KeptPage {
  const pages = kept.get(shop) ?? new Map<string, Kept>();
  kept.set(shop, pages);
  const minute = Math.floor(now.getTime() / 60_000);
  const known = pages.get(name);
  if (known?.minute === minute) return known.page;
  const html = write(now);
  const said = createHash('sha256').update(html.replaceAll(now.toISOString(), '')).digest('base64');
  if (known?.said === said) {
    known.minute = minute;
    return known.page;
  }
  const bytes = prebuild(html, type, cacheControl);
  let recompressing: Promise<void> | null = null;
  const page: KeptPage = {
    bytes,
    recompress: () => (recompressing ??= bytes.then(recompress)),
    isWanted: () => isKept() && isCurrent(shop),
    withDishes: new LRUCache({ max: mostDishes }),
  };
  pages.set(name, { page, minute, said });
  const isKept = () => pages.get(name)?.page === page;
  bytes.then(
    (made) => compressor.later(made, () => page.isWanted() && !recompressing),
    () => isKept() && pages.delete(name),
  );
  return page;
}

/** A kept page into which `change` writes the parts about one dish. */
export function keepWithDish(
  { compressor }: Pick<PageKeeping, 'compressor'>,
  page: KeptPage,
  dishId: string,
  change: (html: string) => string,
): Promise<PrebuiltBytes> {
  const { withDishes } = page;
  const making: Promise<PrebuiltBytes> = makeOnce(withDishes, dishId, async () => {
    const bytes = await prebuild(change((await page.bytes).identity.toString()), type, cacheControl);
    compressor.later(bytes, () => page.isWanted() && withDishes.peek(dishId) === making);
    return bytes;
  });
  return making;
}
