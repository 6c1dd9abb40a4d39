import { createContext } from 'react';
import { m } from '#messages';
import { confirm, type ConfirmQuestion } from '#ui/web/office/dialogs.tsx';

/** Counts a store's open orders. The office passes it in, because this domain cannot use `ordering`. */
export type CountOpenOrders = (storeId: string) => Promise<number>;
export const CountOpenOrdersContext = createContext<CountOpenOrders>(() => Promise.resolve(0));

/** A sentence that says how many orders of these stores are still open; empty if there are none. */
export async function openOrderWords(countOpen: CountOpenOrders, storeIds: readonly string[]): Promise<string> {
  // Without a connection, the question to the owner has no number.
  const counts = await Promise.all(storeIds.map((id) => countOpen(id).catch(() => 0)));
  const count = counts.reduce((sum, one) => sum + one, 0);
  return count === 0 ? '' : m.store_ends_open_orders({ count });
}

/**
 * Asks for confirmation before a change that ends a service at once, with the number of open orders. Resolves with true
 * to continue.
 */
export async function confirmServiceEnd(
  { body, ...question }: Pick<ConfirmQuestion, 'title' | 'action'> & { body: string },
  countOpen: CountOpenOrders,
  storeIds: readonly string[],
): Promise<boolean> {
  const words = [body, await openOrderWords(countOpen, storeIds)].filter(Boolean).join(' ');
  return confirm({ ...question, body: words, isDangerous: true });
}

/** Asks for confirmation before stores stop taking orders until further notice. */
export function confirmStoppingOrders(countOpen: CountOpenOrders, storeIds: readonly string[]): Promise<boolean> {
  const [title, body] = [m.store_manage_accepting_off_title(), m.store_manage_accepting_off_words()];
  return confirmServiceEnd({ title, body, action: m.store_manage_accepting_off() }, countOpen, storeIds);
}
