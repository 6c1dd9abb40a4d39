import { m } from '#messages';
import { renderLinkedDish, renderOrder, renderPage, renderNoScriptContent } from '#ssr';
import type { SignInChoice } from '#accounts/sign-in-kinds.ts';
import type { Item } from '#menu/menu-shapes.ts';
import type { StoreSnapshot } from '#shop/server/shop-cache.ts';
import type { GuestOrder } from '#ordering/order.ts';
import type { OfficePagePath } from '#office-pages.ts';
import { isOfficePath, type PagePath } from '#pages.ts';
import { keysOf } from '#platform/keys-of.ts';
import { type Language, languages } from '#platform/language.ts';
import { runInLanguage } from '#platform/server/request-language.ts';
import { zoneOffsetSpanAt } from '#platform/zone-clock.ts';
import type { PageData } from '#storefront/page-data.ts';
import type { PublicShop } from '#shop/public-shop.ts';
import type { browserConfig } from '#storefront/server/browser-config.ts';
import { type FaceAssets, readFaceAssets } from '#storefront/server/built-assets.ts';
import { type PageMetadata, type HtmlPage, formatHtmlDocument, metadataTags } from '#storefront/server/html.ts';
import type { PageConfig } from '#storefront/server/services.ts';
import {
  describeLinkedDish,
  describeShopPage,
  isShopPage,
  type ShopPagePath,
  shopPages,
} from '#storefront/server/shop-page.ts';
import { publicStore } from '#store/server/store-views.ts';

export interface WantedLanguage {
  language: Language;
  /** Whether `?lang=` chose the language; the page's canonical URL then has `?lang=` as well. */
  isChosen: boolean;
}

/** A shop at one version, with the data for its pages. */
type PageShop = PublicShop & Pick<StoreSnapshot, 'version'>;

/** The writer of the pages' HTML. `at` is the time that a page shows. */
export interface PageHtmlWriter {
  shopPage(
    shop: PageShop,
    wanted: { path: ShopPagePath; wish: WantedLanguage; at: Date; category?: string | undefined },
  ): string;
  /**
   * Changes the menu's HTML for a link to a dish. The title names the dish, and browsers without scripts show the dish
   * above the menu.
   */
  dishPage(menuHtml: string, shop: PageShop, dish: Item, wish: WantedLanguage, at: Date): string;
  notFoundPage(shop: PageShop, path: string, language: Language, at: Date): string;
  orderPage(shop: PageShop, order: GuestOrder, language: Language, at: Date): string;
  /** Writes a page that the browser renders. `path` is null for an unknown address. */
  shell(shop: PageShop | null, path: PagePath | OfficePagePath | null, language: Language, at: Date): string;
}

interface PageView {
  language: Language;
  at: Date;
  category?: string | undefined;
}

type DescribedPage = PageMetadata & Pick<HtmlPage, 'structuredData'>;

