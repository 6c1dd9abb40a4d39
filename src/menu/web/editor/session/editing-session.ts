import { v7 as newId } from 'uuid';
import { m } from '#messages';
import type { MenuParts } from '#menu/menu-parts.ts';
import { applyOperations } from '#menu/operations/apply-operation.ts';
import type { MenuOperation } from '#menu/operations/menu-operation.ts';
import { undoOperations } from '#menu/operations/undo-operations.ts';
import { createHistory, type History, type Step, withoutEdit } from '#menu/web/editor/session/edit-history.ts';
import { createEditQueue, type QueuePorts, type QueueState } from '#menu/web/editor/session/edit-queue.ts';
import { keepEdits } from '#menu/web/editor/session/kept-edits.ts';
import { sendEdit } from '#menu/web/editor/session/send-edit.ts';
import { makeStore, type Store } from '#platform/web/store.ts';
import { notify } from '#ui/web/notify.ts';
import { queryClient } from '#ui/web/office/query-client.ts';
import { refusalWords } from '#ui/web/office/refusal-words.ts';

export interface SessionState extends QueueState, History {}

/** One person's editing of one store's menu, until the page is closed; it continues from list to list. */
export interface EditingSession {
  subscribe: (listener: () => void) => () => void;
  read: () => SessionState;
  edit: (label: string, operations: readonly MenuOperation[]) => void;
  undo: () => void;
  redo: () => void;
  wake: () => void;
  settle: (choice: 'mine' | 'theirs') => void;
}

export const partsKey = (storeId: string) => ['menu-parts', storeId];
const sessions = new Map<string, EditingSession>();

export function editingSession(storeId: string): EditingSession {
  const known = sessions.get(storeId) ?? beginSession(storeId);
  sessions.set(storeId, known);
  return known;
}

function beginSession(storeId: string): EditingSession {
  const state = makeStore<SessionState>(() => ({ edits: [], isStuck: false, conflict: null, past: [], future: [] }));
  const queue = createEditQueue(queuePorts(storeId, state), keepEdits(storeId));
  queue.start();
  addEventListener('beforeunload', (event) => {
    if (state.read().edits.length > 0) event.preventDefault();
  });
  const make = (label: string, operations: readonly MenuOperation[]): Step | null => {
    const now = shownParts(storeId, state.read());
    const real = operations.filter(saysSomething);
    if (!now || real.length === 0) return null;
    const step = { editId: newId(), label, operations: undoOperations(now, real) };
    queue.add({ id: step.editId, label, operations: real });
    return step;
  };
  const change = (next: Partial<SessionState>): void => state.set({ ...state.read(), ...next });
  return {
    subscribe: state.subscribe,
    read: state.read,
    ...createHistory({ read: state.read, change, make }),
    wake: queue.wake,
    settle: queue.settle,
  };
}

function queuePorts(storeId: string, state: Store<SessionState>): QueuePorts {
  const queryKey = partsKey(storeId);
  return {
    send: (edit) => sendEdit(storeId, edit),
    onChange: (next) => state.set({ ...state.read(), ...next }),
    async onDone({ operations }) {
      // A read that began before the change must not undo it.
      await queryClient.cancelQueries({ queryKey });
      queryClient.setQueryData<MenuParts>(queryKey, (parts) => parts && applyOperations(parts, operations));
      void queryClient.invalidateQueries({ queryKey });
    },
    onRefused({ id, label }, error) {
      state.set({ ...state.read(), ...withoutEdit(state.read(), id) });
      notify({ text: m.menu_edit_refused({ what: label, why: refusalWords(error) }), tone: 'bad', stays: true });
      void queryClient.invalidateQueries({ queryKey });
    },
  };
}

/** The menu as it was read, with every edit made here since. */
function shownParts(storeId: string, { edits }: SessionState): MenuParts | null {
  const parts = queryClient.getQueryData<MenuParts>(partsKey(storeId));
  if (!parts) return null;
  return applyOperations(
    parts,
    edits.flatMap((edit) => edit.operations),
  );
}

/** An edit that adds or removes nothing sends nothing; only a part's own order is always sent. */
function saysSomething(operation: MenuOperation): boolean {
  const { kind } = operation;
  if (kind !== 'link' && kind !== 'unlink' && (kind !== 'reorder' || operation.part !== 'menu')) return true;
  return operation.children.length > 0;
}
