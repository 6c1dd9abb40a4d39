import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Item } from '#menu/contract.ts';
import { keepBuilt, type Shop } from '#shop/server/shop.ts';
import { packMenus } from '#menu/packed-menus.ts';
import { readGuestOrder } from '#ordering/server/read-guest-order.ts';
import { findPage } from '#pages.ts';
import { type PrebuiltBytes, sendPrebuilt } from '#platform/http/answer.ts';
import { defaultLanguage, type Language, languages, toLanguage } from '#platform/language.ts';
import { languageCookie, languageOfPage } from '#platform/server/in-language.ts';
import { createPresser, prebuild, type Presser } from '#platform/server/prebuild.ts';
import type { PageServices } from '#storefront/server/services.ts';
import { movedPages } from '#storefront/moved-pages.ts';
import type { PackedShop } from '#shop/shown-shop.ts';
import { assetsPrefix, clientFolder } from '#storefront/server/built-assets.ts';
import { contentPolicy } from '#storefront/server/content-policy.ts';
import { shopUrl, type Wish } from '#storefront/server/page-html.ts';
import { createPageWriter } from '#storefront/server/page-writer.ts';
import { isShopPage, type ShopPagePath } from '#storefront/server/shop-page.ts';
import { serveSiteFiles } from '#storefront/server/site-files.ts';

/**
 * Serves the built files and every page of the two faces: those of `shop-page.ts` rendered as a guest sees them, the
 * others as a shell that the browser fills, a path that is no page with 404. Throws when there is no build.
 */
