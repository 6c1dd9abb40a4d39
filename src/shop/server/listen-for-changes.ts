import type pg from 'pg';
import { listenOn, type Listener } from '#database/listen.ts';
import { shopChangedChannel } from '#store/server/change-store.ts';

/**
 * Hears of changes: of which store, and which version it is at now where the change made one. What was read while it was
 * away may be old, so all is forgotten when it goes and when it is back.
 */
export function listenForChanges(
  database: string | pg.PoolConfig,
  forget: (storeId: string, version?: number) => void,
  forgetAll: () => void,
  onError: (error: unknown) => void,
): Listener {
  return listenOn({
    database,
    channel: shopChangedChannel,
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
