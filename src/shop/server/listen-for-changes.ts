import type pg from 'pg';
import { listenOn, type Listener } from '#database/listen.ts';
import { shopChangedChannel } from '#store/server/change-store.ts';

/**
 * Listens for changes: the store, and its new version if the change made one. Notifications are lost while
 * the connection is down, so the whole cache is cleared when it closes and when it is back.
 */
export function listenForChanges(
  database: string | pg.PoolConfig,
  forget: (storeId: string, version?: number) => void,
  forgetAll: () => void,
  onError: (error: unknown) => void,
): Listener {
  return listenOn({
    database,
    channels: [shopChangedChannel],
    name: 'hatch-shop',
    onNotification(payload) {
      const [storeId = '', version] = payload.split(' ');
      forget(storeId, version === undefined ? undefined : Number(version));
    },
    onOpen: forgetAll,
    onLost: forgetAll,
    onError,
  });
}
