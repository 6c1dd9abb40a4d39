import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Order } from '#ordering/order.ts';
import { api, ApiError } from '#platform/web/api.ts';

const timeout = 30_000;
const lookAgain = 5_000;

/**
 * The result of an order whose call got no answer: undefined while it is unknown, null if the shop has no such
 * order. The first question is delayed too, so that a call that is still running is not taken for a lost one.
 */
export function useArrived(session: string | null): Order | null | undefined {
  const [wait, setWait] = useState<string | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setWait(session), lookAgain);
    return () => clearTimeout(timer);
  }, [session]);
  const { data } = useQuery({
    queryKey: ['order of session', session],
    enabled: session !== null && wait === session,
    queryFn: () => orderOf(session ?? ''),
    retry: false,
    refetchInterval: lookAgain,
    gcTime: 0,
  });
  return data;
}

/** null when the shop has none of this session. Throws ApiError where it does not say. */
async function orderOf(session: string): Promise<Order | null> {
  try {
    const headers = { 'x-order-session': session };
    return (await api('GET /v1/orders/session/{sessionId}', { sessionId: 'own' }, { timeout, headers })).data;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return null;
    throw error;
  }
}

/** null also if nobody answers. */
export async function findOrder(session: string): Promise<Order | null> {
  try {
    return await orderOf(session);
  } catch {
    return null;
  }
}
