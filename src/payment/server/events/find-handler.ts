import type { PaymentContext } from '#payment/server/context.ts';
import type { PaymentEventRow } from '#payment/server/events/event-rows.ts';

/** Handles the messages whose type begins with one of `types`. All other messages are about payments. */
export interface EventHandler {
  types: readonly string[];
  /**
   * Handles a message, which may come late, twice or out of order. `unknown`: about nothing of this shop, or about a
   * change that is not committed yet; it is called again within ten minutes, and also after it throws.
   */
  handle(context: PaymentContext, event: PaymentEventRow): Promise<'applied' | 'unknown'>;
}

export function findHandler(
  { type }: Pick<PaymentEventRow, 'type'>,
  handlers: readonly EventHandler[],
): EventHandler | null {
  return handlers.find(({ types }) => types.some((start) => type?.startsWith(start))) ?? null;
}
