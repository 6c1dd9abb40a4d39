import type { UseQueryResult } from '@tanstack/react-query';
import { useEffect } from 'react';
import { keepSeenOrder, seenOrder } from '#ordering/web/seen-orders.ts';
import type { ShownOrder } from '#ordering/web/use-order.ts';
import { ApiError } from '#platform/web/api.ts';
import { useIsOnline } from '#platform/web/online.ts';

interface LastKnown {
  order: ShownOrder | undefined;
  /** Of when it is, while the shop cannot be reached; null while it is known as it is now. */
  asOf: Date | null;
}

/** What is known of an order: as the shop has it, and while the shop cannot be reached, as it was last seen here. */
export function useLastKnown(id: string, query: UseQueryResult<ShownOrder>): LastKnown {
  const { data, dataUpdatedAt, failureReason } = query;
  const isOnline = useIsOnline();
  useEffect(() => {
    if (data) keepSeenOrder(data, dataUpdatedAt);
  }, [data, dataUpdatedAt]);
  if (isOnline && !isUnreachable(failureReason)) return { order: data, asOf: null };
  if (data) return { order: data, asOf: new Date(dataUpdatedAt) };
  const seen = seenOrder(id);
  return { order: seen?.order, asOf: seen && new Date(seen.at) };
}

/** Not a refusal, which is the shop's answer. */
function isUnreachable(error: Error | null): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status >= 500);
}
