import type { Item } from '#menu/menu-shapes.ts';
import type { Shop } from '#shop/server/shop-cache.ts';
import type { GuestOrder } from '#ordering/order.ts';
import type { OfficePagePath } from '#office-pages.ts';
import type { PagePath } from '#pages.ts';
import { type Language, languages } from '#platform/language.ts';
import { createPageHtml, type Wish } from '#storefront/server/page-html.ts';
import type { PageServices } from '#storefront/server/services.ts';
import type { ShopPagePath } from '#storefront/server/shop-page.ts';
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { PrebuiltBytes } from '#platform/http/answer.ts';
import { makeOnce, prebuild, recompress, recompressLater } from '#platform/server/prebuild.ts';
import type { FastifyInstance } from 'fastify';

export interface PageWriter {
  /** A page of the shop as a guest sees it, cached until its text changes. */
  shopPage(shop: Shop, path: ShopPagePath, wish: Wish): KeptPage;
  /** The menu with a linked dish in its title and opened over it: inserted into the common page, without rendering it again. */
  dishPage(menu: KeptPage, shop: Shop, dish: Item, wish: Wish): ReturnType<typeof cacheWithDish>;
  notFoundPage(shop: Shop, path: string, language: Language): string;
  /** The public view of an order. Not cached: it changes by the minute, and few people view it. */
  orderPage(shop: Shop, order: GuestOrder, language: Language): string;
  /** A page that the browser fills. */
  shell(shop: Shop | null, path: PagePath | OfficePagePath | null, language: Language): string;
}

/** Writes the pages that `pages.ts` serves. Throws when there is no build. */
export async function createPageWriter(
  { config, now, signInProviders }: Pick<PageServices, 'config' | 'now' | 'signInProviders'>,
  realtimeKey: string,
  isCurrent: PageKeeping['isCurrent'],
): Promise<PageWriter> {
  const signIn = () => signInProviders.choices();
  const html = await createPageHtml(config, realtimeKey, signIn);
  const keeping: PageKeeping = { kept: new WeakMap(), later: recompressLater, isCurrent };
  // With other buttons it is another page, at once.
  const nameOf = (path: ShopPagePath, { language, isChosen }: Wish) =>
    `${path} ${language} ${isChosen} ${JSON.stringify(signIn())}`;

  return {
    shopPage: (shop, path, wish) =>
      cachePage(keeping, shop, nameOf(path, wish), now(), (at) => html.shopPage(shop, { path, wish, at })),
    dishPage: (menu, shop, dish, wish) =>
      cacheWithDish(keeping, menu, dish.id, (menuHtml) => html.dishPage(menuHtml, shop, dish, wish, now())),
    notFoundPage: (shop, path, language) => html.notFoundPage(shop, path, language, now()),
    orderPage: (shop, order, language) => html.orderPage(shop, order, language, now()),
    shell: (shop, path, language) => html.shell(shop, path, language, now()),
  };
}

/** A page of one version of a shop, as everyone gets it. */
interface KeptPage {
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
export type PageCache = WeakMap<Shop, Map<string, Kept>>;

interface PageKeeping {
  kept: PageCache;
  later: typeof recompressLater;
  /** Whether this is still the newest version of its shop: pages of an older version are not recompressed. */
  isCurrent(shop: Shop): boolean;
}

/**
 * Renders the page again once a minute, because the shop opens and closes by the minute. It compresses it again only
 * when its text has changed apart from the time: the browser hydrates with the page's own time. `write` must write the
 * time in ISO 8601.
 */
export function cachePage(
  { kept, later, isCurrent }: PageKeeping,
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
    (made) => later(made, () => page.isWanted() && !recompressing),
    () => isKept() && pages.delete(name),
  );
  return page;
}

/** A kept page into which `change` writes the parts about one dish. */
export function cacheWithDish(
  { later }: Pick<PageKeeping, 'later'>,
  page: KeptPage,
  dishId: string,
  change: (html: string) => string,
): Promise<PrebuiltBytes> {
  const { withDishes } = page;
  const making: Promise<PrebuiltBytes> = makeOnce(withDishes, dishId, async () => {
    const bytes = await prebuild(change((await page.bytes).identity.toString()), type, cacheControl);
    later(bytes, () => page.isWanted() && withDishes.peek(dishId) === making);
    return bytes;
  });
  return making;
}

/** Milliseconds in which several changes of a shop count as one. */
const changesGather = 200;
/** Milliseconds for which a requested page is likely to be requested again. */
const asksLast = 10_000;

export interface ReadyPages {
  /** Somebody asks for the menu in the language of their browser. */
  note(language: Language): void;
  /** Whether the menu is still being recompressed for the first time. */
  isStarting(): boolean;
}

/**
 * Renders pages before they are requested. At a start, the first requests wait for the recompressed menu. After a
 * change the menu is rendered again only if it was requested shortly before. An evening of edits costs nothing when
 * nobody looks.
 */
export function prerenderPages(
  app: FastifyInstance,
  { menus }: Pick<PageServices, 'menus'>,
  writer: PageWriter,
): ReadyPages {
  const askedAt = new Map<Language, number>();
  const needsAnswer = (language: Language) => performance.now() - (askedAt.get(language) ?? -Infinity) < asksLast;
  const writeMenus = async (wanted: readonly Language[]) => {
    if (wanted.length === 0) return [];
    const shop = await menus.forPages();
    if (!shop) return [];
    return wanted.map((language) => writer.shopPage(shop, '/menu', { language, isChosen: false }));
  };
  let isStarting = true;
  let change: NodeJS.Timeout | undefined;
  app.addHook('onReady', async () => {
    void writeMenus(languages)
      .then((pages) => Promise.all(pages.map((page) => page.recompress())))
      .catch(() => {})
      .finally(() => (isStarting = false));
  });
  app.addHook('onClose', async () => clearTimeout(change));
  menus.onChange(() => {
    change ??= setTimeout(() => {
      change = undefined;
      void writeMenus(languages.filter(needsAnswer)).catch(() => {});
    }, changesGather);
  });
  return {
    note: (language) => void askedAt.set(language, performance.now()),
    isStarting: () => isStarting,
  };
}
