import { createContext } from 'react';
import { m } from '#messages';
import { confirm, type ConfirmQuestion } from '#ui/web/office/dialogs.tsx';

/**
 * Counts a store's open orders. The office passes in the function, because this domain must not depend on `ordering`.
 */
export type CountOpenOrders = (storeId: string) => Promise<number>;
export const CountOpenOrdersContext = createContext<CountOpenOrders>(() => Promise.resolve(0));

/** A sentence that says how many orders of these stores are still open; empty if there are none. */
export async function openOrderWords(countOpen: CountOpenOrders, storeIds: readonly string[]): Promise<string> {
  // If the count fails, for example without a connection, the question to the owner names no number.
  const counts = await Promise.all(storeIds.map((id) => countOpen(id).catch(() => 0)));
  const count = counts.reduce((sum, one) => sum + one, 0);
  return count === 0 ? '' : m.store_ends_open_orders({ count });
}

/**
 * Asks the owner to confirm a change that ends a service at once, and names the number of open orders. Resolves with
 * true if the owner confirms.
 */
export async function confirmServiceEnd(
  { body, ...question }: Pick<ConfirmQuestion, 'title' | 'action'> & { body: string },
  countOpen: CountOpenOrders,
  storeIds: readonly string[],
): Promise<boolean> {
  const words = [body, await openOrderWords(countOpen, storeIds)].filter(Boolean).join(' ');
  return confirm({ ...question, body: words, isDangerous: true });
}

export function confirmStoppingOrders(countOpen: CountOpenOrders, storeIds: readonly string[]): Promise<boolean> {
  const [title, body] = [m.store_manage_accepting_off_title(), m.store_manage_accepting_off_words()];
  return confirmServiceEnd({ title, body, action: m.store_manage_accepting_off() }, countOpen, storeIds);
}
