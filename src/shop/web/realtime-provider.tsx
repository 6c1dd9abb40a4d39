import type { ReactNode } from 'react';
import { createBrowserRealtime } from '#realtime/web/browser.ts';
import { RealtimeContext } from '#realtime/web/use-channel.ts';
import { readPageData } from '#platform/web/page-data.ts';

const openRealtime = once(() => createBrowserRealtime(readPageData().config));

/** Provides the page's one realtime client to its children. It renders in the browser only. */
export function RealtimeProvider({ children }: { children: ReactNode }) {
  return <RealtimeContext value={openRealtime()}>{children}</RealtimeContext>;
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}
