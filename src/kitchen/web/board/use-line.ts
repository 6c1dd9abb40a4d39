import { type Line, lineOf, lostSince } from '#kitchen/board-line.ts';
import { clockOffset, useShopTime, useShopValue } from '#platform/web/clock.ts';
import { storeOrdersChannel } from '#ordering/channels.ts';
import { POLL_EVERY_MS } from '#realtime/web/connection-watch.ts';
import { useChannelState, useConnection, useLastHeard } from '#realtime/web/use-channel.ts';

/** How current the board is; renders again only when that changes. */
export function useLine(storeId: string): Line {
  const state = useChannelState(storeOrdersChannel(storeId));
  const lastHeard = useLastHeard();
  return useShopValue((now) => lineOf(state, secondsSilent(lastHeard(), now)));
}

/** Since when nothing of the shop reaches the board, as epoch ms; null while something does. `fetchedAt`: the device's. */
export function useLostSince(storeId: string, fetchedAt: number): number | null {
  const state = useChannelState(storeOrdersChannel(storeId));
  const lastHeard = useLastHeard();
  return useShopValue((now) => {
    const heardAt = lastHeard();
    // A list that was fetched before the last message was no answer to a poll.
    const polledUntil = fetchedAt > (heardAt ?? 0) || state === 'unsubscribed' ? fetchedAt + POLL_EVERY_MS : 0;
    const since = lostSince({ state, heardAt, polledUntil }, now - clockOffset());
    return since === null ? null : since + clockOffset();
  });
}

/** Whole seconds since the server last sent anything, updated every second; null before the first time. */
export function useSecondsSilent(): number | null {
  const { lastHeardAt } = useConnection();
  return secondsSilent(lastHeardAt, useShopTime(1));
}

/** The connection's times are by the device's clock. */
function secondsSilent(lastHeardAt: number | null, now: number): number | null {
  return lastHeardAt === null ? null : Math.max(0, Math.round((now - clockOffset() - lastHeardAt) / 1000));
}
