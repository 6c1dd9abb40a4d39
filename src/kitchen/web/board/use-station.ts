import { useQuery } from '@tanstack/react-query';
import { createContext, useContext, useMemo, useState } from 'react';
import { useSession } from '#accounts/web/session.ts';
import type { Line, Order } from '#ordering/order.ts';
import { api } from '#platform/web/api.ts';
import { stationKey, stationsOf } from '#ordering/order-words.ts';
import { isLost, isUnanswered } from '#ordering/order-status.ts';

/** The station whose dishes are highlighted; empty: none. */
export const StationContext = createContext('');

export const useStation = (): string => useContext(StationContext);

export interface StationView {
  /** The device's station; empty: the device is for the whole kitchen, or a person is signed in. */
  station: string;
  orders: ReadonlyMap<string, Order>;
  /** The number of open orders for other stations only. */
  others: number;
  showsAll: boolean;
  showAll: (isOn: boolean) => void;
}

/** This device's view of the orders; the office may change the device's station at any time. */
export function useStationView(all: ReadonlyMap<string, Order>): StationView {
  const isDevice = useSession().user?.is_device === true;
  const { data } = useQuery({
    queryKey: ['device', 'me'],
    queryFn: async ({ signal }) => (await api('GET /v1/devices/me', {}, { signal, timeout: 20_000 })).data,
    enabled: isDevice,
    refetchInterval: 60_000,
  });
  const station = isDevice ? (data?.station.trim() ?? '') : '';
  const [showsAll, showAll] = useState(false);
  const own = useMemo(
    () => (station === '' ? all : new Map([...all].filter(([, order]) => isOnStationBoard(order, station)))),
    [all, station],
  );
  const others = useMemo(
    () => [...all].filter(([id, { closed_at, completed_at }]) => !own.has(id) && !closed_at && !completed_at).length,
    [all, own],
  );
  return { station, orders: showsAll ? all : own, others, showsAll, showAll };
}

/**
 * Whether a station's board shows an order; an empty station is the whole kitchen. Every board shows unanswered and
 * lost orders. Other orders are shown where the station cooks a dish; a dish without a station belongs to every
 * station.
 */
export function isOnStationBoard(order: Order, station: string): boolean {
  if (stationKey(station) === '' || isUnanswered(order.status) || isLost(order)) return true;
  return order.lines.some((line) => hasDishOfStation(line, station));
}

export function hasDishOfStation(line: Pick<Line, 'station' | 'options'>, station: string): boolean {
  return (
    stationKey(station) === '' || stationsOf(line).some((own) => ['', stationKey(station)].includes(stationKey(own)))
  );
}

export function sortOwnStationFirst<L extends Pick<Line, 'station' | 'options'>>(
  lines: readonly L[],
  station: string,
): L[] {
  const isOwn = (line: L) => hasDishOfStation(line, station);
  return [...lines.filter(isOwn), ...lines.filter((line) => !isOwn(line))];
}
