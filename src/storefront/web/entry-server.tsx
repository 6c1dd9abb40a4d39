import { renderToStaticMarkup, renderToString } from 'react-dom/server';
import { m, setLanguageReader } from '#messages';
import { defaultLanguage, type Language } from '#platform/language.ts';
import { setRenderTime } from '#platform/web/clock.ts';
import type { GuestOrder } from '#ordering/order.ts';
import { OrderView } from '#ordering/web/order/order-view.tsx';
import type { Store } from '#store/contract.ts';
import { setRenderedCategoryId } from '#menu/web/url-category.ts';
import { LinkedDish } from '#ordering/web/menu/linked-dish.tsx';
import type { RenderLinkedDish, RenderOrder, RenderPage, RenderNoScriptContent } from '#storefront/page-data.ts';
import { App } from '#storefront/web/app.tsx';
import { ShopContext } from '#shop/web/shop.ts';
import { createShopLoader } from '#shop/web/shop-loader.ts';
import { notFoundPage, storefrontPages } from '#storefront/web/storefront-pages.tsx';
import { PhoneLink } from '#store/web/shop-parts.tsx';

function WithoutScript({ store }: { store: Pick<Store, 'name' | 'phone'> }) {
  return (
    <noscript>
      <header className="border-b border-line bg-paper">
        <div className="mx-auto flex min-h-16 max-w-page items-center px-4 lg:px-8">
          <a href="/" className="display flex min-h-11 items-center text-xl font-extrabold sm:text-2xl">
            {store.name}
          </a>
        </div>
      </header>
      <main className="mx-auto grid w-full max-w-page justify-items-center gap-4 px-4 py-16 text-center lg:px-8">
        <h1 className="text-4xl font-extrabold lg:text-5xl">{m.store_script_title()}</h1>
        <p className="text-lg text-ink-soft">{store.phone ? m.store_script_phone() : m.store_script_words()}</p>
        <p className="flex flex-wrap justify-center gap-3">
          <a href="/menu" className="btn btn-primary">
            {m.menu_see()}
          </a>
          <PhoneLink store={store} />
        </p>
      </main>
    </noscript>
  );
}

await notFoundPage.preload();
for (const page of ['home', 'allergens', 'privacy', 'terms'] as const) await storefrontPages[page].preload();

const isRendered = true;

// The language of the current rendering. One variable suffices, because rendering is synchronous.
let language: Language = defaultLanguage;
setLanguageReader(() => language);

export const renderPage: RenderPage = (path, config, shop, now, wanted, category) => {
  language = wanted;
  setRenderedCategoryId(category ?? null);
  setRenderTime(now.getTime());
  return renderToString(
    <ShopContext value={{ ...createShopLoader(config, shop, shop.store.name), isRendered }}>
      <App path={path} />
    </ShopContext>,
  );
};

/** The order of the current rendering; in a browser it comes from the cache and the socket. */
let rendered: { order: GuestOrder; store: Store } | null = null;
storefrontPages.order = {
  preload: async () => {},
  show: () => rendered && <OrderView {...rendered} asOf={null} isAnswered={false} />,
};

export const renderOrder: RenderOrder = (order, config, store, now, wanted) => {
  language = wanted;
  setRenderTime(now.getTime());
  rendered = { order, store };
  return renderToString(
    <ShopContext value={{ ...createShopLoader(config, { store }, store.name), isRendered }}>
      <App path={`/orders/${order.id}`} />
    </ShopContext>,
  );
};

export const renderNoScriptContent: RenderNoScriptContent = (store, wanted) => {
  language = wanted;
  return renderToStaticMarkup(<WithoutScript store={store} />);
};

export const renderLinkedDish: RenderLinkedDish = (item, currency, wanted) => {
  language = wanted;
  return renderToStaticMarkup(<LinkedDish item={item} currency={currency} />);
};
