import { v7 as newId } from 'uuid';
import { readOperation } from '#menu/operations/operation-calls.ts';
import type { Edit } from '#menu/web/editor/edit-queue.ts';
import type { KeptQueue, Queueable } from '#platform/web/durable-queue.ts';
import { keepQueue } from '#platform/web/kept-queue.ts';

/** Where this page keeps a store's edits until they are with the server, those of earlier releases among them. */
export function keepEdits(storeId: string): KeptQueue<Edit> {
  // At first there was one list for all pages of a store.
  return keepQueue<Edit>({ group: `menu_edits/${storeId}`, older: [`menu_edits.${storeId}`], readItem: readEdit });
}

/** An edit as releases kept it that held calls: `[{ call: 'PATCH /v1/items/{id}', id, body }]`. */
interface EditOfCalls extends Queueable {
  label: string;
  changes: Parameters<typeof readOperation>[0][];
}

/** All of an edit or none of it: null where one of its calls changes no menu. */
function readEdit(stored: Queueable): Edit | null {
  // Written by `keep`, in this release or an earlier one.
  const kept = stored as Edit | EditOfCalls;
  if (!('changes' in kept)) return kept;
  const { changes, ...edit } = kept;
  const operations = changes.flatMap((change) => readOperation(change, newId) ?? []);
  return operations.length === changes.length ? { ...edit, operations } : null;
}
