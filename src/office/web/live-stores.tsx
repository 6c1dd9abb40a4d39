import { refetchStores, replaceStore } from '#store/web/stores.ts';
import { STORES_CHANNEL } from '#realtime/channels.ts';
import { useChannel } from '#realtime/web/use-channel.ts';
import type { Store } from '#store/contract.ts';

/** Keeps the stores that the office holds as they are now. */
export function LiveStores() {
  useChannel<{ 'store.updated': { store: Store; is_deleted?: true } }>(
    STORES_CHANNEL,
    {
      'store.updated': ({ store, is_deleted: isDeleted }) => {
        if (isDeleted || !replaceStore(store)) void refetchStores();
      },
    },
    { onCaughtUp: () => void refetchStores() },
  );
  return null;
}
