import { m } from '#messages';
import { renderLinkedDish, renderPage, renderWithoutScript } from '#ssr';
import type { Config } from '#config.ts';
import type { Item } from '#menu/contract.ts';
import type { Shop } from '#menu/server/menu-cache.ts';
import type { Face } from '#pages.ts';
import { keysOf } from '#platform/keys-of.ts';
import { type Language, languages } from '#platform/language.ts';
import { inLanguage } from '#platform/server/in-language.ts';
import { offsetSpanAt } from '#platform/zone-clock.ts';
import type { BrowserConfig, PageData } from '#storefront/page-data.ts';
import { type FaceAssets, readFaceAssets } from '#storefront/server/built-assets.ts';
import { type Described, type HtmlPage, writeHtml, writeName } from '#storefront/server/html.ts';
import { keepPage, type KeptPage, keepWithDish, type PageKeeping } from '#storefront/server/kept-pages.ts';
import {
  describeDish,
  describeShopPage,
  isShopPage,
  type ShopPagePath,
  shopPages,
} from '#storefront/server/shop-page.ts';

export interface Wish {
  language: Language;
  /** By `?lang=` in this very request, so that every language has an address of its own. */
  isChosen: boolean;
}

export interface PageWriter {
  /** A page of the shop as a guest sees it, kept for as long as it says the same. */
  shopPage(shop: Shop, path: ShopPagePath, wish: Wish): KeptPage;
  /** The menu with the dish of a link in its name and before it: written into the one that everyone gets, not rendered anew. */
  dishPage(menu: KeptPage, shop: Shop, dish: Item, wish: Wish): ReturnType<typeof keepWithDish>;
  notFoundPage(shop: Shop, path: string, language: Language): string;
  /** A page that the browser fills. */
  shell(shop: Shop | null, face: Face, isKnown: boolean, language: Language): string;
}

type DescribedPage = Described & Pick<HtmlPage, 'structuredData'>;

/** Writes what `pages.ts` serves. Throws when there is no build. */
export async function createPageWriter(
  config: Config,
  now: () => Date,
  realtimeKey: string,
  pressing: Pick<PageKeeping, 'presser' | 'isCurrent'>,
): Promise<PageWriter> {
  const office = await readFaceAssets('office');
  const storefronts = await readStorefronts();
  const browser = browserConfig(config, realtimeKey);
  const origin = config.publicUrl;
  const keeping: PageKeeping = { kept: new WeakMap(), ...pressing };

  const write = (shop: Shop, path: string, language: Language, at: Date, extra: DescribedPage) =>
    writeHtml({
      ...extra,
      assets: storefronts[language][isShopPage(path) ? path : '/menu'],
      accentColor: shop.store.accent_color,
      styles: 'inline',
      page: { config: browser, shopUrl: shopUrl(shop), ...momentOf(shop, at) },
      body: renderPage(path, browser, { store: shop.store, menus: shop.menus }, at, language),
    });

  const describe = (shop: Shop, path: ShopPagePath, { language, isChosen }: Wish, at: Date) =>
    describeShopPage(path, shop, origin, isChosen ? language : null, at);

  return {
    shopPage: (shop, path, wish) =>
      inLanguage(wish.language, () =>
        keepPage(keeping, shop, `${path} ${wish.language} ${wish.isChosen}`, now(), (at) =>
          write(shop, path, wish.language, at, describe(shop, path, wish, at)),
        ),
      ),

    dishPage: (menu, shop, dish, wish) =>
      inLanguage(wish.language, () =>
        keepWithDish(keeping, menu, dish.id, (html) => {
          const { language, isChosen } = wish;
          const name = describe(shop, '/menu', wish, now());
          const dishName = describeDish(dish, shop, origin, isChosen ? language : null, name);
          const shown = renderLinkedDish(dish, shop.store.currency, language);
          return html
            .replace(writeName(name), () => writeName(dishName))
            .replace('<div id="root">', () => `${shown}<div id="root">`);
        }),
      ),

    notFoundPage: (shop, path, language) =>
      inLanguage(language, () =>
        write(shop, path, language, now(), {
          title: `${m.platform_not_found_title()} · ${shop.store.name}`,
          isHidden: true,
        }),
      ),

    shell: (shop, face, isKnown, language) =>
      inLanguage(language, () => {
        const isOffice = face === 'office';
        const page = { config: browser, shopUrl: null, ...momentOf(shop, now()) };
        return writeHtml({
          title: isKnown ? (page.shopName ?? m.platform_shell_title()) : m.platform_not_found_title(),
          isHidden: true,
          accentColor: isOffice ? null : (shop?.store.accent_color ?? null),
          assets: isOffice ? office : storefronts[language]['/menu'],
          styles: isOffice ? 'linked' : 'inline',
          page,
          body: '',
          withoutScript: !isOffice && shop ? renderWithoutScript(shop.store, language) : undefined,
        });
      }),
  };
}

/** Where the browser fetches what it needs to order from this version of a shop. */
export function shopUrl({ store, version }: Pick<Shop, 'store' | 'version'>): string {
  return `/shop/${store.id}-${version}.json`;
}

type ShopPages = Record<ShopPagePath, FaceAssets>;

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
