import { readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import { LRUCache } from 'lru-cache';
import { m } from '#messages';
import type { Shop } from '#shop/server/shop-cache.ts';
import { AppError } from '#platform/errors.ts';
import { languages } from '#platform/language.ts';
import { runInLanguage, languageOfPage } from '#platform/server/request-language.ts';
import { getOrCreateCached } from '#platform/server/prebuilt-answers.ts';
import type { PageServices } from '#storefront/server/services.ts';
import { accentColors } from '#store/accent.ts';
import {
  drawDishPicture,
  drawIcon,
  drawSharePicture,
  type IconName,
  iconNames,
} from '#storefront/server/app-pictures.ts';
import { clientFolder } from '#storefront/server/built-assets.ts';
import { escapeHtml } from '#storefront/server/html.ts';
import { shopPages } from '#storefront/server/shop-page.ts';

export function serveSiteFiles(
  app: FastifyInstance,
  { config, menus, drawPicture, files }: Pick<PageServices, 'config' | 'drawPicture' | 'files' | 'menus'>,
): void {
  const sources = { drawPicture, files };
  const pictures = new WeakMap<Shop, LRUCache<string, Promise<Buffer>>>();
  const once = (shop: Shop, name: string, draw: () => Promise<Buffer>) => {
    const drawn = pictures.get(shop) ?? new LRUCache<string, Promise<Buffer>>({ max: maxPictures });
    pictures.set(shop, drawn);
    return getOrCreateCached(drawn, name, draw);
  };
  const shopOr404 = async () => {
    const shop = await menus.forPages();
    if (!shop) throw new AppError('not_found', m.platform_not_found());
    return shop;
  };
  app.get('/robots.txt', async (_request, reply) => {
    reply.type('text/plain; charset=utf-8').header('cache-control', 'public, max-age=3600');
    return robots(config.publicUrl);
  });

  app.get('/sitemap.xml', async (_request, reply) => {
    reply.type('application/xml; charset=utf-8').header('cache-control', 'public, max-age=3600');
    return sitemap(config.publicUrl);
  });

  app.get('/manifest.webmanifest', async (request, reply) => {
    const shop = await shopOr404();
    const language = languageOfPage(request.headers);
    reply.type('application/manifest+json').headers({ 'cache-control': 'no-cache', vary: 'accept-language, cookie' });
    return JSON.stringify(runInLanguage(language, () => manifest(shop, language)));
  });

  app.get<{ Params: { name: string } }>('/app-icon/:name.png', async (request, reply) => {
    const name = iconNames.find((icon) => icon === request.params.name);
    if (!name) throw new AppError('not_found', m.platform_not_found());
    const shop = await shopOr404();
    reply.type('image/png').header('cache-control', 'public, max-age=3600');
    return once(shop, name, () => drawIcon(shop, name satisfies IconName, sources));
  });

  // This icon is for programs that do not read HTML. Browsers accept a PNG at this path.
  app.get('/favicon.ico', async (_request, reply) => {
    const shop = await shopOr404();
    reply.type('image/png').header('cache-control', 'public, max-age=86400');
    return once(shop, '192', () => drawIcon(shop, '192', sources));
  });

  app.get('/share.jpg', async (_request, reply) => {
    const shop = await shopOr404();
    reply.type('image/jpeg').header('cache-control', 'public, max-age=86400');
    return once(shop, 'share', () => drawSharePicture(shop, sources));
  });

  app.get<{ Params: { itemId: string } }>('/share/:itemId.jpg', async (request, reply) => {
    const shop = await shopOr404();
    const dish = shop.index.items.get(request.params.itemId)?.item;
    if (!dish) throw new AppError('not_found', m.platform_not_found());
    reply.type('image/jpeg').header('cache-control', 'public, max-age=86400');
    return once(shop, `share ${dish.id}`, () => drawDishPicture(shop, dish, sources));
  });

  app.get('/service-worker.js', async (_request, reply) => {
    reply.type('text/javascript; charset=utf-8').header('cache-control', 'no-cache');
    return readFile(new URL('service-worker.js', clientFolder), 'utf8');
  });
}

/** The maximum number of cached pictures per shop version: icons and shared pictures, 15 MB in total. */
const maxPictures = 200;

function robots(origin: string): string {
  const hidden = [
    '/checkout',
    '/orders/',
    '/customer/',
    '/login',
    '/register',
    '/setup',
    '/store/',
    '/admin/',
    '/kitchen',
  ];
  const lines = ['User-agent: *', ...hidden.map((path) => `Disallow: ${path}`), '', `Sitemap: ${origin}/sitemap.xml`];
  return `${lines.join('\n')}\n`;
}

function sitemap(origin: string): string {
  const urls = Object.keys(shopPages).flatMap((path) => {
    const address = escapeHtml(origin + path);
    const alternates = languages
      .map((language) => `<xhtml:link rel="alternate" hreflang="${language}" href="${address}?lang=${language}"/>`)
      .join('');
    return ['', ...languages.map((language) => `?lang=${language}`)].map(
      (query) => `<url><loc>${address}${query}</loc>${alternates}</url>`,
    );
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">${urls.join('')}</urlset>
`;
}

function manifest({ store }: Shop, language: string) {
  const icon = (name: IconName, size: number, purpose: string) => ({
    src: `/app-icon/${name}.png?v=${store.version}`,
    sizes: `${size}x${size}`,
    type: 'image/png',
    purpose,
  });
  return {
    id: '/',
    name: store.name,
    short_name: store.name.length > 14 ? store.name.split(' ')[0] : store.name,
    description: m.store_home_page_description({ name: store.name, city: store.address.city || store.name }),
    lang: language,
    start_url: '/menu',
    scope: '/',
    display: 'standalone',
    background_color: '#fbf5ea',
    theme_color: store.accent_color ? accentColors(store.accent_color).light.accent : '#fbf5ea',
    categories: ['food'],
    icons: [icon('192', 192, 'any'), icon('512', 512, 'any'), icon('maskable', 512, 'maskable')],
    shortcuts: [
      { name: m.menu_title(), url: '/menu' },
      { name: m.accounts_my_orders(), url: '/customer/orders' },
    ],
  };
}
