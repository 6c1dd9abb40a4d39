import { m } from '#messages';
import { api } from '#platform/web/api.ts';
import type { Store } from '#store/contract.ts';
import { notify } from '#ui/web/notify.ts';
import { confirm } from '#ui/web/office/confirm.tsx';
import { refusalWords } from '#ui/web/office/refusal-words.ts';

const timeout = 15_000;

/** Deletes shops after a confirmation; returns whether it was confirmed. Names the shops that cannot be deleted. */
export async function deleteStores(doomed: readonly Pick<Store, 'id' | 'name'>[]): Promise<boolean> {
  const isSure = await confirm({
    title: m.store_list_delete_title({ names: doomed.map(({ name }) => name).join(', ') }),
    body: m.store_list_delete_words(),
    action: m.store_list_delete(),
    isDangerous: true,
  });
  if (!isSure) return false;
  for (const { id, name } of doomed) {
    try {
      await api('DELETE /v1/stores/{id}', { id }, { timeout });
      notify({ text: m.store_list_deleted({ name }) });
    } catch (error) {
      notify({ text: `${name}: ${refusalWords(error)}`, tone: 'bad' });
    }
  }
  return true;
}

/** Switches taking orders on or off for these shops. */
export async function takeOrders(ids: Iterable<string>, isAccepting: boolean): Promise<void> {
  try {
    for (const id of ids) await api('PATCH /v1/stores/{id}', { id, is_accepting_orders: isAccepting }, { timeout });
    notify({ text: isAccepting ? m.store_list_orders_yes() : m.store_list_orders_no() });
  } catch (error) {
    notify({ text: refusalWords(error), tone: 'bad' });
  }
}
