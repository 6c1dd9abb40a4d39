import { refetchStores, replaceStore } from '#office/web/use-stores.ts';
import { STORES_CHANNEL } from '#realtime/channels.ts';
import { useChannel } from '#realtime/web/use-channel.ts';
import type { Store } from '#store/contract.ts';

/** Keeps the stores that the office holds as they are now. */
export function LiveStores() {
  useChannel<{ 'store.updated': { store: Store } }>(
    STORES_CHANNEL,
    { 'store.updated': ({ store }) => replaceStore(store) },
    { onCaughtUp: () => void refetchStores() },
  );
  return null;
}
