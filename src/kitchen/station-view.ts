import { isLost, isUnanswered } from '#ordering/order-status.ts';
import type { Line, Order } from '#ordering/order.ts';

// The orders that the board of one station shows. An empty station is the whole kitchen.

/**
 * Whether an order is on a station's board: one that nobody has answered is on every board, and later only where the station
 * cooks some of it. A dish without a station is everybody's.
 */
export function isForStation(order: Order, station: string): boolean {
  if (nameOf(station) === '' || isUnanswered(order.status) || isLost(order)) return true;
  return order.lines.some((line) => isOfStation(line, station));
}

export function isOfStation({ station: own }: Pick<Line, 'station'>, station: string): boolean {
  return nameOf(station) === '' || nameOf(own) === '' || nameOf(own) === nameOf(station);
}

/** The station's own dishes first, the others after them. */
export function ownFirst<L extends Pick<Line, 'station'>>(lines: readonly L[], station: string): L[] {
  const isOwn = (line: L) => isOfStation(line, station);
  return [...lines.filter(isOwn), ...lines.filter((line) => !isOwn(line))];
}

/** People write a name in two places, so its case and the spaces around it do not count. */
function nameOf(station: string | null | undefined): string {
  return (station ?? '').trim().toLowerCase();
}
