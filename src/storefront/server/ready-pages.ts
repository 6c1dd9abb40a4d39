import type { FastifyInstance } from 'fastify';
import { type Language, languages } from '#platform/language.ts';
import type { Wish } from '#storefront/server/page-html.ts';
import type { PageWriter } from '#storefront/server/page-writer.ts';
import type { PageServices } from '#storefront/server/services.ts';
import type { ShopPagePath } from '#storefront/server/shop-page.ts';

/** Milliseconds in which several changes of a shop count as one. */
const changesGather = 200;
/** Milliseconds for which a requested page is likely to be requested again. */
const asksLast = 10_000;

export interface ReadyPages {
  /** Somebody asks for a page. */
  note(path: ShopPagePath, wish: Wish): void;
  /** Whether the menu is still being recompressed for the first time. */
  isStarting(): boolean;
}

/**
 * Renders pages before they are requested. At a start, the first requests wait for the recompressed menu. After a change
 * the menu is rendered again only if it was requested shortly before, so that an evening of edits costs nothing when nobody looks.
 */
export function keepPagesReady(
  app: FastifyInstance,
  { menus }: Pick<PageServices, 'menus'>,
  writer: PageWriter,
): ReadyPages {
  const asked = new Map<string, { path: ShopPagePath; wish: Wish; at: number }>();
  const lately = () => [...asked.values()].filter(({ at }) => performance.now() - at < asksLast);
  const isAsked = (language: Language) =>
    lately().some(({ path, wish }) => path === '/menu' && wish.language === language && !wish.isChosen);
  const writeMenus = async (wanted: readonly Language[]) => {
    if (wanted.length === 0) return [];
    const shop = await menus.primary();
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
  // During a run of changes, the next version's pages are ready before it is shown.
  menus.onNext(async (next) => {
    if ((await menus.primary())?.store.id !== next.store.id) return;
    for (const { path, wish } of lately()) await writer.prepare(next, path, wish);
  });
  menus.onChange(() => {
    change ??= setTimeout(() => {
      change = undefined;
      void writeMenus(languages.filter(isAsked)).catch(() => {});
    }, changesGather);
  });
  return {
    note: (path, wish) =>
      void asked.set(`${path} ${wish.language} ${wish.isChosen}`, { path, wish, at: performance.now() }),
    isStarting: () => isStarting,
  };
}
