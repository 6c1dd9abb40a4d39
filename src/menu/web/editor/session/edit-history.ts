import { m } from '#messages';
import type { MenuOperation } from '#menu/operations/menu-operation.ts';
import { notify } from '#ui/web/notify.ts';

/** A step that can be undone or redone: its operations, and the edit they belong to. */
export interface Step {
  editId: string;
  label: string;
  operations: MenuOperation[];
}

/** The steps done, the latest last, and the undone ones that can be redone. */
export interface History {
  past: readonly Step[];
  future: readonly Step[];
}

interface HistoryPorts {
  read: () => History;
  change: (next: Partial<History>) => void;
  /** Makes the operations, and returns the step that undoes them; null if there was nothing to do. */
  make: (label: string, operations: readonly MenuOperation[]) => Step | null;
}

/** How many steps can be undone. */
const mostSteps = 200;

/** Makes edits, each with a notice that offers undo, and steps back and forth through them. */
export function createHistory({ read, change, make }: HistoryPorts) {
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
      change({ past: [...read().past, step].slice(-mostSteps), future: [] });
      // The notice's edit may no longer be the last one.
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

/** A refused edit is no longer in the menu, so it can be neither undone nor redone. */
export function withoutEdit({ past, future }: History, editId: string): History {
  const isOther = (step: Step): boolean => step.editId !== editId;
  return { past: past.filter(isOther), future: future.filter(isOther) };
}