/** Creates the writer of the pages' HTML. `signIn` is called for each page. Throws without a build. */
export async function createPageHtmlWriter(
  config: PageConfig,
  fixed: ReturnType<typeof browserConfig>,
  signIn: () => SignInChoice[],
): Promise<PageHtmlWriter> {
  const office = await readFaceAssets('office');
  const storefronts = await readStorefronts();
  const browserNow = (): PageData['config'] => ({ ...fixed, signIn: signIn() });

  const write = (shop: PageShop, path: string, { language, at, category }: PageView, extra: DescribedPage) => {
    const browser = browserNow();
    return formatHtmlDocument({
      ...extra,
      assets: storefronts[language][isShopPage(path) ? path : '/menu'],
      accentColor: shop.store.accent_color,
      styles: 'inline',
      page: { config: browser, shopUrl: shopUrl(shop), store: null, order: null, ...momentOf(shop, at) },
      body: renderPage(path, browser, { store: shop.store, menus: shop.menus }, at, language, category),
    });
  };

  const describe = (shop: PageShop, path: ShopPagePath, { language, isChosen }: WantedLanguage, at: Date) =>
    describeShopPage(path, shop, config.publicUrl, isChosen ? language : null, at);

  return {
    shopPage: (shop, { path, wish, at, category }) =>
      runInLanguage(wish.language, () =>
        write(shop, path, { language: wish.language, at, category }, describe(shop, path, wish, at)),
      ),

    dishPage: (menuHtml, shop, dish, wish, at) =>
      runInLanguage(wish.language, () => {
        const { language, isChosen } = wish;
        const name = describe(shop, '/menu', wish, at);
        const dishName = describeLinkedDish(dish, shop, config.publicUrl, isChosen ? language : null, name);
        const shown = renderLinkedDish(dish, shop.store.currency, language);
        return menuHtml
          .replace(metadataTags(name), () => metadataTags(dishName))
          .replace('<div id="root">', () => `${shown}<div id="root">`);
      }),

    notFoundPage: (shop, path, language, at) =>
      runInLanguage(language, () =>
        write(
          shop,
          path,
          { language, at },
          {
            title: `${m.platform_not_found_title()} · ${shop.store.name}`,
            isHidden: true,
          },
        ),
      ),

    orderPage: (shop, order, language, at) =>
      runInLanguage(language, () => {
        const browser = browserNow();
        return formatHtmlDocument({
          title: `${m.ordering_order_number({ number: order.number })} · ${shop.store.name}`,
          isHidden: true,
          assets: storefronts[language]['/orders/{orderId}'],
          accentColor: shop.store.accent_color,
          styles: 'inline',
          page: { config: browser, shopUrl: null, store: publicStore(shop.store), order, ...momentOf(shop, at) },
          body: renderOrder(order, browser, shop.store, at, language),
        });
      }),

    shell: (shop, path, language, at) =>
      runInLanguage(language, () =>
        writeShell({ office, storefronts, config: browserNow() }, shop, path, language, at),
      ),
  };
}
interface ShellParts {
  office: FaceAssets;
  storefronts: Awaited<ReturnType<typeof readStorefronts>>;
  config: PageData['config'];
}

function writeShell(
  { office, storefronts, config }: ShellParts,
  shop: PageShop | null,
  path: PagePath | OfficePagePath | null,
  language: Language,
  at: Date,
): string {
  const isOffice = path !== null && isOfficePath(path);
  const store = isOffice || !shop ? null : publicStore(shop.store);
  const page = { config, shopUrl: null, store, order: null, ...momentOf(shop, at) };
  return formatHtmlDocument({
    title: path ? (page.shopName ?? m.storefront_title()) : m.platform_not_found_title(),
    isHidden: true,
    accentColor: store?.accent_color ?? null,
    assets: isOffice ? office : storefronts[language][hasOwnFiles(path) ? path : '/menu'],
    styles: isOffice ? 'linked' : 'inline',
    page,
    body: '',
    withoutScript: store ? renderNoScriptContent(store, language) : undefined,
  });
}

/** The URL of a shop's data at this version. The data has everything that the browser needs to order. */
export function shopUrl({ store, version }: Pick<PageShop, 'store' | 'version'>): string {
  return `/shop/${store.id}-${version}.json`;
}

/**
 * The pages whose own files are preloaded: the pages that the server renders, and the page after a payment, where
 * customers wait longest.
 */
const ownFiles = {
  ...shopPages,
  '/orders/{orderId}': ['src/ordering/web/order/order-page.tsx', 'src/shop/web/queries.tsx'],
  '/orders/{orderId}/payment/callback': [
    'src/payment/web/payment-callback-page.tsx',
    'src/shop/web/queries.tsx',
    'src/ordering/web/order/order-page.tsx',
  ],
} as const satisfies Partial<Record<PagePath, readonly string[]>>;

type OwnAssets = Record<keyof typeof ownFiles, FaceAssets>;

function hasOwnFiles(path: string | null): path is keyof typeof ownFiles {
  return path !== null && Object.hasOwn(ownFiles, path);
}

async function readStorefronts(): Promise<Record<Language, OwnAssets>> {
  const read = async (language: Language): Promise<[Language, OwnAssets]> => {
    const paths = keysOf(ownFiles);
    const assets = await Promise.all(paths.map((path) => readFaceAssets('storefront', language, ownFiles[path])));
    return [language, Object.fromEntries(paths.map((path, index) => [path, assets[index]])) as OwnAssets];
  };
  // The cast is safe, because every language is read.
  return Object.fromEntries(await Promise.all(languages.map(read))) as Record<Language, OwnAssets>;
}

function momentOf(shop: PageShop | null, at: Date): Pick<PageData, 'shopName' | 'now' | 'offset'> {
  const offset = shop && zoneOffsetSpanAt(shop.store.timezone, at.getTime());
  return { shopName: shop?.store.name ?? null, now: at.toISOString(), offset };
}
