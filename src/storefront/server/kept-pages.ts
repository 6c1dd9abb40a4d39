import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Shop } from '#shop/server/shop.ts';
import type { PrebuiltBytes } from '#platform/http/answer.ts';
import { makeOnce } from '#platform/server/make-once.ts';
import { prebuild, press, type Presser } from '#platform/server/prebuild.ts';

/** A page of one version of a shop, as everyone gets it. */
export interface KeptPage {
  bytes: Promise<PrebuiltBytes>;
  /** Makes it as small as it will be now, for whoever waits for that. Otherwise it is pressed when it is quiet. */
  press(): Promise<void>;
  /** Whether it is still what everyone gets, of the newest version of its shop. */
  isWanted(): boolean;
  /** The same with a dish before it, by the dish's id; as many as were asked for last. */
  withDishes: LRUCache<string, Promise<PrebuiltBytes>>;
}

interface Kept {
  page: KeptPage;
  minute: number;
  /** What it says but for its moment, as a hash. */
  said: string;
}

const type = 'text/html; charset=utf-8';
const cacheControl = 'no-cache';
const mostDishes = 40;

/** By shop, that is by its version, and by page. */
export type KeptPages = WeakMap<Shop, Map<string, Kept>>;

export interface PageKeeping {
  kept: KeptPages;
  presser: Presser;
  /** Whether this is still the newest version of its shop: pages of an older one are not worth pressing. */
  isCurrent(shop: Shop): boolean;
}

/**
 * Written anew once a minute, since whether the shop is open changes with the minutes, and compressed anew only when it
 * says something else: a browser takes a page over at the moment that stands in it, so an earlier one will do. `write`
 * must name its moment as ISO 8601 says it.
 */
export function keepPage(
  { kept, presser, isCurrent }: PageKeeping,
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
  let pressing: Promise<void> | null = null;
  const page: KeptPage = {
    bytes,
    press: () => (pressing ??= bytes.then(press)),
    isWanted: () => isKept() && isCurrent(shop),
    withDishes: new LRUCache({ max: mostDishes }),
  };
  pages.set(name, { page, minute, said });
  const isKept = () => pages.get(name)?.page === page;
  bytes.then(
    (made) => presser.later(made, () => page.isWanted() && !pressing),
    () => isKept() && pages.delete(name),
  );
  return page;
}

/** A kept page with something of a dish written into it by `change`. */
export function keepWithDish(
  { presser }: Pick<PageKeeping, 'presser'>,
  page: KeptPage,
  dishId: string,
  change: (html: string) => string,
): Promise<PrebuiltBytes> {
  const { withDishes } = page;
  const making: Promise<PrebuiltBytes> = makeOnce(withDishes, dishId, async () => {
    const bytes = await prebuild(change((await page.bytes).identity.toString()), type, cacheControl);
    presser.later(bytes, () => page.isWanted() && withDishes.peek(dishId) === making);
    return bytes;
  });
  return making;
}
