import { v7 as newId } from 'uuid';
import { callOf, type OperationCall, readOperation } from '#menu/operations/operation-calls.ts';
import type { Edit } from '#menu/web/editor/session/edit-queue.ts';
import type { KeptQueue, Queueable } from '#platform/web/durable-queue.ts';
import { keepQueue } from '#platform/web/kept-queue.ts';

/**
 * An edit as it is stored: as the API's calls, `[{ call: 'PATCH /v1/items/{id}', id, body }]`, which all releases read,
 * including the previous one, in case the next page comes from it.
 */
interface KeptEdit extends Queueable {
  label: string;
  changes: OperationCall[];
}

/** The storage of a page's edits of a store until they are sent; it also reads what earlier releases stored. */
export function keepEdits(storeId: string): KeptQueue<Edit> {
  // The first releases had one list for all pages of a store.
  const kept = keepQueue<KeptEdit>({ group: `menu_edits/${storeId}`, older: [`menu_edits.${storeId}`] });
  return {
    keep: (edits) => kept.keep(edits.map(toKept)),
    readOwn: () => kept.readOwn().flatMap((edit) => readKept(edit) ?? []),
    takeOver: (adopt) => kept.takeOver((left) => adopt(left.flatMap((edit) => readKept(edit) ?? []))),
  };
}

function toKept({ operations, ...edit }: Edit): KeptEdit {
  return { ...edit, changes: operations.map(callOf) };
}

/** All of an edit or nothing: null if one of its calls does not change a menu. */
function readKept({ changes, ...edit }: KeptEdit): Edit | null {
  const operations = changes.flatMap((change) => readOperation(change, newId) ?? []);
  return operations.length === changes.length ? { ...edit, operations } : null;
}
