import { m } from '#messages';
import type { BasketQuote } from '#ordering/basket.ts';
import type { Order } from '#ordering/order.ts';
import { formatMoney } from '#platform/money.ts';
import { api, ApiError, type ApiInput } from '#platform/web/api.ts';
import { notify } from '#ui/web/notify.ts';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

/** The body of an order from a page. It always has the price that the page showed. */
export type OrderRequestBody = ApiInput<'POST /v1/orders'> & { expected_total: number };

/** Milliseconds before each retry. Their sum is longer than a restart of the server. */
const pauses = [2000, 4000, 8000, 16_000];

/**
 * Sends an order. If the response is lost, as while the server restarts, looks the order up by its session, and retries
 * if the order has not arrived. A retry cannot make a second order, because the shop stores one per session. `onRetry`
 * is called before each pause. Throws ApiError; `offline` if nobody knows whether the order arrived.
 */
export async function sendOrder(
  body: ApiInput<'POST /v1/orders'>,
  timeout: number,
  onRetry: () => void,
): Promise<Order> {
  for (const pause of [...pauses, null]) {
    try {
      return (await api('POST /v1/orders', body, { timeout })).data;
    } catch (error) {
      if (!(error instanceof ApiError && error.isLost && error.code !== 'offline')) throw error;
      if (pause === null) break;
      onRetry();
      await new Promise((resolve) => setTimeout(resolve, pause));
      const arrived = await fetchOrderOfSession(body.session);
      if (arrived) return arrived;
    }
  }
  throw new ApiError(0, { code: 'offline' });
}

/** If the shop's new price is lower, notifies the customer and returns the order with that price; otherwise null. */
export function acceptLowerPrice(error: unknown, body: OrderRequestBody, currency: string): OrderRequestBody | null {
  if (!(error instanceof ApiError) || error.code !== 'price_changed') return null;
  // By the contract, this error contains the server's quote.
  const { total } = error.body['quote'] as BasketQuote;
  if (total >= body.expected_total) return null;
  const [before, after] = [formatMoney(body.expected_total, currency), formatMoney(total, currency)];
  notify({ text: m.ordering_price_lower({ before, after }), stays: true });
  return { ...body, expected_total: total };
}

/** The timeout of a call, in milliseconds. */
const timeout = 30_000;
const lookAgain = 5_000;

/**
 * Looks up the order whose call got no response. undefined: it is not known yet whether the order arrived; null: the
 * shop does not have it. The first look-up is delayed, because the call may still be running.
 */
export function useOrderWithoutResponse(session: string | null): Order | null | undefined {
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

/** Reads the order of a session; null if the shop has none. Throws ApiError if the shop cannot be reached. */
async function orderOf(session: string): Promise<Order | null> {
  try {
    const headers = { 'x-order-session': session };
    return (await api('GET /v1/orders/session/{sessionId}', { sessionId: 'own' }, { timeout, headers })).data;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return null;
    throw error;
  }
}

/** Reads the order of a session; null if the shop has none or cannot be reached. */
export async function fetchOrderOfSession(session: string): Promise<Order | null> {
  try {
    return await orderOf(session);
  } catch {
    return null;
  }
}
