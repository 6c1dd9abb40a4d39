import { useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { api } from '#platform/web/api.ts';
import { Notices } from '#ui/web/notices.tsx';
import { STORES_CHANNEL } from '#store/channels.ts';
import { useChannel } from '#realtime/web/use-channel.ts';
import type { Store } from '#store/contract.ts';
import { RealtimeProvider } from '#shop/web/realtime-provider.tsx';
import { useShopLoader, useStoreIfLoaded } from '#shop/web/shop.ts';
import { m } from '#messages';
import { dayWords, timeWords } from '#platform/date-words.ts';
import { useNow } from '#platform/web/clock.ts';
import { usePath } from '#platform/web/navigation.tsx';
import { useIsOnline } from '#platform/web/online.ts';
import { savesData } from '#platform/web/data-saving-mode.ts';
import { codeLoadFailedEvent, hasCodeLoadFailed } from '#ui/web/lazy-part.ts';

interface StoresEvents {
  'store.updated': { store: Store };
  'menu.updated': { store_id: string; version: number };
}

export function LiveShop() {
  // The time of a cached page, as the service worker sets it; undefined on other pages.
  const [seenAt, setSeenAt] = useState(document.documentElement.dataset['seenAt']);
  return (
    <RealtimeProvider>
      <ShopListener onCaughtUp={() => setSeenAt(undefined)} />
      <ConnectionBanner seenAt={seenAt} />
      <PageNotices />
    </RealtimeProvider>
  );
}

function PageNotices() {
  const place = document.getElementById('notices');
  const notices = (
    <>
      <UpdateOffer />
      <Notices look="px-4 py-2" isOfPage />
    </>
  );
  return place && createPortal(notices, place);
}

function ShopListener({ onCaughtUp }: { onCaughtUp: () => void }) {
  const shop = useShopLoader();
  const id = useStoreIfLoaded()?.id;
  const reload = () => void (shop.needsMenus() && shop.reload().catch(() => undefined));
  // Missed events are not sent again, so the store's version decides whether the shop is refetched.
  const catchUp = async () => {
    if (!id) return;
    const { data: store } = await api('GET /v1/stores/{id}', { id }, { timeout: 20_000 });
    if (!shop.needsMenus()) shop.replaceStore(store);
    else if (shop.read()?.store.version !== store.version) await shop.reload();
    onCaughtUp();
  };
  useChannel<StoresEvents>(
    id ? STORES_CHANNEL : null,
    {
      'store.updated': ({ store }) => shop.replaceStore(store),
      'menu.updated': ({ store_id: storeId }) => void (storeId === id && reload()),
    },
    { onCaughtUp: () => void catchUp().catch(() => undefined) },
  );
  return null;
}

/**
 * A banner for an offline or stale page. `seenAt`: the time of a cached page (ISO 8601). An order's page has no banner,
 * because that page shows its time itself.
 */
function ConnectionBanner({ seenAt }: { seenAt: string | undefined }) {
  const isOnline = useIsOnline();
  const now = useNow();
  const path = usePath();
  const timezone = useStoreIfLoaded()?.timezone ?? 'Europe/London';
  if ((isOnline && !seenAt) || /^\/orders\/[^/]+$/.test(path)) return null;
  const isOrdering = ['/', '/menu', '/checkout'].includes(path);
  const words = seenAt
    ? m.store_offline_seen({ day: dayWords(seenAt, now, timezone), time: timeWords(seenAt, timezone) })
    : isOrdering && m.store_offline_words();
  return (
    <div
      ref={reserveRoom}
      role="status"
      className="connection-banner sticky bottom-0 z-40 flex items-center justify-between gap-4 bg-warn-soft px-4 py-1 text-sm text-ink"
    >
      <p>
        <strong>{m.store_offline_title()}</strong> {words}
      </p>
      <button type="button" className="link min-h-11 shrink-0" onClick={() => location.reload()}>
        {m.platform_retry()}
      </button>
    </div>
  );
}

/** Sets `--banner` to the banner's height. Other elements at the bottom of the screen move up by this height. */
function reserveRoom(banner: HTMLElement | null) {
  if (!banner) return undefined;
  const { style } = document.documentElement;
  const observer = new ResizeObserver(() => style.setProperty('--banner', `${banner.offsetHeight}px`));
  observer.observe(banner);
  return () => {
    observer.disconnect();
    style.removeProperty('--banner');
  };
}

/** Asks before a new release replaces the page, because the page may have unsaved input. */
function UpdateOffer() {
  const [reload, setReload] = useState<(() => void) | null>(null);
  useEffect(() => {
    void registerWorker((take) => setReload(() => take)).catch(() => undefined);
    const offer = () => setReload(() => () => location.reload());
    if (hasCodeLoadFailed()) offer();
    addEventListener(codeLoadFailedEvent, offer);
    return () => removeEventListener(codeLoadFailedEvent, offer);
  }, []);
  if (!reload) return null;
  return (
    <div
      role="status"
      className="mx-auto flex max-w-md flex-wrap items-center justify-between gap-x-3 rounded-box bg-ink py-2 pr-2 pl-4 text-paper"
    >
      <p className="py-1.5">{m.store_update_words()}</p>
      <button
        type="button"
        className="min-h-11 rounded-chip px-2 font-bold underline underline-offset-4"
        onClick={reload}
      >
        {m.store_update_reload()}
      </button>
    </div>
  );
}

/** The delay of the prefetch (ms), so that the first view is complete before it. */
const aheadAfter = 4000;

/**
 * Registers the service worker, sends it the page's files, and calls `onUpdate` when a newer worker waits; `reload`
 * activates that worker. Does nothing without support for workers, or on an insecure page.
 */
async function registerWorker(onUpdate: (reload: () => void) => void): Promise<void> {
  const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined;
  if (!workers) return;
  // The worker asks each tab for its path. A tapped notification about an order then opens in the tab that shows the
  // order.
  workers.addEventListener('message', ({ data, ports }) => {
    if ((data as { type?: string }).type === 'where') ports[0]?.postMessage(location.pathname);
  });
  const registration = await workers.register('/service-worker.js');
  const offer = () => {
    const { waiting } = registration;
    // The first worker on a device replaces no older worker, so there is no update to offer.
    if (!waiting || !workers.controller) return;
    onUpdate(() => {
      workers.addEventListener('controllerchange', () => location.reload(), { once: true });
      waiting.postMessage({ type: 'take over' }, []);
    });
  };
  offer();
  registration.addEventListener('updatefound', () => {
    const coming = registration.installing;
    coming?.addEventListener('statechange', () => coming.state === 'installed' && offer());
  });
  const { active } = await workers.ready;
  const loaded = performance.getEntriesByType('resource').map(({ name }) => name);
  active?.postMessage({ type: 'keep', urls: [location.pathname, '/menu', ...loaded] }, []);
  setTimeout(() => {
    if (savesData()) return;
    active?.postMessage({ type: 'fetch ahead', language: document.documentElement.lang }, []);
  }, aheadAfter);
}
