import type { Item } from '#menu/menu-shapes.ts';
import type { Shop } from '#shop/server/shop-cache.ts';
import type { GuestOrder } from '#ordering/order.ts';
import type { OfficePagePath } from '#office-pages.ts';
import type { PagePath } from '#pages.ts';
import { type Language, languages } from '#platform/language.ts';
import { browserConfig } from '#storefront/server/browser-config.ts';
import { createPageHtmlWriter, type WantedLanguage } from '#storefront/server/page-html.ts';
import type { PageServices } from '#storefront/server/services.ts';
import type { ShopPagePath } from '#storefront/server/shop-page.ts';
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { EncodedBodies } from '#platform/http/answer.ts';
import { getOrCreateCached, prebuildAnswer, recompress, recompressLater } from '#platform/server/prebuilt-answers.ts';
import type { FastifyInstance } from 'fastify';

export interface PageWriter {
  /** A page in the guests' view, cached until its text changes. */
  shopPage(shop: Shop, path: ShopPagePath, wish: WantedLanguage): CachedPage;
  /**
   * The menu's page for a link to a dish. The title names the dish, and browsers without scripts show the dish above
   * the menu. The page reuses the HTML of `menu`, so the menu is not rendered again.
   */
  dishPage(menu: CachedPage, shop: Shop, dish: Item, wish: WantedLanguage): ReturnType<typeof cacheLinkedPage>;
  /** The page with all dishes of the category in its URL. The usual page of a large menu leaves out some dishes. */
  categoryPage(
    page: CachedPage,
    shop: Shop,
    path: ShopPagePath,
    category: string,
    wish: WantedLanguage,
  ): ReturnType<typeof cacheLinkedPage>;
  notFoundPage(shop: Shop, path: string, language: Language): string;
  /** An order's page in the guest's view. It is not cached, because it changes each minute and has few readers. */
  orderPage(shop: Shop, order: GuestOrder, language: Language): string;
  /** A page with an empty body, which the browser fills. */
  shell(shop: Shop | null, path: PagePath | OfficePagePath | null, language: Language): string;
}

/** Creates the writer of the pages that `pages.ts` serves. Throws without a build. */
export async function createPageWriter(
  { config, now, restored, signInProviders }: Pick<PageServices, 'config' | 'now' | 'restored' | 'signInProviders'>,
  realtimeKey: string,
  isCurrent: PageKeeping['isCurrent'],
): Promise<PageWriter> {
  const signIn = () => signInProviders.choices();
  const html = await createPageHtmlWriter(config, browserConfig(config, realtimeKey, restored.epoch), signIn);
  const keeping: PageKeeping = { kept: new WeakMap(), later: recompressLater, isCurrent };
  // The cache key contains the sign-in providers, because the page's config lists them.
  const nameOf = (path: ShopPagePath, { language, isChosen }: WantedLanguage) =>
    `${path} ${language} ${isChosen} ${JSON.stringify(signIn())}`;

  return {
    shopPage: (shop, path, wish) =>
      cachePage(keeping, shop, nameOf(path, wish), now(), (at) => html.shopPage(shop, { path, wish, at })),
    dishPage: (menu, shop, dish, wish) =>
      cacheLinkedPage(keeping, menu, dish.id, (menuHtml) => html.dishPage(menuHtml, shop, dish, wish, now())),
    categoryPage: (page, shop, path, category, wish) =>
      cacheLinkedPage(keeping, page, category, () => html.shopPage(shop, { path, wish, at: now(), category })),
    notFoundPage: (shop, path, language) => html.notFoundPage(shop, path, language, now()),
    orderPage: (shop, order, language) => html.orderPage(shop, order, language, now()),
    shell: (shop, path, language) => html.shell(shop, path, language, now()),
  };
}

interface CachedPage {
  bytes: Promise<EncodedBodies>;
  /** Recompresses the page now, without the usual delay. */
  recompress(): Promise<void>;
  /** Whether this page is still cached, and belongs to its shop's newest version. */
  isWanted(): boolean;
  /**
   * The page's variants for links to a dish or category, by the id of that dish or category. Only the most recently
   * requested variants are cached.
   */
  variants: LRUCache<string, Promise<EncodedBodies>>;
}

interface Kept {
  page: CachedPage;
  minute: number;
  /** A hash of the page's text without the time of rendering, to detect changes. */
  said: string;
}

const type = 'text/html; charset=utf-8';
const cacheControl = 'no-cache';
const maxVariants = 40;

/** The cached pages of each version of a shop, by the page's name. A new version is a new `Shop` object. */
export type PageCache = WeakMap<Shop, Map<string, Kept>>;

interface PageKeeping {
  kept: PageCache;
  later: typeof recompressLater;
  /** Whether `shop` is the newest version of its shop; pages of older versions are not recompressed. */
  isCurrent(shop: Shop): boolean;
}

/**
 * Renders a requested page again after each full minute, because opening hours change its text. The page is compressed
 * again only if its text changed, apart from the time of rendering. `write` must write that time in ISO 8601.
 */
export function cachePage(
  { kept, later, isCurrent }: PageKeeping,
  shop: Shop,
  name: string,
  now: Date,
  write: (at: Date) => string,
): CachedPage {
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
  const bytes = prebuildAnswer(html, type, cacheControl);
  let recompressing: Promise<void> | null = null;
  const page: CachedPage = {
    bytes,
    recompress: () => (recompressing ??= bytes.then(recompress)),
    isWanted: () => isKept() && isCurrent(shop),
    variants: new LRUCache({ max: maxVariants }),
  };
  pages.set(name, { page, minute, said });
  const isKept = () => pages.get(name)?.page === page;
  bytes.then(
    (made) => later(made, () => page.isWanted() && !recompressing),
    () => isKept() && pages.delete(name),
  );
  return page;
}

/**
 * Returns the cached bytes of a page's variant for a link to a dish or category. `change` creates the variant's HTML.
 */
export function cacheLinkedPage(
  { later }: Pick<PageKeeping, 'later'>,
  page: CachedPage,
  linkedId: string,
  change: (html: string) => string,
): Promise<EncodedBodies> {
  const { variants } = page;
  const making: Promise<EncodedBodies> = getOrCreateCached(variants, linkedId, async () => {
    const bytes = await prebuildAnswer(change((await page.bytes).identity.toString()), type, cacheControl);
    later(bytes, () => page.isWanted() && variants.peek(linkedId) === making);
    return bytes;
  });
  return making;
}

/** The time for which a shop's changes are collected before the menu is rendered ahead (ms). */
const changesGather = 200;
/** After a change, the menu is rendered ahead only if somebody requested it within this time (ms). */
const asksLast = 10_000;

export interface MenuPrerendering {
  note(language: Language): void;
  isStarting(): boolean;
}

/**
 * Renders the menu ahead of requests. At the start, the first requests wait until the menu is recompressed. After a
 * change the menu is rendered only if it was requested recently, so that edits in a quiet shop cost nothing.
 */
export function prerenderMenu(
  app: FastifyInstance,
  { menus }: Pick<PageServices, 'menus'>,
  writer: PageWriter,
): MenuPrerendering {
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
