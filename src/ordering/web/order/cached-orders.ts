import { personalStorageKeys } from '#accounts/web/personal-storage.ts';
import { pickColumnsVisibleTo } from '#ordering/order-columns.ts';
import type { GuestOrder, Line } from '#ordering/order.ts';
import type { UseQueryResult } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { AnyOrder } from '#ordering/web/order/use-order.ts';
import { ApiError } from '#platform/web/api.ts';
import { clockOffsetMs } from '#platform/web/clock.ts';
import { useIsOnline } from '#platform/web/online.ts';

const storageKey = personalStorageKeys.seenOrders;
const kept = 10;
const missingBefore = { removed_refunds: [], money_back: [], payment_processing: false };

/** An order as this browser last received it. `at` is the time of receipt, in milliseconds. */
export interface CachedOrder {
  order: GuestOrder;
  at: number;
}

/** The last cached state of an order, for use while the shop cannot be reached; null if it was never cached. */
export function readCachedOrder(id: string): CachedOrder | null {
  return load().find(({ order }) => order.id === id) ?? null;
}

/** Caches the guest's view of an order: no name, address or notes. */
export function cacheOrder(order: GuestOrder, at: number): void {
  const others = load().filter((seen) => seen.order.id !== order.id);
  const seen: CachedOrder = { order: guestView(order), at };
  try {
    localStorage.setItem(storageKey, JSON.stringify([seen, ...others].slice(0, kept)));
  } catch {
    // Without storage, an offline page shows only that there is no connection.
  }
}

function guestView(order: GuestOrder): GuestOrder {
  return {
    ...pickColumnsVisibleTo(order, 'all'),
    number: order.number,
    lines: order.lines.map(
      ({ note: _note, allergen_conflicts: _conflicts, ...line }: GuestOrder['lines'][number] & Partial<Line>) => line,
    ),
    fees: order.fees,
    removed: order.removed.map(({ line_id, name, kitchen_name, options, quantity, amount, at }) => ({
      line_id,
      name,
      kitchen_name,
      options,
      quantity,
      amount,
      at,
    })),
    removed_refunds: order.removed_refunds,
    money_back: order.money_back,
    payment_processing: order.payment_processing,
  };
}

function load(): CachedOrder[] {
  try {
    const held: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '[]');
    if (!Array.isArray(held)) return [];
    // An order that an older release stored lacks newer fields, so `missingBefore` adds them.
    return (held as CachedOrder[]).map(({ order, at }) => ({ order: { ...missingBefore, ...order }, at }));
  } catch {
    return [];
  }
}

interface LastKnown {
  order: AnyOrder | undefined;
  /**
   * If the shop cannot be reached, the time at which the shown order was received. null while the order is current, or
   * if none is shown.
   */
  asOf: Date | null;
}

export function useOrderOrCached(id: string, query: UseQueryResult<AnyOrder>): LastKnown {
  const { data, dataUpdatedAt, failureReason } = query;
  const isOnline = useIsOnline();
  useEffect(() => {
    if (data) cacheOrder(data, dataUpdatedAt + clockOffsetMs());
  }, [data, dataUpdatedAt]);
  if (isOnline && !isUnreachable(failureReason)) return { order: data, asOf: null };
  if (data) return { order: data, asOf: new Date(dataUpdatedAt + clockOffsetMs()) };
  const seen = readCachedOrder(id);
  return { order: seen?.order, asOf: seen && new Date(seen.at) };
}

/** Whether the shop cannot be reached. A status below 500, even of a refusal, shows that the shop responded. */
function isUnreachable(error: Error | null): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status >= 500);
}
