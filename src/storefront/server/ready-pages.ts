import type { FastifyInstance } from 'fastify';
import { type Language, languages } from '#platform/language.ts';
import type { PageWriter } from '#storefront/server/page-writer.ts';
import type { PageServices } from '#storefront/server/services.ts';

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
export function keepPagesReady(
  app: FastifyInstance,
  { menus }: Pick<PageServices, 'menus'>,
  writer: PageWriter,
): ReadyPages {
  const askedAt = new Map<Language, number>();
  const isAsked = (language: Language) => performance.now() - (askedAt.get(language) ?? -Infinity) < asksLast;
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
      void writeMenus(languages.filter(isAsked)).catch(() => {});
    }, changesGather);
  });
  return {
    note: (language) => void askedAt.set(language, performance.now()),
    isStarting: () => isStarting,
  };
}
