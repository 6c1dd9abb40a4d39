import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import fastify, { type FastifyInstance } from 'fastify';
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import { createOrderSqlParts } from '#app-services.ts';
import { readConfig } from '#config.ts';
import type { Schema } from '#database/schema.ts';
import type { Menu } from '#menu/menu-shapes.ts';
import { demoShop } from '#demo/demo-shop.ts';
import type { Shop, ShopCache } from '#shop/server/shop-cache.ts';
import { demoPictureSvg, demoPictureUrl, serveDemoPictures } from '#demo/server/pictures.ts';
import { indexMenus } from '#menu/menu-index.ts';
import { aStore } from '#ordering/testing/samples.ts';
import type { Language } from '#platform/language.ts';
import { openFileFolder } from '#platform/server/files/open-file-store.ts';
import { thoroughBrotliSettings } from '#platform/server/prebuilt-answers.ts';
import { clientFolder } from '#storefront/server/built-assets.ts';
import { createFastPath } from '../src/platform/server/fast-path.ts';
import { servePages } from '#storefront/server/pages.ts';

/** The bytes of a first visit to a page. */
export interface PageSize {
  html: number;
  /** The HTML of the first request, with brotli. */
  brotli: number;
  /** The largest of the pictures that the page requests first, in transferred bytes. */
  picture: number;
  /** The HTML and everything that it requests immediately: fonts, script, menu data, first pictures; transferred. */
  total: number;
}

/**
 * The bytes of a page of the demo shop, rendered by the server's own code at a fixed time and with fixed ids, so that
 * the numbers are exact and can be used as limits.
 */
export async function measurePage(path: '/' | '/menu', language: Language): Promise<PageSize> {
  const app = fastify();
  const shop = aDemoShop();
  const known: Partial<ShopCache> = {
    forPages: async () => shop,
    isCurrent: () => true,
    onChange() {},
  };
  const menus = known as ShopCache;
  const dialect = {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db: Kysely<unknown>) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
  const config = readConfig({ APP_URL: 'https://shop.example.com' });
  const now = () => new Date('2026-11-21T18:00:00Z');
  await servePages(
    app,
    {
      config,
      db: new Kysely<Schema>({ dialect }),
      drawPicture: demoPictureSvg,
      menus,
      restored: { epoch: null },
      now,
      files: openFileFolder(config.dataDir),
      orderParts: createOrderSqlParts(() => null),
      printers: { all: () => [] },
      signInProviders: { choices: () => [] },
    },
    'a-key-of-twenty-char',
    createFastPath(),
  );
  serveDemoPictures(app);
  const headers = { accept: 'text/html', 'accept-language': language, 'accept-encoding': 'br' };
  const { rawPayload: sent } = await app.inject({ url: path, headers });
  const html = brotliDecompressSync(sent);
  const body = html.toString();
  const [, data = ''] = /<link rel="preload" href="(\/shop\/[^"]+)"/.exec(body) ?? [];
  const { rawPayload: menuData } = await app.inject({ url: data });
  const pictures = [...body.matchAll(/<img src="(\/pictures\/[^"]+)"[^>]*fetchPriority="high"/g)].map(
    ([, url = '']) => url,
  );
  if (pictures.length === 0) throw new Error(`${path} has no picture that is loaded first.`);
  const sizes = await Promise.all(pictures.map((url) => pictureSize(app, url)));
  await app.close();
  const total = sum([sent.length, brotliSize(menuData), ...sizes, ...(await Promise.all(filesOf(body).map(sizeOf)))]);
  return { html: html.length, brotli: sent.length, picture: Math.max(...sizes), total };
}

/** The transferred size for a current browser; of an SVG, after its recompression. */
async function pictureSize(app: FastifyInstance, url: string): Promise<number> {
  const { rawPayload, headers, statusCode } = await app.inject({
    url,
    headers: { accept: 'image/avif,image/webp,*/*' },
  });
  if (statusCode !== 200) throw new Error(`${url} is not there.`);
  return headers['content-type']?.toString().startsWith('image/svg') ? brotliSize(rawPayload) : rawPayload.length;
}

/** The build's files that a page links to: they load whatever the visitor does. A disabled style sheet never loads. */
function filesOf(html: string): string[] {
  const links = html.matchAll(/<(?:link|script)[^>]* (?:href|src)="\/static\/([^"]+)"( disabled)?/g);
  const named = [...links].flatMap(([, file = '', disabled]) => (disabled ? [] : [file]));
  if (named.length === 0) throw new Error('The page loads no file of the build.');
  return [...new Set(named)];
}

async function sizeOf(file: string): Promise<number> {
  const path = new URL(file, clientFolder);
  // A file without a compressed copy beside it, such as a font, is sent as it is.
  const { size } = await stat(new URL(`${path.href}.br`)).catch(() => stat(path));
  return size;
}

function sum(sizes: readonly number[]): number {
  return sizes.reduce((total, size) => total + size, 0);
}

function brotliSize(bytes: Buffer): number {
  const { BROTLI_PARAM_QUALITY: quality, BROTLI_PARAM_SIZE_HINT: hint } = constants;
  return brotliCompressSync(bytes, { params: { [quality]: thoroughBrotliSettings.quality, [hint]: bytes.length } })
    .length;
}

/** The demo shop as after its first start, with ids derived from the keys. */
function aDemoShop(): Shop {
  const { menu, categories, items, option_groups: groups, options, store } = demoShop;
  const byKey = <T extends { key: string }>(things: readonly T[]) => new Map(things.map((thing) => [thing.key, thing]));
  const [itemBy, groupBy, optionBy] = [byKey(items), byKey(groups), byKey(options)];
  const needed = <T>(thing: T | undefined): T => {
    if (thing === undefined) throw new Error('The demo shop names something that it does not have.');
    return thing;
  };
  const itemOf = (key: string, position: number) => {
    const { key: _key, picture, option_groups: links, ...item } = needed(itemBy.get(key));
    return {
      ...item,
      id: idOf(`item ${key}`),
      image: demoPictureUrl(picture),
      position,
      option_groups: links.map(({ option_group: group, shown_when_option_id: shownWhen }, at) => {
        const { key: groupKey, options: offered, ...rest } = needed(groupBy.get(group));
        return {
          ...rest,
          pricing: 'adds' as const,
          id: idOf(`group ${groupKey}`),
          position: at,
          shown_when_option_id: shownWhen && idOf(`option ${shownWhen}`),
          options: offered.map(({ option, price }) => {
            const { key: optionKey, ...facts } = needed(optionBy.get(option));
            return { ...facts, id: idOf(`option ${optionKey}`), price: price ?? facts.price };
          }),
        };
      }),
    };
  };
  const menus: Required<Menu>[] = [
    {
      ...menu,
      id: idOf('menu'),
      store_id: idOf('store'),
      position: 0,
      categories: categories.map(({ key, items: keys, ...category }, position) => ({
        ...category,
        id: idOf(`category ${key}`),
        menu_id: idOf('menu'),
        image: null,
        position,
        items: keys.map(itemOf),
      })),
    },
  ];
  const shown = { ...aStore({ version: 1 }), ...store, id: idOf('store') };
  return { store: shown, offers: [], isDemo: true, menus, index: indexMenus(menus), version: 1, built: new Map() };
}

/** In the form of the database's ids: time and random bits, in hexadecimal. */
function idOf(key: string): string {
  const hex = createHash('sha256').update(key).digest('hex');
  return `019ab000-0000-7${hex.slice(0, 3)}-8${hex.slice(3, 6)}-${hex.slice(6, 18)}`;
}
