import type { Change } from '#menu/web/editor/menu-change.ts';

/** Something that somebody did to the menu: one or more changes, made together or not at all. */
export interface Edit {
  id: string;
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
  add: (edit: Edit) => void;
  /** Tries again at once: somebody asked for it, or the connection is back. */
  wake: () => void;
  /** Settles a quarrel: `mine` writes over the other's values, `theirs` leaves those fields as they are. */
  settle: (choice: 'mine' | 'theirs') => void;
  stop: () => void;
}

const RETRY_AFTER = [1000, 2000, 4000, 8000, 15_000];

/** Sends edits one by one in the order they were made; one that gets no answer is sent until it does. */
export function createEditQueue(ports: QueuePorts, left: readonly Edit[] = []): EditQueue {
  let state: QueueState = { edits: left, isStuck: false, quarrel: null };
  let isSending = false;
  let isStopped = false;
  let attempts = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const change = (next: Partial<QueueState>): void => {
    state = { ...state, ...next };
    ports.onChange(state);
  };
  const replaceFirst = (edit: Edit | null): void => {
    change({ edits: [...(edit ? [edit] : []), ...state.edits.slice(1)] });
  };

  async function pump(): Promise<void> {
    clearTimeout(timer);
    const [edit] = state.edits;
    if (isStopped || isSending || state.quarrel || !edit) return;
    isSending = true;
    const result = await ports.send(edit);
    isSending = false;
    if (isStopped) return;
    if (result.kind === 'unanswered') {
      change({ isStuck: true });
      timer = setTimeout(() => void pump(), RETRY_AFTER[Math.min(attempts, RETRY_AFTER.length - 1)]);
      attempts += 1;
      return;
    }
    attempts = 0;
    if (result.kind === 'quarrel') {
      const { change: index, fields, current } = result;
      change({ isStuck: false, quarrel: { edit, change: index, fields, current } });
      return;
    }
    if (result.kind === 'done') await ports.onDone(edit);
    replaceFirst(result.kind === 'outrun' ? result.edit : null);
    if (state.isStuck) change({ isStuck: false });
    if (result.kind === 'refused') ports.onRefused(edit, result.error);
    void pump();
  }

  void Promise.resolve().then(pump);
  return {
    add(edit) {
      change({ edits: [...state.edits, edit] });
      void pump();
    },
    wake: () => void pump(),
    settle(choice) {
      const { quarrel } = state;
      if (!quarrel) return;
      change({ quarrel: null });
      replaceFirst(settled(quarrel, choice));
      void pump();
    },
    stop() {
      isStopped = true;
      clearTimeout(timer);
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
