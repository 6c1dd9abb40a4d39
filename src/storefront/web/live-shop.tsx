import { useState } from 'react';
import { createPortal } from 'react-dom';
import { api } from '#platform/web/api.ts';
import { Notices } from '#ui/web/notices.tsx';
import { STORES_CHANNEL } from '#store/channels.ts';
import { useChannel } from '#realtime/web/use-channel.ts';
import type { Store } from '#store/contract.ts';
import { ConnectionBanner } from '#storefront/web/connection-banner.tsx';
import { LiveProvider } from '#shop/web/live.tsx';
import { UpdateOffer } from '#storefront/web/update-offer.tsx';
import { useShopStore, useStoreIfLoaded } from '#shop/web/shop.ts';

interface StoresEvents {
  'store.updated': { store: Store };
  'menu.updated': { store_id: string; version: number };
}

/** Keeps the store and the menu that are shown as the shop has them now. */
export function LiveShop() {
  // Set by the service worker on a page that it had kept.
  const [seenAt, setSeenAt] = useState(document.documentElement.dataset['seenAt']);
  return (
    <LiveProvider>
      <ShopListener onCaughtUp={() => setSeenAt(undefined)} />
      <ConnectionBanner seenAt={seenAt} />
      <PageNotices />
    </LiveProvider>
  );
}

/** Below the page's head. */
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
  const shop = useShopStore();
  const id = useStoreIfLoaded()?.id;
  const reload = () => void (shop.needsMenus() && shop.reload().catch(() => undefined));
  // What happened while the page was not listening: the version tells whether there is anything to fetch.
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
