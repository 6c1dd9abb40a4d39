import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { m } from '#messages';
import { renderLinkedDish, renderPage, renderWithoutScript } from '#ssr';
import type { Config } from '#config.ts';
import type { Item } from '#menu/contract.ts';
import type { Shop } from '#menu/server/menu-cache.ts';
import { packMenus } from '#menu/packed-menus.ts';
import { orderExists } from '#ordering/server/order-exists.ts';
import { type Face, findPage } from '#pages.ts';
import { type PrebuiltBytes, sendPrebuilt } from '#platform/http/answer.ts';
import { keysOf } from '#platform/keys-of.ts';
import { defaultLanguage, type Language, languages, toLanguage } from '#platform/language.ts';
import { inLanguage, languageCookie, languageOfPage } from '#platform/server/in-language.ts';
import { makeOnce } from '#platform/server/make-once.ts';
import { prebuild, pressHarder } from '#platform/server/prebuild.ts';
import { offsetSpanAt } from '#platform/zone-clock.ts';
import type { Services } from '#services.ts';
import { movedPages } from '#storefront/moved-pages.ts';
import type { BrowserConfig, PackedShop, PageData } from '#storefront/page-data.ts';
import { assetsPrefix, clientFolder, type FaceAssets, readFaceAssets } from '#storefront/server/built-assets.ts';
import { contentPolicy } from '#storefront/server/content-policy.ts';
import { type Described, type HtmlPage, writeHtml, writeName } from '#storefront/server/html.ts';
import { keepPage, type KeptPage, type KeptPages, keepWithDish } from '#storefront/server/kept-pages.ts';
import {
  describeDish,
  describeShopPage,
  isShopPage,
  type ShopPagePath,
  shopPages,
} from '#storefront/server/shop-page.ts';
import { serveSiteFiles } from '#storefront/server/site-files.ts';

/**
 * Serves the built files and every page of the two faces: those of `shop-page.ts` rendered as a guest sees them, the
 * others as a shell that the browser fills, a path that is no page with 404. Throws when there is no build.
 */
export async function servePages(
  app: FastifyInstance,
  services: Pick<Services, 'config' | 'db' | 'files' | 'menus' | 'now'>,
  realtimeKey: string,
): Promise<void> {
  const { config, db, menus, now } = services;
  const office = await readFaceAssets('office');
  const storefronts = await readStorefronts();
  const browser = browserConfig(config, realtimeKey);
  const origin = config.publicUrl;
  const kept: KeptPages = new WeakMap();
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

  const writePage = (shop: Shop, path: string, language: Language, at: Date, extra: DescribedPage) => {
    const page = { config: browser, shopUrl: shopUrl(shop), ...momentOf(shop, at) };
    const shown = { store: shop.store, menus: shop.menus };
    return writeHtml({
      ...extra,
      assets: storefronts[language][isShopPage(path) ? path : '/menu'],
      accentColor: shop.store.accent_color,
      styles: 'inline',
      page,
      body: renderPage(path, browser, shown, at, language),
    });
  };

  const describe = (shop: Shop, path: ShopPagePath, { language, isChosen }: Wish, at: Date) =>
    describeShopPage(path, shop, origin, isChosen ? language : null, at);

  const shopPage = (shop: Shop, path: ShopPagePath, wish: Wish) =>
    inLanguage(wish.language, () =>
      keepPage(kept, shop, `${path} ${wish.language} ${wish.isChosen}`, now(), (at) =>
        writePage(shop, path, wish.language, at, describe(shop, path, wish, at)),
      ),
    );

  /** The menu that everyone gets, with the dish of a link in its name and before it: written into it, not rendered anew. */
  const dishPage = (menu: KeptPage, shop: Shop, dish: Item, wish: Wish) =>
    inLanguage(wish.language, () =>
      keepWithDish(menu, dish.id, (html) => {
        const { language, isChosen } = wish;
        const name = describe(shop, '/menu', wish, now());
        const dishName = describeDish(dish, shop, origin, isChosen ? language : null, name);
        const shown = renderLinkedDish(dish, shop.store.currency, language);
        return html
          .replace(writeName(name), () => writeName(dishName))
          .replace('<div id="root">', () => `${shown}<div id="root">`);
      }),
    );

  const pressMenus = async () => {
    const shop = await menus.primary();
    if (!shop) return;
    await Promise.all(languages.map((language) => shopPage(shop, '/menu', { language, isChosen: false }).pressed));
  };
  // The first who come find the menu pressed: at a start they wait for it, after a change they may be quicker than that.
  let isStarting = true;
  let change: NodeJS.Timeout | undefined;
  app.addHook('onReady', async () => {
    void pressMenus()
      .catch(() => {})
      .finally(() => (isStarting = false));
  });
  app.addHook('onClose', async () => clearTimeout(change));
  menus.onChange(() => {
    change ??= setTimeout(() => {
      change = undefined;
      void pressMenus().catch(() => {});
    }, changesGather);
  });

  const notFoundPage = (shop: Shop, path: string, language: Language) =>
    writePage(shop, path, language, now(), {
      title: `${m.platform_not_found_title()} · ${shop.store.name}`,
      isHidden: true,
    });

  const shell = async (face: Face, isKnown: boolean, language: Language) => {
    const shop = await menus.primary();
    const page = { config: browser, shopUrl: null, ...momentOf(shop, now()) };
    const title = isKnown ? (page.shopName ?? m.platform_shell_title()) : m.platform_not_found_title();
    const styles = face === 'storefront' ? 'inline' : 'linked';
    return writeHtml({
      title,
      isHidden: true,
      accentColor: face === 'storefront' ? (shop?.store.accent_color ?? null) : null,
      assets: face === 'office' ? office : storefronts[language]['/menu'],
      styles,
      page,
      body: '',
      withoutScript: face === 'storefront' && shop ? renderWithoutScript(shop.store, language) : undefined,
    });
  };

  app.get<{ Params: { version: string } }>('/shop/:version', async (request, reply) => {
    const shop = await menus.primary();
    // A page that was rendered from another version asks the API instead of taking this one for its own.
    if (!shop || shopUrl(shop) !== `/shop/${request.params.version}`) return reply.callNotFound();
    return sendPrebuilt(await packedOnce(shop), request, reply);
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
      const whole = shopPage(shop, page, wish);
      if (isStarting && page === '/menu') await whole.pressed;
      const dish = page === '/menu' ? linkedDish(shop, request) : undefined;
      const bytes = await (dish ? dishPage(whole, shop, dish, wish) : whole.bytes);
      return sendPrebuilt(bytes, request, reply, pageVary);
    }
    const moved = movedPages.get(path.replace(/(.)\/+$/, '$1'));
    if (moved) return reply.redirect(moved, 302);
    reply.type('text/html; charset=utf-8');
    if (shop && !found) return reply.status(404).send(inLanguage(language, () => notFoundPage(shop, path, language)));
    // Without a shop there is nothing to order or to follow; its staff may sign in all the same.
    const needsShop = found?.row.face === 'storefront' && !withoutShop.has(found.path);
    if (needsShop && !shop) return reply.redirect('/setup', 302);
    const review = found?.path === '/google-review' ? shop?.store.google_review_url : null;
    if (review && /^https?:/.test(review)) return reply.redirect(review, 302);
    const isThere = found !== null && (!found.path.startsWith('/orders/') || (await orderExists(db, idIn(path))));
    return reply
      .status(isThere ? 200 : 404)
      .send(await inLanguage(language, () => shell(found?.row.face ?? 'storefront', found !== null, language)));
  });
}

