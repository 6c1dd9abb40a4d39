import type { Change } from '#menu/web/editor/menu-change.ts';
import { createDurableQueue, type Queueable } from '#platform/web/durable-queue.ts';
import type { KeptQueue } from '#platform/web/durable-queue.ts';

/** Something that somebody did to the menu: one or more changes, made together or not at all. */
export interface Edit extends Queueable {
  /** What it was, e.g. `Price of Margherita`. */
  label: string;
  changes: Change[];
}

/** Somebody else changed the same fields meanwhile: which of the edit's changes it was, and the thing as it is now. */
export interface Quarrel {
  edit: Edit;
  change: number;
  fields: string[];
  current: Record<string, unknown>;
}

export type SendResult =
  | { kind: 'done' }
  /** No answer, or a server in trouble: it is sent again. */
  | { kind: 'unanswered' }
  /** Refused for good. */
  | { kind: 'refused'; error: unknown }
  /** The list that it orders has other entries by now; `edit` is the same over today's list. */
  | { kind: 'outrun'; edit: Edit }
  | { kind: 'quarrel'; change: number; fields: string[]; current: Record<string, unknown> };

export interface QueueState {
  /** Not yet with the server, the oldest first. */
  edits: readonly Edit[];
  /** The last attempt had no answer. */
  isStuck: boolean;
  quarrel: Quarrel | null;
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
  /** Tries again at once. */
  wake: () => void;
  /** Settles a quarrel: `mine` writes over the other's values, `theirs` leaves those fields as they are. */
  settle: (choice: 'mine' | 'theirs') => void;
  stop: () => void;
}

/** Sends edits one by one in the order they were made, and lets all of them wait while there is a quarrel. */
export function createEditQueue({ send, onChange, onDone, onRefused }: QueuePorts, kept?: KeptQueue<Edit>): EditQueue {
  let quarrel: Quarrel | null = null;
  const queue = createDurableQueue<Edit, null>({
    ...(kept && { kept }),
    async send(edit) {
      const result = await send(edit);
      if (result.kind === 'done') return { kind: 'done', answer: null };
      if (result.kind === 'outrun') return { kind: 'again', item: result.edit };
      if (result.kind !== 'quarrel') return result;
      const { change, fields, current } = result;
      quarrel = { edit, change, fields, current };
      return { kind: 'halted' };
    },
    onChange: (edits) => onChange({ edits, isStuck: (edits[0]?.attempts ?? 0) > 0, quarrel }),
    onDone,
    onRefused,
  });
  return {
    ...queue,
    settle(choice) {
      const settling = quarrel;
      quarrel = null;
      if (settling) queue.resume(settled(settling, choice));
    },
  };
}

/** The edit after the choice; null where nothing of it is left. */
function settled({ edit, change, fields, current }: Quarrel, choice: 'mine' | 'theirs'): Edit | null {
  const changes = edit.changes.flatMap((one, index): Change[] => {
    if (index !== change) return [one];
    const { was, ...wanted } = one.body;
    if (choice === 'mine') {
      const now = Object.fromEntries(fields.map((field) => [field, current[field]]));
      return [{ ...one, body: { ...wanted, was: { ...(was as object), ...now } } }];
    }
    const kept = Object.fromEntries(Object.entries(wanted).filter(([field]) => !fields.includes(field)));
    const seen = Object.fromEntries(Object.entries(was as object).filter(([field]) => !fields.includes(field)));
    return Object.keys(kept).length === 0 ? [] : [{ ...one, body: { ...kept, was: seen } }];
  });
  return changes.length === 0 ? null : { ...edit, changes };
}
