import type { MenuOperation } from '#menu/operations/menu-operation.ts';
import { createDurableQueue, type QueueStorage, type QueuedCall } from '#platform/web/durable-queue.ts';
import type { MenuParts } from '#menu/fields.ts';
import { applyOperations, rebaseReorderOperation } from '#menu/operations/apply-operation.ts';
import { operationToCall } from '#menu/operations/operation-calls.ts';
import { api, ApiError, type ApiInput } from '#platform/web/api.ts';

/** A person's edit: operations that are made together or not at all. */
export interface MenuEdit extends QueuedCall {
  /** The edit's description, e.g. `Price of Margherita`. */
  label: string;
  operations: MenuOperation[];
}

/**
 * A change of values that somebody else has changed meanwhile. `at` is the index of the operation in the edit,
 * `current` the part as it is stored now.
 */
export interface MenuConflict {
  edit: MenuEdit;
  at: number;
  fields: string[];
  current: Record<string, unknown>;
}

export type SendEditResult =
  | { kind: 'done' }
  /** The edit got no answer, or the server failed. The edit is retried. */
  | { kind: 'unanswered' }
  | { kind: 'refused'; error: unknown }
  /** The list has changed since the reorder was made. `edit` is the same reorder for the current list. */
  | { kind: 'outrun'; edit: MenuEdit }
  | { kind: 'conflict'; at: number; fields: string[]; current: Record<string, unknown> };

export interface EditQueueState {
  /** Edits not yet sent, the oldest first. */
  edits: readonly MenuEdit[];
  isStuck: boolean;
  conflict: MenuConflict | null;
}

export interface EditQueueServices {
  send: (edit: MenuEdit) => Promise<SendEditResult>;
  onChange: (state: EditQueueState) => void;
  /** Called when an edit is saved, before the edit leaves the queue. */
  onDone: (edit: MenuEdit) => Promise<void> | void;
  onRefused: (edit: MenuEdit, error: unknown) => void;
}

export interface EditQueue {
  start: () => void;
  add: (edit: MenuEdit) => void;
  wake: () => void;
  /** Resolves a conflict: `mine` overwrites the other person's values, `theirs` drops this edit's values. */
  settle: (choice: 'mine' | 'theirs') => void;
  stop: () => void;
}

/** Sends edits in order, one by one, and stops at a conflict. */
export function createEditQueue(
  { send, onChange, onDone, onRefused }: EditQueueServices,
  kept?: QueueStorage<MenuEdit>,
): EditQueue {
  let conflict: MenuConflict | null = null;
  const queue = createDurableQueue<MenuEdit, null>({
    ...(kept && { kept }),
    async send(edit) {
      const result = await send(edit);
      if (result.kind === 'done') return { kind: 'done', answer: null };
      if (result.kind === 'outrun') return { kind: 'again', item: result.edit };
      if (result.kind !== 'conflict') return result;
      const { at, fields, current } = result;
      conflict = { edit, at, fields, current };
      return { kind: 'halted' };
    },
    onChange: (edits) => onChange({ edits, isStuck: (edits[0]?.attempts ?? 0) > 0, conflict }),
    onDone,
    onRefused,
  });
  return {
    ...queue,
    settle(choice) {
      const settling = conflict;
      conflict = null;
      if (settling) queue.resume(settled(settling, choice));
    },
  };
}

/** The edit that remains after the choice in a conflict; null if nothing remains. */
function settled({ edit, at, fields, current }: MenuConflict, choice: 'mine' | 'theirs'): MenuEdit | null {
  const operations = edit.operations.flatMap((operation, index): MenuOperation[] => {
    if (index !== at || operation.kind !== 'change') return [operation];
    if (choice === 'mine') {
      const now = Object.fromEntries(fields.map((field) => [field, current[field]]));
      return [{ ...operation, was: { ...operation.was, ...now } }];
    }
    const others = without(operation.fields, fields);
    if (Object.keys(others).length === 0) return [];
    // The cast is right: the new operation is the same change of the same part, with fewer fields.
    return [{ ...operation, fields: others, was: without(operation.was ?? {}, fields) } as MenuOperation];
  });
  return operations.length === 0 ? null : { ...edit, operations };
}

function without<T extends object>(fields: T, names: readonly string[]): T {
  // The cast is right: every field of T may be missing.
  return Object.fromEntries(Object.entries(fields).filter(([field]) => !names.includes(field))) as T;
}

const TIMEOUT = 20_000;

export async function fetchMenuParts(storeId: string, signal?: AbortSignal): Promise<MenuParts> {
  const options = { timeout: TIMEOUT, ...(signal && { signal }) };
  return (await api('GET /v1/menus/store/{storeId}/parts', { storeId }, options)).data;
}

/** Sends an edit. A single operation has its own call; several are sent in one call, so that all or none are made. */
export async function sendMenuEdit(storeId: string, edit: MenuEdit): Promise<SendEditResult> {
  try {
    const [first, ...more] = edit.operations.map(operationToCall);
    if (first && more.length === 0) {
      // The cast is needed, because the compiler cannot derive that an operation's body has the fields of its call.
      await api(first.call, { id: first.id, ...first.body } as unknown as ApiInput<typeof first.call>, {
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
    return fetchMenuParts(storeId).then(
      (today) => adaptEdit(today, edit, error),
      () => ({ kind: 'unanswered' }),
    );
  }
}

function conflictOf(body: Record<string, unknown>): SendEditResult {
  // The cast is right: the contract gives the body of `changed_meanwhile` this shape.
  const {
    change: at = 0,
    fields,
    current,
  } = body as { change?: number; fields: string[]; current: Record<string, unknown> };
  return { kind: 'conflict', at, fields, current };
}

/** Rebases a refused edit on the current lists. Returns the refusal if the rebased edit is the same. */
function adaptEdit(today: MenuParts, edit: MenuEdit, error: unknown): SendEditResult {
  const operations: MenuOperation[] = [];
  for (const operation of edit.operations) {
    const now = applyOperations(today, operations);
    operations.push(operation.kind === 'reorder' ? rebaseReorderOperation(now, operation) : operation);
  }
  const isSame = JSON.stringify(operations) === JSON.stringify(edit.operations);
  return isSame ? { kind: 'refused', error } : { kind: 'outrun', edit: { ...edit, operations } };
}
