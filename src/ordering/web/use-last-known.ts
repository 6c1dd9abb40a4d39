import type { UseQueryResult } from '@tanstack/react-query';
import { useEffect } from 'react';
import { keepSeenOrder, seenOrder } from '#ordering/web/seen-orders.ts';
import type { ShownOrder } from '#ordering/web/use-order.ts';
import { ApiError } from '#platform/web/api.ts';
import { clockOffset } from '#platform/web/clock.ts';
import { useIsOnline } from '#platform/web/online.ts';

interface LastKnown {
  order: ShownOrder | undefined;
  /** When it was seen, while the shop cannot be reached; null while it is up to date. */
  asOf: Date | null;
}

/** The state of an order: from the shop, or as this browser last saw it while the shop cannot be reached. */
export function useLastKnown(id: string, query: UseQueryResult<ShownOrder>): LastKnown {
  const { data, dataUpdatedAt, failureReason } = query;
  const isOnline = useIsOnline();
  useEffect(() => {
    if (data) keepSeenOrder(data, dataUpdatedAt + clockOffset());
  }, [data, dataUpdatedAt]);
  if (isOnline && !isUnreachable(failureReason)) return { order: data, asOf: null };
  if (data) return { order: data, asOf: new Date(dataUpdatedAt + clockOffset()) };
  const seen = seenOrder(id);
  return { order: seen?.order, asOf: seen && new Date(seen.at) };
}

/** Not a refusal, which is an answer by the shop. */
function isUnreachable(error: Error | null): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status >= 500);
}
