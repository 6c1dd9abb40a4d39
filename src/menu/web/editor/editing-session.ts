import { v7 as newId } from 'uuid';
import { m } from '#messages';
import type { MenuParts } from '#menu/endpoints-editing.ts';
import { applyChanges } from '#menu/web/editor/apply-change.ts';
import { createEditQueue, type Edit, type QueuePorts, type QueueState } from '#menu/web/editor/edit-queue.ts';
import { type Change, deedOf, idsIn } from '#menu/web/editor/menu-change.ts';
import { sendEdit } from '#menu/web/editor/send-edit.ts';
import { undoOf } from '#menu/web/editor/undo-changes.ts';
import { keepQueue } from '#platform/web/kept-queue.ts';
import { makeStore } from '#platform/web/store.ts';
import { notify } from '#ui/web/notify.ts';
import { queryClient } from '#ui/web/office/query-client.ts';
import { refusalWords } from '#ui/web/office/refusal-words.ts';

/** A step that can be undone or done again: the changes that do it, and the edit that they answer. */
interface Step {
  editId: string;
  label: string;
  changes: Change[];
}

export interface SessionState extends QueueState {
  past: readonly Step[];
  future: readonly Step[];
}

/** What one person does to one store's menu, until the page is closed: kept while they go from list to list. */
export interface EditingSession {
  subscribe: (listener: () => void) => () => void;
  read: () => SessionState;
  edit: (label: string, changes: readonly Change[]) => void;
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
  const state = makeStore<SessionState>(() => ({ edits: [], isStuck: false, quarrel: null, past: [], future: [] }));

  const change = (next: Partial<SessionState>): void => {
    state.set({ ...state.read(), ...next });
  };
  const view = (): MenuParts | null => {
    const parts = queryClient.getQueryData<MenuParts>(partsKey(storeId));
    return parts
      ? applyChanges(
          parts,
          state.read().edits.flatMap((edit) => edit.changes),
        )
      : null;
  };

  const ports: QueuePorts = {
    send: (edit) => sendEdit(storeId, edit),
    onChange: change,
    async onDone({ changes }) {
      // A reading that began before the change must not take it back.
      await queryClient.cancelQueries({ queryKey: partsKey(storeId) });
      queryClient.setQueryData<MenuParts>(partsKey(storeId), (parts) => parts && applyChanges(parts, changes));
      void queryClient.invalidateQueries({ queryKey: partsKey(storeId) });
    },
    onRefused({ id, label }, error) {
      const isOther = (step: Step): boolean => step.editId !== id;
      change({ past: state.read().past.filter(isOther), future: state.read().future.filter(isOther) });
      notify({ text: m.menu_edit_refused({ what: label, why: refusalWords(error) }), tone: 'bad', stays: true });
      void queryClient.invalidateQueries({ queryKey: partsKey(storeId) });
    },
  };
  // An older version kept one list for all pages of a store.
  const keeping = { group: `menu_edits/${storeId}`, older: [`menu_edits.${storeId}`] };
  const queue = createEditQueue(ports, keepQueue<Edit>(keeping));
  queue.start();
  addEventListener('beforeunload', (event) => {
    if (state.read().edits.length > 0) event.preventDefault();
  });

  /** Makes the changes, and answers with the step that takes them back. */
  const make = (label: string, changes: readonly Change[]): Step | null => {
    const now = view();
    const real = changes.filter(saysSomething);
    if (!now || real.length === 0) return null;
    const step = { editId: newId(), label, changes: undoOf(now, real) };
    queue.add({ id: step.editId, label, changes: [...real] });
    return step;
  };

  const undo = (): void => {
    const step = state.read().past.at(-1);
    if (!step) return;
    const again = make(step.label, step.changes);
    change({
      past: state.read().past.slice(0, -1),
      future: again ? [...state.read().future, again] : state.read().future,
    });
    notify({ id: 'menu-edit', text: m.menu_edit_undone({ what: step.label }) });
  };

  return {
    subscribe: state.subscribe,
    read: state.read,
    edit(label, changes) {
      const step = make(label, changes);
      if (!step) return;
      change({ past: [...state.read().past.slice(-199), step], future: [] });
      notify({ id: 'menu-edit', text: label, action: { label: m.platform_undo(), run: () => undoStep(step) } });
    },
    undo,
    redo() {
      const step = state.read().future.at(-1);
      if (!step) return;
      const back = make(step.label, step.changes);
      change({
        future: state.read().future.slice(0, -1),
        past: back ? [...state.read().past, back] : state.read().past,
      });
      notify({ id: 'menu-edit', text: m.menu_edit_redone({ what: step.label }) });
    },
    wake: queue.wake,
    settle: queue.settle,
  };

  /** The notice's own edit, which need not be the last one any more. */
  function undoStep(step: Step): void {
    if (state.read().past.at(-1) === step) undo();
  }
}

/** Adding, taking out or reordering nothing sends nothing; only an item's groups are always said. */
function saysSomething(change: Change): boolean {
  const deed = deedOf(change);
  if (deed.kind === 'reorderCategories') return idsIn(change, 'ids').length > 0;
  if (deed.kind === 'link' || deed.kind === 'unlink') return idsIn(change, deed.field).length > 0;
  return true;
}
