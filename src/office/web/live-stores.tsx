import { refetchIfOlder, refetchStores } from '#store/web/stores.ts';
import { STORES_CHANNEL } from '#store/channels.ts';
import { useChannel } from '#realtime/web/use-channel.ts';
import type { Store } from '#store/contract.ts';

/** Keeps the office's loaded stores up to date. The message has what strangers may see, so its readers fetch the rest. */
export function LiveStores() {
  useChannel<{ 'store.updated': { store: Store; is_deleted?: true } }>(
    STORES_CHANNEL,
    {
      'store.updated': ({ store, is_deleted: isDeleted }) => void (isDeleted ? refetchStores() : refetchIfOlder(store)),
    },
    { onCaughtUp: () => void refetchStores() },
  );
  return null;
}
