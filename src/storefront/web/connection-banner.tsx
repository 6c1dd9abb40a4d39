import { useSyncExternalStore } from 'react';
import { m } from '#messages';
import { dayWords, timeWords } from '#platform/date-words.ts';
import { useNow } from '#platform/web/clock.ts';
import { useShopIfLoaded } from '#storefront/web/shop.ts';

/** While there is no connection: that what is shown may be old, and how old. Nothing can be ordered meanwhile. */
export function ConnectionBanner() {
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine);
  const now = useNow();
  const timezone = useShopIfLoaded()?.store.timezone ?? 'Europe/London';
  // Set by the service worker on a page that it had kept.
  const { seenAt } = document.documentElement.dataset;
  if (isOnline && !seenAt) return null;
  const words = seenAt
    ? m.store_offline_seen({ day: dayWords(seenAt, now, timezone), time: timeWords(seenAt, timezone) })
    : m.store_offline_words();
  return (
    <div
      role="status"
      className="sticky bottom-0 z-40 flex flex-wrap items-center justify-between gap-x-4 gap-y-2 bg-warn-soft px-4 py-3 text-ink"
    >
      <p>
        <strong>{m.store_offline_title()}</strong> {words}
      </p>
      <button type="button" className="btn btn-quiet" onClick={() => location.reload()}>
        {m.platform_retry()}
      </button>
    </div>
  );
}

function subscribe(listener: () => void): () => void {
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
}
