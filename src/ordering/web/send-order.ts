import type { Order } from '#ordering/order.ts';
import { api, ApiError, type Input } from '#platform/web/api.ts';

/** Milliseconds before each repetition: together as long as a shop needs to start again. */
const pauses = [2000, 4000, 8000, 16_000];

/**
 * Sends an order, and the same one again while only a proxy answers: by its session the shop writes it once. `onRetry` is
 * called before the first repetition. Throws ApiError; `offline` if it stays unknown whether the order arrived.
 */
export async function sendOrder(body: Input<'POST /v1/orders'>, timeout: number, onRetry: () => void): Promise<Order> {
  for (const pause of [...pauses, null]) {
    try {
      return (await api('POST /v1/orders', body, { timeout })).data;
    } catch (error) {
      if (!(error instanceof ApiError && error.isLost && error.code !== 'offline')) throw error;
      if (pause === null) break;
      onRetry();
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
  throw new ApiError(0, { code: 'offline' });
}
