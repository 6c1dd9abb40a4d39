import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { m } from '#messages';
import classes from '#ui/web/office/selection-bar.module.css';

/**
 * How many rows are selected, their actions, and a button to clear the selection; nothing while no row is selected. It stands
 * below the rows and stays in view: above them it would move them when the first is selected.
 */
export function SelectionBar({
  count,
  onClear,
  children,
}: {
  count: number;
  onClear: () => void;
  children: ReactNode;
}) {
  if (count === 0) return null;
  return (
    <div className={classes.bar} role="region" aria-label={m.office_list_selection()}>
      <strong>{m.office_list_selected({ count })}</strong>
      {children}
      <Button variant="subtle" onClick={onClear}>
        {m.office_list_select_none()}
      </Button>
    </div>
  );
}
