import { v7 as newId } from 'uuid';
import { callOf, type OperationCall, readOperation } from '#menu/operations/operation-calls.ts';
import type { Edit } from '#menu/web/editor/edit-queue.ts';
import type { KeptQueue, Queueable } from '#platform/web/durable-queue.ts';
import { keepQueue } from '#platform/web/kept-queue.ts';

/**
 * An edit as it is kept: as the API's calls, `[{ call: 'PATCH /v1/items/{id}', id, body }]`, which every release reads, the
 * one before this too, if the next page comes from it.
 */
interface KeptEdit extends Queueable {
  label: string;
  changes: OperationCall[];
}

/** Where this page keeps a store's edits until they are with the server; what earlier releases kept is read too. */
export function keepEdits(storeId: string): KeptQueue<Edit> {
  // At first there was one list for all pages of a store.
  const kept = keepQueue<KeptEdit>({ group: `menu_edits/${storeId}`, older: [`menu_edits.${storeId}`] });
  return {
    keep: (edits) => kept.keep(edits.map(toKept)),
    readOwn: () => kept.readOwn().flatMap((edit) => readKept(edit) ?? []),
    takeOver: (now, adopt) => kept.takeOver(now, (left) => adopt(left.flatMap((edit) => readKept(edit) ?? []))),
  };
}

function toKept({ operations, ...edit }: Edit): KeptEdit {
  return { ...edit, changes: operations.map(callOf) };
}

/** All of an edit or none of it: null where one of its calls changes no menu. */
function readKept({ changes, ...edit }: KeptEdit): Edit | null {
  const operations = changes.flatMap((change) => readOperation(change, newId) ?? []);
  return operations.length === changes.length ? { ...edit, operations } : null;
}
