import { ActionIcon, Button } from '@mantine/core';
import { m } from '#messages';
import classes from '#menu/web/editor/session/saving-state.module.css';
import { useEditing } from '#menu/web/editor/session/editing-context.ts';
import { Icon } from '#ui/web/office/icon.tsx';

/** Whether every edit is saved; and the buttons to undo and redo. */
export function SavingState() {
  const { state, session } = useEditing();
  const { edits, isStuck, conflict, past, future } = state;
  const status = conflict ? 'conflict' : isStuck ? 'stuck' : edits.length > 0 ? 'saving' : 'saved';
  const words = {
    conflict: m.menu_edit_not_saved(),
    stuck: m.menu_edit_waiting({ count: edits.length }),
    saving: m.menu_edit_saving(),
    saved: m.menu_edit_saved(),
  }[status];
  const last = past.at(-1);
  const next = future.at(-1);
  return (
    <div className={classes.saving}>
      <output data-saving={status}>
        <Icon name={status === 'saved' ? 'check' : status === 'stuck' ? 'offline' : 'clock'} /> {words}
      </output>
      {status === 'stuck' && (
        <Button variant="default" onClick={session.wake}>
          {m.platform_retry()}
        </Button>
      )}
      <ActionIcon
        aria-label={last ? m.menu_edit_undo_what({ what: last.label }) : m.platform_undo()}
        disabled={!last}
        onClick={session.undo}
      >
        <Icon name="undo" />
      </ActionIcon>
      <ActionIcon
        className={classes.redo}
        aria-label={next ? m.menu_edit_redo_what({ what: next.label }) : m.menu_edit_redo()}
        disabled={!next}
        onClick={session.redo}
      >
        <Icon name="undo" />
      </ActionIcon>
    </div>
  );
}
