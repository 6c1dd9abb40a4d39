import type { MenuOperation } from '#menu/operations/menu-operation.ts';
import { createDurableQueue, type Queueable } from '#platform/web/durable-queue.ts';
import type { KeptQueue } from '#platform/web/durable-queue.ts';

/** An edit of the menu by a person: one or more operations, made together or not at all. */
export interface Edit extends Queueable {
  /** Its description, e.g. `Price of Margherita`. */
  label: string;
  operations: MenuOperation[];
}

/** Somebody else changed the same fields: the index of the edit's operation, and the part as it is now. */
export interface Conflict {
  edit: Edit;
  at: number;
  fields: string[];
  current: Record<string, unknown>;
}

export type SendResult =
  | { kind: 'done' }
  /** No answer, or a server error: the edit is sent again. */
  | { kind: 'unanswered' }
  /** Refused for ever. */
  | { kind: 'refused'; error: unknown }
  /** The list to be ordered was stale; `edit` is the same wished order for the current list. */
  | { kind: 'outrun'; edit: Edit }
  | { kind: 'conflict'; at: number; fields: string[]; current: Record<string, unknown> };

export interface QueueState {
  /** Edits not yet sent, the oldest first. */
  edits: readonly Edit[];
  /** The last attempt got no answer. */
  isStuck: boolean;
  conflict: Conflict | null;
}

export interface QueuePorts {
  send: (edit: Edit) => Promise<SendResult>;
  onChange: (state: QueueState) => void;
  /** Called before the edit leaves the queue. */
  onDone: (edit: Edit) => Promise<void> | void;
  onRefused: (edit: Edit, error: unknown) => void;
}

export interface EditQueue {
  start: () => void;
  add: (edit: Edit) => void;
  /** Retries immediately. */
  wake: () => void;
  /** Resolves a conflict: `mine` overwrites the other's values, `theirs` keeps them. */
  settle: (choice: 'mine' | 'theirs') => void;
  stop: () => void;
}

/** Sends edits one by one in the order they were made, and stops all of them while there is a conflict. */
export function createEditQueue({ send, onChange, onDone, onRefused }: QueuePorts, kept?: KeptQueue<Edit>): EditQueue {
  let conflict: Conflict | null = null;
  const queue = createDurableQueue<Edit, null>({
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

/** The edit after the choice; null if nothing of it remains. */
function settled({ edit, at, fields, current }: Conflict, choice: 'mine' | 'theirs'): Edit | null {
  const operations = edit.operations.flatMap((operation, index): MenuOperation[] => {
    if (index !== at || operation.kind !== 'change') return [operation];
    if (choice === 'mine') {
      const now = Object.fromEntries(fields.map((field) => [field, current[field]]));
      return [{ ...operation, was: { ...operation.was, ...now } }];
    }
    const others = without(operation.fields, fields);
    if (Object.keys(others).length === 0) return [];
    // Fewer fields of the same part.
    return [{ ...operation, fields: others, was: without(operation.was ?? {}, fields) } as MenuOperation];
  });
  return operations.length === 0 ? null : { ...edit, operations };
}

function without<T extends object>(fields: T, names: readonly string[]): T {
  // Every field may be missing.
  return Object.fromEntries(Object.entries(fields).filter(([field]) => !names.includes(field))) as T;
}
