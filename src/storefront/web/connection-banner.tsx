import { m } from '#messages';
import { dayWords, timeWords } from '#platform/date-words.ts';
import { useNow } from '#platform/web/clock.ts';
import { usePath } from '#platform/web/navigation.tsx';
import { useIsOnline } from '#platform/web/online.ts';
import { useStoreIfLoaded } from '#shop/web/shop.ts';

/**
 * While there is no connection: the message that the page may be old, and how old (`seenAt`, ISO 8601, of a cached
 * page). It is silent on a page that says so itself.
 */
export function ConnectionBanner({ seenAt }: { seenAt: string | undefined }) {
  const isOnline = useIsOnline();
  const now = useNow();
  const path = usePath();
  const timezone = useStoreIfLoaded()?.timezone ?? 'Europe/London';
  // An order's page says by itself of when it is.
  if ((isOnline && !seenAt) || /^\/orders\/[^/]+$/.test(path)) return null;
  const isOrdering = ['/', '/menu', '/checkout'].includes(path);
  const words = seenAt
    ? m.store_offline_seen({ day: dayWords(seenAt, now, timezone), time: timeWords(seenAt, timezone) })
    : isOrdering && m.store_offline_words();
  return (
    <div
      ref={keepRoom}
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

/** Other elements fixed to the bottom of the screen are placed above it: `--banner` is its height, which depends on its text. */
function keepRoom(banner: HTMLElement | null) {
  if (!banner) return undefined;
  const { style } = document.documentElement;
  const observer = new ResizeObserver(() => style.setProperty('--banner', `${banner.offsetHeight}px`));
  observer.observe(banner);
  return () => {
    observer.disconnect();
    style.removeProperty('--banner');
  };
}
