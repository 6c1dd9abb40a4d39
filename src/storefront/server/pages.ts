import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { hasAdmin } from '#accounts/server/set-up-shop.ts';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Item } from '#menu/menu-shapes.ts';
import { choicesCategory, everyCategory } from '#menu/dish-allergens.ts';
import { cacheBuiltAnswer, type Shop } from '#shop/server/shop-cache.ts';
import { packMenus } from '#menu/packed-menus.ts';
import { readGuestOrder } from '#ordering/server/order-views.ts';
import { findOfficePage } from '#office-pages.ts';
import { lanOrigin } from '#printing/lan-origin.ts';
import { findPage, isOfficePath } from '#pages.ts';
import { type EncodedBodies, sendPrebuiltBody } from '#platform/http/answer.ts';
import { defaultLanguage, supportedLanguage } from '#platform/language.ts';
import type { FastPath } from '#platform/server/fast-path.ts';
import { languageCookie, languageOfPage } from '#platform/server/request-language.ts';
import { prebuildAnswer, recompressLater } from '#platform/server/prebuilt-answers.ts';
import type { PageServices } from '#storefront/server/services.ts';
import { shortPathRedirects } from '#storefront/short-path-redirects.ts';
import type { PackedShop } from '#shop/public-shop.ts';
import { assetsPrefix, clientFolder } from '#storefront/server/built-assets.ts';
import { reserveUsualHeight } from '#storefront/server/html.ts';
import { shopUrl, type WantedLanguage } from '#storefront/server/page-html.ts';
import {
  createPageWriter,
  prerenderMenu,
  type PageWriter,
  type MenuPrerendering,
} from '#storefront/server/page-writer.ts';
import { isShopPage, type ShopPagePath } from '#storefront/server/shop-page.ts';
import { serveSiteFiles } from '#storefront/server/site-files.ts';
import { publicStore } from '#store/server/store-views.ts';

type Found = ReturnType<typeof findPage> | ReturnType<typeof findOfficePage>;

interface Site {
  services: PageServices;
  writer: PageWriter;
  ready: MenuPrerendering;
  fastPath: FastPath;
}

interface Visit {
  request: FastifyRequest;
  reply: FastifyReply;
  path: string;
  found: Found;
  wish: WantedLanguage;
}

/**
 * Serves the built files and all pages of both front ends. The server renders an order's page, and the pages of
 * `shop-page.ts`, in a guest's view. The browser renders all others. Unknown paths are 404. Throws without a build.
 */