export async function servePages(app: FastifyInstance, services: PageServices, realtimeKey: string): Promise<void> {
  const { config, db, menus, now } = services;
  const presser = createPresser();
  const writer = await createPageWriter(config, now, realtimeKey, { presser, isCurrent: menus.isShown });
  serveSiteFiles(app, services);

  await app.register(fastifyStatic, {
    root: fileURLToPath(clientFolder),
    prefix: assetsPrefix,
    preCompressed: true,
    index: false,
    dotfiles: 'ignore',
    cacheControl: false,
    setHeaders: (reply, path) => {
      // A name under assets/ carries the hash of what is in it.
      const isHashed = /[\\/]assets[\\/]/.test(path);
      void reply.setHeader('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'public, max-age=3600');
    },
  });

  const writeMenus = async (wanted: readonly Language[]) => {
    if (wanted.length === 0) return [];
    const shop = await menus.primary();
    if (!shop) return [];
    return wanted.map((language) => writer.shopPage(shop, '/menu', { language, isChosen: false }));
  };
  // The first who come find the menu pressed: at a start they wait for it. After a change they find it written, where it
  // was asked for just before: an evening of edits is not written out for nobody.
  const asked = new Map<string, { path: ShopPagePath; wish: Wish; at: number }>();
  const lately = () => [...asked.values()].filter(({ at }) => performance.now() - at < asksLast);
  const isAsked = (language: Language) =>
    lately().some(({ path, wish }) => path === '/menu' && wish.language === language && !wish.isChosen);
  let isStarting = true;
  let change: NodeJS.Timeout | undefined;
  app.addHook('onReady', async () => {
    void writeMenus(languages)
      .then((pages) => Promise.all(pages.map((page) => page.press())))
      .catch(() => {})
      .finally(() => (isStarting = false));
  });
  app.addHook('onClose', async () => {
    clearTimeout(change);
    presser.stop();
    await writer.stop();
  });
  // While changes come one after the other, the next version's pages are ready before it is shown.
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

  app.get<{ Params: { version: string } }>('/shop/:version', async (request, reply) => {
    const shop = await menus.primary();
    // A page that was rendered from another version asks the API instead of taking this one for its own.
    if (!shop || shopUrl(shop) !== `/shop/${request.params.version}`) return reply.callNotFound();
    return sendPrebuilt(await packedOnce(shop, presser, menus.isShown), request, reply);
  });

  app.get('/*', async (request, reply) => {
    const path = request.url.split(/[?#]/, 1)[0] ?? '/';
    const found = findPage(decode(path));
    const wantsHtml = request.headers.accept?.includes('text/html') ?? false;
    if (path.startsWith('/v1/') || path.startsWith(assetsPrefix) || (!found && !wantsHtml)) return reply.callNotFound();
    reply.headers({
      'content-security-policy': contentPolicy(config, request.host),
      'referrer-policy': 'strict-origin-when-cross-origin',
      'cache-control': 'no-cache',
      vary: pageVary,
    });
    const isOffice = found?.row.face === 'office';
    const wish: Wish = isOffice ? { language: defaultLanguage, isChosen: false } : wishOf(request);
    const { language } = wish;
    if (wish.isChosen) {
      reply.header('set-cookie', `${languageCookie}=${language}; Path=/; Max-Age=31536000; SameSite=Lax`);
    }
    const shop = await menus.primary();
    if (shop && isShopPage(found?.path)) {
      const page = found.path;
      asked.set(`${page} ${language} ${wish.isChosen}`, { path: page, wish, at: performance.now() });
      const whole = writer.shopPage(shop, page, wish);
      if (isStarting && page === '/menu') await whole.press();
      const dish = page === '/menu' ? linkedDish(shop, request) : undefined;
      const bytes = await (dish ? writer.dishPage(whole, shop, dish, wish) : whole.bytes);
      return sendPrebuilt(bytes, request, reply, pageVary);
    }
    const moved = movedPages.get(path.replace(/(.)\/+$/, '$1'));
    if (moved) return reply.redirect(moved, 302);
    reply.type('text/html; charset=utf-8');
    if (shop && !found) return reply.status(404).send(writer.notFoundPage(shop, path, language));
    // Without a shop there is nothing to order or to follow; its staff may sign in all the same.
    const needsShop = found?.row.face === 'storefront' && !withoutShop.has(found.path);
    if (needsShop && !shop) return reply.redirect('/setup', 302);
    const review = found?.path === '/google-review' ? shop?.store.google_review_url : null;
    if (review && /^https?:/.test(review)) return reply.redirect(review, 302);
    const isOfOrder = found?.path.startsWith('/orders/') ?? false;
    const order = isOfOrder ? await readGuestOrder(db, idIn(path)) : null;
    // For whoever was given the link, and for nobody on the way.
    if (order) reply.header('cache-control', 'private, no-cache');
    if (shop && order && found?.path === '/orders/{orderId}')
      return reply.send(writer.orderPage(shop, order, language));
    const isThere = found !== null && (!isOfOrder || order !== null);
    return reply.status(isThere ? 200 : 404).send(writer.shell(shop, found?.path ?? null, language));
  });
}

/** The dish that `/menu?item=` asks for. */
function linkedDish(shop: Shop, request: FastifyRequest): Item | undefined {
  const id = queryOf(request).get('item');
  return id ? shop.index.items.get(id)?.item : undefined;
}

const withoutShop: ReadonlySet<string> = new Set(['/setup', '/login', '/forgot-password', '/reset-password']);

/** Milliseconds in which changes of a shop, which often come together, count as one. */
const changesGather = 200;
/** Milliseconds for which a page that was asked for is likely to be asked for again. */
const asksLast = 10_000;

const pageVary = 'accept-encoding, accept-language, cookie';

function wishOf(request: FastifyRequest): Wish {
  const chosen = toLanguage(queryOf(request).get('lang'));
  return { language: chosen ?? languageOfPage(request.headers), isChosen: chosen !== null };
}

function packedOnce(shop: Shop, presser: Presser, isWanted: (shop: Shop) => boolean): Promise<PrebuiltBytes> {
  return keepBuilt(shop, 'packed', async (version) => {
    const packed: PackedShop = { store: version.store, menus: packMenus(version.menus) };
    const forEver = 'public, max-age=31536000, immutable';
    const bytes = await prebuild(JSON.stringify(packed), 'application/json; charset=utf-8', forEver);
    presser.later(bytes, () => isWanted(version));
    return bytes;
  });
}

/** Of the address as it came: one such as `//` is no URL. */
function queryOf({ url }: FastifyRequest): URLSearchParams {
  const at = url.indexOf('?');
  return new URLSearchParams(at < 0 ? '' : url.slice(at));
}

/** The second part of an order's path. */
function idIn(path: string): string {
  return path.split('/')[2] ?? '';
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
