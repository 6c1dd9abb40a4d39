import { createElement, Suspense, useEffect, useState, useSyncExternalStore } from 'react';
import { runWhenIdle } from '#platform/web/when-idle.ts';
import { lazyPart } from '#ui/web/lazy-part.ts';
import { notices } from '#ui/web/notify.ts';

const cards = lazyPart(async () => (await import('#ui/web/office/notice-cards.tsx')).NoticeCards, PlainNotices);

/**
 * The container for the page's notices. The library that renders notices loads when the browser is idle, or at the
 * first notice.
 */
export function Notices() {
  const [isIdle, setIdle] = useState(false);
  const isAny = useSyncExternalStore(notices.subscribe, () => notices.read().length > 0);
  useEffect(() => runWhenIdle(() => setIdle(true)), []);
  return (
    <div aria-live="polite" data-notices>
      {(isIdle || isAny) && <Suspense>{createElement(cards())}</Suspense>}
    </div>
  );
}

/** Shows the notices as plain text if the library did not load. */
function PlainNotices() {
  return useSyncExternalStore(notices.subscribe, notices.read).map(({ id, text }) => <p key={id}>{text}</p>);
}
