import { type ReactNode, useEffect, useMemo } from 'react';
import { createBrowserRealtime } from '#realtime/web/browser.ts';
import { RealtimeContext } from '#realtime/web/use-channel.ts';
import { readPageData } from '#platform/web/page-data.ts';

/** Gives the open page its one realtime client: an order board must notice a dead connection sooner than others. */
export function LiveOffice({ isBoard, children }: { isBoard: boolean; children: ReactNode }) {
  const realtime = useMemo(() => createBrowserRealtime(readPageData().config, { isWatched: isBoard }), [isBoard]);
  useEffect(() => () => realtime.close(), [realtime]);
  return <RealtimeContext value={realtime}>{children}</RealtimeContext>;
}
