import './storefront.css';
import { StrictMode, startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { startSession } from '#accounts/web/session.ts';
import { findPage } from '#pages.ts';
import { setApiBase } from '#platform/web/api.ts';
import { setRenderTime } from '#platform/web/clock.ts';
import { deferInstallPrompt } from '#platform/web/install-prompt.ts';
import { setKnownZoneOffset } from '#platform/zone-clock.ts';
import { preloadOrdersCode, showsOpenOrders } from '#ordering/web/order/lazy-open-orders.tsx';
import { App } from '#storefront/web/app.tsx';
import { LazyLiveShop } from '#storefront/web/lazy-live.tsx';
import { readPageData } from '#platform/web/page-data.ts';
import type { PageData } from '#storefront/page-data.ts';
import { readPageShop } from '#shop/web/read-page-shop.ts';
import { notFoundPage, storefrontPages } from '#storefront/web/storefront-pages.tsx';
import { ShopContext } from '#shop/web/shop.ts';
import { createShopLoader } from '#shop/web/shop-loader.ts';

deferInstallPrompt();
// The page starts in a separate task, so that pending taps come first.
setTimeout(() => void start());

/**
 * Starts the page. A top-level `await` of this function would never end: the page's code shares chunks with this file,
 * so each would wait for the other.
 */
async function start(): Promise<void> {
  try {
    await boot();
  } catch (error) {
    // oxlint-disable-next-line no-console -- the specification requires boot errors on the console
    console.error('The page did not start', error);
  }
}

async function boot(): Promise<void> {
  const page = readPageData<PageData>();
  setApiBase(page.config.apiUrl, page.config.epoch);
  setKnownZoneOffset(page.offset);
  const root = document.getElementById('root');
  if (!root) throw new Error('The page has no #root.');
  // The session starts in a separate task, because reading the browser's storage takes time.
  setTimeout(startSession);
  if (showsOpenOrders(location.pathname)) preloadOrdersCode();

  const isWritten = root.hasChildNodes();
  const [shop] = await Promise.all([readPageShop(page), isWritten && preloadPage()]);
  // A page that was opened offline may lack the server's HTML, or the shop's data that hydration needs.
  const isRendered = isWritten && shop !== null;
  const app = (
    <StrictMode>
      <ShopContext value={{ ...createShopLoader(page.config, shop, page.shopName), isRendered }}>
        <App path={location.pathname} />
        <LazyLiveShop />
      </ShopContext>
    </StrictMode>
  );
  if (isRendered || !document.documentElement.dataset['seenAt']) setRenderTime(Date.parse(page.now));
  if (isRendered) {
    startTransition(() => void hydrateRoot(root, app));
  } else {
    createRoot(root).render(app);
  }
}

/** Loads the current page's code, without which React cannot hydrate the server's HTML. */
async function preloadPage(): Promise<void> {
  const found = findPage(location.pathname);
  await (found ? storefrontPages[found.row.page] : notFoundPage).preload();
}
