import { refetchStores, replaceStore } from '#store/web/stores.ts';
import { STORES_CHANNEL } from '#store/channels.ts';
import { useChannel } from '#realtime/web/use-channel.ts';
import type { Store } from '#store/contract.ts';

/** Keeps the office's loaded stores up to date. */
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
