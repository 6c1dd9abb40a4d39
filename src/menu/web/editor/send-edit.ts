import type { MenuParts } from '#menu/endpoints-editing.ts';
import { applyChanges } from '#menu/web/editor/apply-change.ts';
import type { Edit, SendResult } from '#menu/web/editor/edit-queue.ts';
import { type Change, childrenOf, deedOf, idsIn } from '#menu/web/editor/menu-change.ts';
import { findPart } from '#menu/web/editor/menu-part.ts';
import { mergeOrder } from '#menu/web/editor/merge-order.ts';
import { api, ApiError, type Input } from '#platform/web/api.ts';

const TIMEOUT = 20_000;

export async function fetchParts(storeId: string, signal?: AbortSignal): Promise<MenuParts> {
  const options = { timeout: TIMEOUT, ...(signal && { signal }) };
  return (await api('GET /v1/menus/store/{storeId}/parts', { storeId }, options)).data;
}

/** One change goes by its own call; several go together, so that they are made together or not at all. */
export async function sendEdit(storeId: string, edit: Edit): Promise<SendResult> {
  try {
    const [first, ...more] = edit.changes;
    if (first && more.length === 0) {
      // The change was made for this very call.
      await api(first.call, { id: first.id, ...first.body } as unknown as Input<typeof first.call>, {
        timeout: TIMEOUT,
      });
    } else if (first) await api('POST /v1/menus/changes', { changes: edit.changes }, { timeout: TIMEOUT });
    return { kind: 'done' };
  } catch (error) {
    if (!(error instanceof ApiError)) return { kind: 'refused', error };
    if (error.status === 0 || error.status === 401 || error.status === 429 || error.status >= 500)
      return { kind: 'unanswered' };
    if (error.code === 'changed_meanwhile') return quarrelOf(error.body);
    const isOrder = edit.changes.some((change) => deedOf(change).kind.startsWith('reorder'));
    if (error.status !== 422 || !isOrder) return { kind: 'refused', error };
    return fetchParts(storeId).then(
      (today) => outrunBy(today, edit, error),
      () => ({ kind: 'unanswered' }),
    );
  }
}

function quarrelOf(body: Record<string, unknown>): SendResult {
  // The shapes that the contract says of `changed_meanwhile`.
  const {
    change = 0,
    fields,
    current,
  } = body as { change?: number; fields: string[]; current: Record<string, unknown> };
  return { kind: 'quarrel', change, fields, current };
}

/** The edit over the lists as they are today; refused where that makes no difference. */
function outrunBy(today: MenuParts, edit: Edit, error: unknown): SendResult {
  const changes: Change[] = [];
  for (const change of edit.changes) changes.push(reorderToday(applyChanges(today, changes), change));
  const isSame = JSON.stringify(changes) === JSON.stringify(edit.changes);
  return isSame ? { kind: 'refused', error } : { kind: 'outrun', edit: { ...edit, changes } };
}

function reorderToday(today: MenuParts, change: Change): Change {
  const deed = deedOf(change);
  if (deed.kind === 'reorder') {
    const now = childrenOf(today, deed.parent, change.id ?? '');
    return { ...change, body: { [deed.field]: mergeOrder(idsIn(change, deed.field), now) } };
  }
  if (deed.kind !== 'reorderCategories') return change;
  const wished = idsIn(change, 'ids');
  const menuId = wished.map((id) => findPart(today, 'category', id)?.menu_id).find((id) => id !== undefined);
  return menuId === undefined
    ? change
    : { ...change, body: { ids: mergeOrder(wished, childrenOf(today, 'menu', menuId)) } };
}