export async function servePages(
  app: FastifyInstance,
  services: PageServices,
  realtimeKey: string,
  fastPath: FastPath,
): Promise<void> {
  const { menus } = services;
  const writer = await createPageWriter(services, realtimeKey, menus.isCurrent);
  const site: Site = { services, writer, ready: prerenderMenu(app, services, writer), fastPath };
  serveSiteFiles(app, services);
  await serveAssets(app);

  app.get<{ Params: { version: string } }>('/shop/:version', async (request, reply) => {
    const shop = await menus.forPages();
    // Only the current version of the data is served here. A page with another version gets its data from the API.
    if (!shop || shopUrl(shop) !== `/shop/${request.params.version}`) return reply.callNotFound();
    return sendPrebuiltBody(await packedOnce(shop, menus.isCurrent), request, reply);
  });

  app.get('/*', async (request, reply) => {
    const path = request.url.split(/[?#]/, 1)[0] ?? '/';
    const found = findPage(decode(path)) ?? findOfficePage(decode(path));
    const wantsHtml = request.headers.accept?.includes('text/html') ?? false;
    if (path.startsWith('/v1/') || path.startsWith(assetsPrefix) || (!found && !wantsHtml)) return reply.callNotFound();
    return sendPage(site, { request, reply, path, found, wish: wishFor(found, request) });
  });
}

async function serveAssets(app: FastifyInstance): Promise<void> {
  await app.register(fastifyStatic, {
    root: fileURLToPath(clientFolder),
    prefix: assetsPrefix,
    preCompressed: true,
    index: false,
    dotfiles: 'ignore',
    cacheControl: false,
    setHeaders: (reply, path) => {
      // File names under `assets/` contain their content's hash.
      const isHashed = /[\\/]assets[\\/]/.test(path);
      void reply.setHeader('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'public, max-age=3600');
    },
  });
}

async function sendPage(site: Site, visit: Visit) {
  const { config, menus } = site.services;
  const { request, reply, path, found, wish } = visit;
  const devices = found && isOfficePath(found.path) ? browserPrinters(site.services.printers) : [];
  reply.headers({ ...pageHeaders(config, request.host, devices), 'cache-control': 'no-cache' });
  if (wish.isChosen) {
    reply.header(
      'set-cookie',
      `${languageCookie}=${wish.language}; Path=/; Max-Age=31536000; SameSite=Lax${request.protocol === 'https' ? '; Secure' : ''}`,
    );
  }
  const shop = await menus.forPages();
  if (shop && isShopPage(found?.path)) return sendShopPage(site, visit, shop, found.path);
  const elsewhere = redirectOf(path, found, shop);
  if (elsewhere === '/setup' && (await hasAdmin(site.services.db))) return reply.redirect(signInToSetUp, 302);
  if (elsewhere !== null) return reply.redirect(elsewhere, 302);
  reply.type('text/html; charset=utf-8');
  if (shop && !found) return reply.status(404).send(site.writer.notFoundPage(shop, path, wish.language));
  return sendShell(site, visit, shop);
}

async function sendShopPage(site: Site, { request, reply, wish }: Visit, shop: Shop, page: ShopPagePath) {
  const { writer, ready } = site;
  if (page === '/menu' && !wish.isChosen) ready.note(wish.language);
  const second = secondOf(site);
  const whole = writer.shopPage(shop, page, wish);
  if (ready.isStarting() && page === '/menu') await whole.recompress();
  const dish = page === '/menu' ? linkedDish(shop, request) : undefined;
  const category = page === '/menu' || page === '/allergens' ? linkedCategory(shop, request) : null;
  const bytes = await (dish
    ? writer.dishPage(whole, shop, dish, wish)
    : category === null
      ? whole.bytes
      : writer.categoryPage(whole, shop, page, category, wish));
  if (request.url === page) rememberPage(site, request, { shop, bytes, second });
  return sendPrebuiltBody(bytes, request, reply, pageVary);
}

/**
 * Lets the fast path answer requests for a page until this second ends. In each second, one request still reaches the
 * page's handler. The handler updates the time on the page, and records that the menu was requested, because only a
 * recently requested menu is rendered again after a change.
 */
function rememberPage(
  site: Site,
  request: FastifyRequest,
  { shop, bytes, second }: { shop: Shop; bytes: EncodedBodies; second: number },
): void {
  const { config, menus } = site.services;
  const { host, 'x-forwarded-host': forwarded } = request.headers;
  // A page for a forwarded host is not cached. Its header counts only if the proxy is trusted, and the fast path cannot
  // check this.
  if (forwarded !== undefined) return;
  const language = languageOfPage(request.headers);
  site.fastPath.remember(request.url, {
    bytes,
    headers: pageHeaders(config, request.host),
    isFor: (headers) =>
      headers.host === host && headers['x-forwarded-host'] === undefined && languageOfPage(headers) === language,
    isCurrent: () => secondOf(site) === second && menus.isCurrent(shop),
  });
}

/**
 * The origins of printers to which boards send directly. Every office page allows them, because staff may go from any
 * page to the board without a reload.
 */
function browserPrinters(printers: PageServices['printers']): string[] {
  const own = printers.all().filter(({ kind }) => kind === 'browser');
  return [...new Set(own.map(({ address }) => lanOrigin(address)))];
}

function secondOf({ services }: Site): number {
  return Math.floor(services.now().getTime() / 1000);
}

function pageHeaders(
  config: Site['services']['config'],
  host: string,
  devices: readonly string[] = [],
): Record<string, string> {
  return {
    'content-security-policy': contentSecurityPolicy(config, host, devices),
    vary: pageVary,
  };
}

/** Sends an order's page, which the server renders in the guest's view, or a page that the browser renders. */
async function sendShell({ services, writer }: Site, { reply, path, found, wish }: Visit, shop: Shop | null) {
  const isOfOrder = found?.path.startsWith('/orders/') ?? false;
  const order = isOfOrder ? await readGuestOrder(services.db, services.orderParts, idIn(path)) : null;
  // Proxies must not store an order's page, because only people with its link may read it.
  if (order) reply.header('cache-control', 'private, no-store');
  if (shop && order && found?.path === '/orders/{orderId}') {
    return reply.send(writer.orderPage(shop, order, wish.language));
  }
  const isThere = found !== null && (!isOfOrder || order !== null);
  return reply.status(isThere ? 200 : 404).send(writer.shell(shop, found?.path ?? null, wish.language));
}

/** Returns the redirect's target; null: no redirect. */
function redirectOf(path: string, found: Found, shop: Shop | null): string | null {
  const moved = shortPathRedirects.get(path.replace(/(.)\/+$/, '$1'));
  if (moved) return moved;
  // Without a shop nobody can order, but staff can sign in, so the sign-in pages need no shop.
  const needsShop = found && !isOfficePath(found.path) && !withoutShop.has(found.path);
  if (needsShop && !shop) return '/setup';
  const review = found?.path === '/google-review' ? shop?.store.google_review_url : null;
  return review && /^https?:/.test(review) ? review : null;
}

/** The dish of `/menu?item=`; undefined without one. */
function linkedDish(shop: Shop, request: FastifyRequest): Item | undefined {
  const id = queryOf(request).get('item');
  return id ? shop.index.items.get(id)?.item : undefined;
}

/** The category that `?category=` names; null if there is none. */
function linkedCategory({ menus }: Shop, request: FastifyRequest): string | null {
  const id = queryOf(request).get('category');
  const ids = menus.flatMap(({ categories = [] }) => categories.map((each) => each.id));
  return id !== null && [...ids, everyCategory, choicesCategory].includes(id) ? id : null;
}

const withoutShop: ReadonlySet<string> = new Set(['/setup', '/login', '/forgot-password', '/reset-password']);

/** The sign-in page for an owner who has an account but no shop yet. */
const signInToSetUp = '/login?for=set-up';

const pageVary = 'accept-encoding, accept-language, cookie';

/**
 * The language of a page. The office has one language. Customers get the URL's language, or else the cookie's or the
 * browser's.
 */
function wishFor(found: Found, request: FastifyRequest): WantedLanguage {
  if (found && isOfficePath(found.path)) return { language: defaultLanguage, isChosen: false };
  const chosen = supportedLanguage(queryOf(request).get('lang'));
  return { language: chosen ?? languageOfPage(request.headers), isChosen: chosen !== null };
}

function packedOnce(shop: Shop, isWanted: (shop: Shop) => boolean): Promise<EncodedBodies> {
  return cacheBuiltAnswer(shop, 'packed', async () => {
    const packed: PackedShop = { store: publicStore(shop.store), menus: packMenus(shop.menus) };
    const forEver = 'public, max-age=31536000, immutable';
    const bytes = await prebuildAnswer(JSON.stringify(packed), 'application/json; charset=utf-8', forEver);
    recompressLater(bytes, () => isWanted(shop));
    return bytes;
  });
}

/** The query of the raw path, which may be an invalid URL, such as `//`. */
function queryOf({ url }: FastifyRequest): URLSearchParams {
  const at = url.indexOf('?');
  return new URLSearchParams(at < 0 ? '' : url.slice(at));
}

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

/** The source by which the one inline script runs. */
const inlineScript = `'sha256-${createHash('sha256').update(reserveUsualHeight).digest('base64')}'`;

/**
 * The Content-Security-Policy. Only own scripts run. Styles may be inline, for first views and the office. `host`: the
 * request's host, which is left out if invalid. `devices`: the printers to which the page may send.
 */
export function contentSecurityPolicy(
  config: { API_URL?: string | undefined; APP_URL?: string | undefined; MAP_TILES_URL?: string | undefined },
  host: string,
  devices: readonly string[] = [],
): string {
  const api = config.API_URL ? new URL(config.API_URL).origin : '';
  const maps = config.MAP_TILES_URL?.startsWith('http:') ? new URL(config.MAP_TILES_URL).origin : '';
  return [
    "default-src 'self'",
    `script-src 'self' ${inlineScript}`,
    `img-src 'self' data: blob: https: ${maps}`.trim(),
    "style-src 'self' 'unsafe-inline'",
    ["connect-src 'self'", api, ...socketsOf(config, host), ...devices].filter(Boolean).join(' '),
    // The spreadsheet library creates a worker from its own code for large files.
    "worker-src 'self' blob:",
    // Forms may be submitted to this origin only. This rule does not limit links, which lead to the payment and sign-in
    // pages of other sites.
    "form-action 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    // The menu editor shows the menu in a frame of a phone's width.
    "frame-ancestors 'self'",
  ].join('; ');
}

/**
 * The sources that allow WebSockets to this server. Not every browser accepts 'self' for them, and a proxy may change
 * the host.
 */
function socketsOf(
  { API_URL, APP_URL }: { API_URL?: string | undefined; APP_URL?: string | undefined },
  host: string,
): string[] {
  const own = /^(?:[\w.-]+|\[[\da-f:]+\])(?::\d+)?$/i.test(host) ? [host] : [];
  const configured = [APP_URL, API_URL].flatMap((url) => (url ? [new URL(url).host] : []));
  return [...new Set([...own, ...configured])].flatMap((each) => [`ws://${each}`, `wss://${each}`]);
}