/** The dish that `/menu?item=` asks for. */
function linkedDish(shop: Shop, request: FastifyRequest): Item | undefined {
  const id = new URL(request.url, 'http://shop').searchParams.get('item');
  return id ? shop.index.items.get(id)?.item : undefined;
}

const withoutShop: ReadonlySet<string> = new Set(['/setup', '/login', '/forgot-password', '/reset-password']);

/** Milliseconds in which changes of a shop, which often come together, count as one. */
const changesGather = 200;

interface Wish {
  language: Language;
  /** By `?lang=` in this very request, so that every language has an address of its own. */
  isChosen: boolean;
}

const pageVary = 'accept-encoding, accept-language, cookie';

function wishOf(request: FastifyRequest): Wish {
  const chosen = toLanguage(new URL(request.url, 'http://shop').searchParams.get('lang'));
  return { language: chosen ?? languageOfPage(request.headers), isChosen: chosen !== null };
}

type ShopPages = Record<ShopPagePath, FaceAssets>;
type DescribedPage = Described & Pick<HtmlPage, 'structuredData'>;

async function readStorefronts(): Promise<Record<Language, ShopPages>> {
  const read = async (language: Language): Promise<[Language, ShopPages]> => {
    const paths = keysOf(shopPages);
    const assets = await Promise.all(paths.map((path) => readFaceAssets('storefront', language, shopPages[path])));
    return [language, Object.fromEntries(paths.map((path, index) => [path, assets[index]])) as ShopPages];
  };
  // Every language is read, so none is missing.
  return Object.fromEntries(await Promise.all(languages.map(read))) as Record<Language, ShopPages>;
}

function browserConfig(config: Config, key: string): BrowserConfig {
  const api = config.API_URL ? new URL(config.API_URL) : null;
  const port = api ? Number(api.port) || (api.protocol === 'https:' ? 443 : 80) : 0;
  return {
    apiUrl: api ? api.href.replace(/\/$/, '') : '',
    storeName: config.STORE_NAME ?? null,
    map: config.MAP_TILES_URL
      ? { url: config.MAP_TILES_URL, attribution: config.MAP_ATTRIBUTION ?? openStreetMap }
      : null,
    signInAt: config.OIDC_ISSUER ? (config.OIDC_NAME ?? new URL(config.OIDC_ISSUER).hostname) : null,
    realtime: { key, host: api?.hostname ?? '', port, cluster: 'mt1' },
  };
}

const openStreetMap =
  '© <a href="https://www.openstreetmap.org/copyright" target="_blank" rel="noreferrer">OpenStreetMap</a>';

/** What a page says of whose shop and of which moment it is. */
function momentOf(shop: Shop | null, at: Date): Pick<PageData, 'shopName' | 'now' | 'offset'> {
  const offset = shop && offsetSpanAt(shop.store.timezone, at.getTime());
  return { shopName: shop?.store.name ?? null, now: at.toISOString(), offset };
}

function shopUrl({ store, version }: Pick<Shop, 'store' | 'version'>): string {
  return `/shop/${store.id}-${version}.json`;
}

function packedOnce(shop: Shop): Promise<PrebuiltBytes> {
  return makeOnce(shop.built, 'packed', async () => {
    const packed: PackedShop = { store: shop.store, menus: packMenus(shop.menus) };
    const forEver = 'public, max-age=31536000, immutable';
    return pressHarder(await prebuild(JSON.stringify(packed), 'application/json; charset=utf-8', forEver));
  });
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
