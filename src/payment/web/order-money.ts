import { useQuery } from '@tanstack/react-query';
import type { OrderPayments } from '#payment/contract.ts';
import type { Refund } from '#payment/refund.ts';
import { queryClient } from '#ui/web/office/query-client.ts';
import type { Order } from '#ordering/order.ts';
import { api } from '#platform/web/api.ts';

const timeout = 20_000;

/** The interval (milliseconds) in which a page with a refund in progress reloads its data. */
const settling = 3_000;
export const untilSettled = (isPending: boolean): number | false => isPending && settling;

/** Soon made, or refused; one that waits for the end of a dispute takes weeks. */
export const isBeingMade = ({ status, problem }: Pick<Refund, 'status' | 'problem'>): boolean =>
  status === 'pending' && problem === null;

/** An order with its payments and refunds, read together. */
export function useOrderMoney(orderId: string) {
  return useQuery({
    queryKey: ['order-money', orderId],
    staleTime: 0,
    queryFn: ({ signal }) => readOrderMoney(orderId, signal),
    refetchInterval: ({ state }) => untilSettled(state.data?.money.refunds.some(isBeingMade) ?? false),
  });
}

export async function readOrderMoney(
  id: string,
  signal?: AbortSignal,
): Promise<{ order: Order; money: OrderPayments }> {
  const options = { timeout, ...(signal && { signal }) };
  const [order, money] = await Promise.all([
    api('GET /v1/orders/{id}', { id }, options),
    api('GET /v1/orders/{id}/payments', { id }, options),
  ]);
  // Staff read the order whole.
  return { order: order.data as Order, money: money.data };
}

/** Reloads everything that shows an order's money, after it moved. */
export async function refetchMoney(): Promise<void> {
  await Promise.all(
    ['order-money', 'payments', 'refunds', 'payouts', 'disputes', 'sales'].map((key) =>
      queryClient.invalidateQueries({ queryKey: [key] }),
    ),
  );
}
