import type { MenuParts } from '#menu/fields.ts';
import { applyOperations, mergeReorder } from '#menu/operations/apply-operation.ts';
import type { MenuOperation } from '#menu/operations/menu-operation.ts';
import { callOf } from '#menu/operations/operation-calls.ts';
import type { Edit, SendResult } from '#menu/web/editor/session/edit-queue.ts';
import { api, ApiError, type Input } from '#platform/web/api.ts';

const TIMEOUT = 20_000;

export async function fetchParts(storeId: string, signal?: AbortSignal): Promise<MenuParts> {
  const options = { timeout: TIMEOUT, ...(signal && { signal }) };
  return (await api('GET /v1/menus/store/{storeId}/parts', { storeId }, options)).data;
}

/** A single operation is sent by its own call; several are sent together, so that all or none are made. */
export async function sendEdit(storeId: string, edit: Edit): Promise<SendResult> {
  try {
    const [first, ...more] = edit.operations.map(callOf);
    if (first && more.length === 0) {
      // An operation has the fields of its own call.
      await api(first.call, { id: first.id, ...first.body } as unknown as Input<typeof first.call>, {
        timeout: TIMEOUT,
      });
    } else if (first) await api('POST /v1/menus/changes', { changes: [first, ...more] }, { timeout: TIMEOUT });
    return { kind: 'done' };
  } catch (error) {
    if (!(error instanceof ApiError)) return { kind: 'refused', error };
    if (error.isUndecided) return { kind: 'unanswered' };
    if (error.code === 'changed_meanwhile') return conflictOf(error.body);
    const isOrder = edit.operations.some(({ kind }) => kind === 'reorder');
    if (error.status !== 422 || !isOrder) return { kind: 'refused', error };
    return fetchParts(storeId).then(
      (today) => outrunBy(today, edit, error),
      () => ({ kind: 'unanswered' }),
    );
  }
}

function conflictOf(body: Record<string, unknown>): SendResult {
  // The shapes of `changed_meanwhile` in the contract.
  const {
    change: at = 0,
    fields,
    current,
  } = body as { change?: number; fields: string[]; current: Record<string, unknown> };
  return { kind: 'conflict', at, fields, current };
}

/** The edit applied to the current lists; refused if that makes no difference. */
function outrunBy(today: MenuParts, edit: Edit, error: unknown): SendResult {
  const operations: MenuOperation[] = [];
  for (const operation of edit.operations) {
    const now = applyOperations(today, operations);
    operations.push(operation.kind === 'reorder' ? mergeReorder(now, operation) : operation);
  }
  const isSame = JSON.stringify(operations) === JSON.stringify(edit.operations);
  return isSame ? { kind: 'refused', error } : { kind: 'outrun', edit: { ...edit, operations } };
}
