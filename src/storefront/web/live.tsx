import type { ReactNode } from 'react';
import { createBrowserRealtime } from '#realtime/web/browser.ts';
import type { Realtime } from '#realtime/web/realtime.ts';
import { RealtimeContext } from '#realtime/web/use-channel.ts';
import { readPageData } from '#storefront/web/page-data.ts';

let realtime: Realtime | null = null;

/** Gives what is inside it the page's one realtime client. In the browser only. */
export function LiveProvider({ children }: { children: ReactNode }) {
  realtime ??= createBrowserRealtime(readPageData().config);
  return <RealtimeContext value={realtime}>{children}</RealtimeContext>;
}
