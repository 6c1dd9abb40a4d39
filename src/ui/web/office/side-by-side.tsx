import type { ReactNode } from 'react';
import classes from '#ui/web/office/side-by-side.module.css';

/** Fields beside each other, whose labels, hints and inputs line up, however long their words are. `cols`: on a phone too. */
export function SideBySide({ cols, children }: { cols?: 2; children: ReactNode }) {
  return (
    <div className={classes.fields} data-cols={cols}>
      {children}
    </div>
  );
}
