import './storefront.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { startSession } from '#accounts/web/session.ts';
import { setApiBase } from '#platform/web/api.ts';
import { canAndroidAppOpenPath } from '#pages.ts';
import { type AndroidShell, openAndroidShell } from '#platform/web/native/android-shell.ts';
import { fetchConfig, readCachedConfig, writePageData } from '#platform/web/native/page-config.ts';
import { setNativeShell } from '#platform/web/native/native-shell.ts';
import { setKnownZoneOffset, zoneOffsetSpanAt } from '#platform/zone-clock.ts';
import { ShopContext } from '#shop/web/shop.ts';
import { createShopLoader } from '#shop/web/shop-loader.ts';
import type { PageData } from '#storefront/page-data.ts';
import { App } from '#storefront/web/app.tsx';
import { AndroidAppAdditions, type StoredShop, readStoredShop } from '#storefront/web/android/app-parts.tsx';
import { LazyLiveShop } from '#storefront/web/lazy-live.tsx';

// The storefront's entry in the customers' app. Its files and the cached shop are on the phone; all other data comes
// from the API.

type Config = PageData['config'];

const shell = openAndroidShell(canAndroidAppOpenPath);
if (shell) {
  setNativeShell(shell);
  boot(shell).catch((error: unknown) => {
    // oxlint-disable-next-line no-console -- there is no page to say it
    console.error('The page did not start', error);
  });
}

async function boot(app: AndroidShell): Promise<void> {
  const { shop: address } = app.app;
  setApiBase(address);
  const known = readCachedConfig<Config>(address);
  const asked = fetchConfig<Config>(address);
  // The request may fail before it is awaited. Without this handler the failure would count as an unhandled rejection.
  asked.catch(noop);
  const [kept, first] = await Promise.all([readStoredShop(), known ?? asked.catch(() => null)]);
  const config = first ?? unknownConfig(address);
  setApiBase(config.apiUrl, config.epoch);
  const now = new Date();
  const zone = kept?.shop.store.timezone;
  const offset = zone ? zoneOffsetSpanAt(zone, now.getTime()) : null;
  setKnownZoneOffset(offset);
  const name = kept?.shop.store.name ?? null;
  writePageData({ config, shopUrl: null, store: null, order: null, shopName: name, now: now.toISOString(), offset });
  // The fetched config replaces the old config for all later reads. Code that has already read the old config keeps it
  // until the next start.
  void asked.then((next) => writePageData({ config: next, shopUrl: null, store: null, order: null }), noop);
  sayHowOld(kept);
  setTimeout(startSession);
  const root = document.getElementById('root');
  if (!root) throw new Error('The page has no #root.');
  createRoot(root).render(
    <StrictMode>
      <ShopContext value={{ ...createShopLoader(config, kept?.shop ?? null, name), isRendered: false }}>
        <AndroidAppAdditions shell={app} />
        <App path={location.pathname} />
        <LazyLiveShop />
      </ShopContext>
    </StrictMode>,
  );
}

/** The config of a first start without a connection. */
function unknownConfig(apiUrl: string): Config {
  return {
    apiUrl,
    publicUrl: null,
    storeName: null,
    map: null,
    sendsMail: false,
    signIn: [],
    realtime: { key: '', host: '', port: 0, cluster: 'mt1' },
  };
}

/**
 * If the phone is offline, tells the banner the cache time of the shown shop, by the attribute `data-seen-at`. On the
 * web, the service worker sets this attribute.
 */
function sayHowOld(kept: StoredShop | null): void {
  if (kept && !navigator.onLine) document.documentElement.dataset['seenAt'] = kept.seenAt;
}

function noop(): void {}
