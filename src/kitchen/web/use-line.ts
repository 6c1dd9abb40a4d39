import { type Line, lineOf } from '#kitchen/board-line.ts';
import { clockOffset, useShopTime, useShopValue } from '#platform/web/clock.ts';
import { storeOrdersChannel } from '#ordering/channels.ts';
import { useChannelState, useConnection, useLastHeard } from '#realtime/web/use-channel.ts';

/** How current the board is; renders again only when that changes. */
export function useLine(storeId: string): Line {
  const state = useChannelState(storeOrdersChannel(storeId));
  const lastHeard = useLastHeard();
  return useShopValue((now) => lineOf(state, secondsSilent(lastHeard(), now)));
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
