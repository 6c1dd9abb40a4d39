import { createElement, Suspense, useEffect, useState, useSyncExternalStore } from 'react';
import { whenIdle } from '#platform/web/when-idle.ts';
import { lazyPart } from '#ui/web/lazy-part.ts';
import { notices } from '#ui/web/notify.ts';

const cards = lazyPart(async () => (await import('#ui/web/office/notice-cards.tsx')).NoticeCards, PlainNotices);

/**
 * The place where notices appear; rendered once per page. The library that shows them loads when the page is idle, or
 * when there is one to show.
 */
export function Notices() {
  const [isIdle, setIdle] = useState(false);
  const isAny = useSyncExternalStore(notices.subscribe, () => notices.read().length > 0);
  useEffect(() => whenIdle(() => setIdle(true)), []);
  return (
    <div aria-live="polite" data-notices>
      {(isIdle || isAny) && <Suspense>{createElement(cards())}</Suspense>}
    </div>
  );
}

/** The texts alone, if the library cannot be loaded. */
function PlainNotices() {
  return useSyncExternalStore(notices.subscribe, notices.read).map(({ id, text }) => <p key={id}>{text}</p>);
}
