import { v7 as newId } from 'uuid';
import { m } from '#messages';
import type { MenuParts } from '#menu/fields.ts';
import { applyOperations } from '#menu/operations/apply-operation.ts';
import type { MenuOperation } from '#menu/operations/menu-operation.ts';
import { invertOperations } from '#menu/operations/invert-operations.ts';
import {
  createEditQueue,
  type MenuEdit,
  type EditQueueServices,
  type EditQueueState,
  sendMenuEdit,
} from '#menu/web/editor/session/edit-queue.ts';
import { createExternalStore, type ExternalStore } from '#platform/web/external-store.ts';
import { notify } from '#ui/web/notify.ts';
import { queryClient } from '#ui/web/office/query-client.ts';
import { refusalWords } from '#ui/web/office/refusal-words.ts';
import { operationToCall, type OperationCall, operationFromCall } from '#menu/operations/operation-calls.ts';
import { openQueueStorage, type QueueStorage, type QueuedCall } from '#platform/web/durable-queue.ts';

export interface EditingSessionState extends EditQueueState, History {}

export interface EditingSession {
  subscribe: (listener: () => void) => () => void;
  read: () => EditingSessionState;
  edit: (label: string, operations: readonly MenuOperation[]) => void;
  undo: () => void;
  redo: () => void;
  wake: () => void;
  settle: (choice: 'mine' | 'theirs') => void;
}

export const menuPartsKey = (storeId: string) => ['menu-parts', storeId];
const sessions = new Map<string, EditingSession>();

export function editingSessionOf(storeId: string): EditingSession {
  const known = sessions.get(storeId) ?? beginSession(storeId);
  sessions.set(storeId, known);
  return known;
}

function beginSession(storeId: string): EditingSession {
  const state = createExternalStore<EditingSessionState>(() => ({
    edits: [],
    isStuck: false,
    conflict: null,
    past: [],
    future: [],
  }));
  const queue = createEditQueue(queuePorts(storeId, state), editStorage(storeId));
  queue.start();
  addEventListener('beforeunload', (event) => {
    if (state.read().edits.length > 0) event.preventDefault();
  });
  const make = (label: string, operations: readonly MenuOperation[]): Step | null => {
    const now = shownParts(storeId, state.read());
    const real = operations.filter(hasEffect);
    if (!now || real.length === 0) return null;
    const step = { editId: newId(), label, operations: invertOperations(now, real) };
    queue.add({ id: step.editId, label, operations: real });
    return step;
  };
  const change = (next: Partial<EditingSessionState>): void => state.set({ ...state.read(), ...next });
  return {
    subscribe: state.subscribe,
    read: state.read,
    ...createHistory({ read: state.read, change, make }),
    wake: queue.wake,
    settle: queue.settle,
  };
}

function queuePorts(storeId: string, state: ExternalStore<EditingSessionState>): EditQueueServices {
  const queryKey = menuPartsKey(storeId);
  return {
    send: (edit) => sendMenuEdit(storeId, edit),
    onChange: (next) => state.set({ ...state.read(), ...next }),
    async onDone({ operations }) {
      // Running reads are cancelled, because an answer from before the change would revert the change on the screen.
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

function shownParts(storeId: string, { edits }: EditingSessionState): MenuParts | null {
  const parts = queryClient.getQueryData<MenuParts>(menuPartsKey(storeId));
  if (!parts) return null;
  return applyOperations(
    parts,
    edits.flatMap((edit) => edit.operations),
  );
}

/** Whether an operation must be sent. The API refuses calls that link or unlink nothing, or reorder no categories. */
function hasEffect(operation: MenuOperation): boolean {
  const { kind } = operation;
  if (kind !== 'link' && kind !== 'unlink' && (kind !== 'reorder' || operation.part !== 'menu')) return true;
  return operation.children.length > 0;
}

/**
 * An edit in storage. It consists of calls, such as `{ call: 'PATCH /v1/items/{id}', id, body }`, because every release
 * can read the API's calls.
 */
interface StoredEdit extends QueuedCall {
  label: string;
  changes: OperationCall[];
}

/** Stores the unsent edits of this page for a store. Edits that earlier releases stored are read as well. */
function editStorage(storeId: string): QueueStorage<MenuEdit> {
  // The first releases stored one list for all pages of a store.
  const kept = openQueueStorage<StoredEdit>({ group: `menu_edits/${storeId}`, older: [`menu_edits.${storeId}`] });
  return {
    keep: (edits) => kept.keep(edits.map(toKept)),
    readOwn: () => kept.readOwn().flatMap((edit) => readStoredEdit(edit) ?? []),
    takeOver: (adopt) => kept.takeOver((left) => adopt(left.flatMap((edit) => readStoredEdit(edit) ?? []))),
  };
}

function toKept({ operations, ...edit }: MenuEdit): StoredEdit {
  return { ...edit, changes: operations.map(operationToCall) };
}

/** Reads a stored edit; null if at least one of its calls cannot be read as a menu operation. */
function readStoredEdit({ changes, ...edit }: StoredEdit): MenuEdit | null {
  const operations = changes.flatMap((change) => operationFromCall(change, newId) ?? []);
  return operations.length === changes.length ? { ...edit, operations } : null;
}

/** A step of undo or redo: its operations, and the id of the edit that they reverse. */
interface Step {
  editId: string;
  label: string;
  operations: MenuOperation[];
}

/** The steps that can be undone, and the steps that can be redone. The last step of each list is the next one. */
interface History {
  past: readonly Step[];
  future: readonly Step[];
}

interface HistoryPorts {
  read: () => History;
  change: (next: Partial<History>) => void;
  /** Applies the operations. Returns the step that undoes them; null if they changed nothing. */
  make: (label: string, operations: readonly MenuOperation[]) => Step | null;
}

const maxSteps = 200;

function createHistory({ read, change, make }: HistoryPorts) {
  const undo = (): void => {
    const step = read().past.at(-1);
    if (!step) return;
    const again = make(step.label, step.operations);
    const { past, future } = read();
    change({ past: past.slice(0, -1), future: again ? [...future, again] : future });
    notify({ id: 'menu-edit', text: m.menu_edit_undone({ what: step.label }) });
  };
  return {
    undo,
    edit(label: string, operations: readonly MenuOperation[]): void {
      const step = make(label, operations);
      if (!step) return;
      change({ past: [...read().past, step].slice(-maxSteps), future: [] });
      // The notice's undo works only while its edit is the last one, because `undo` reverses the last edit.
      const undoStep = (): void => void (read().past.at(-1) === step && undo());
      notify({ id: 'menu-edit', text: label, action: { label: m.platform_undo(), run: undoStep } });
    },
    redo(): void {
      const step = read().future.at(-1);
      if (!step) return;
      const back = make(step.label, step.operations);
      const { past, future } = read();
      change({ future: future.slice(0, -1), past: back ? [...past, back] : past });
      notify({ id: 'menu-edit', text: m.menu_edit_redone({ what: step.label }) });
    },
  };
}

/** Returns the history without a refused edit, which can be neither undone nor redone. */
function withoutEdit({ past, future }: History, editId: string): History {
  const isOther = (step: Step): boolean => step.editId !== editId;
  return { past: past.filter(isOther), future: future.filter(isOther) };
}
