import type { ReactNode } from 'react';
import classes from '#ui/web/office/reminder-band.module.css';

interface ReminderProps {
  label: string;
  /** The reminder's sentence; by default the label. */
  text?: string;
  /** The reason, for wide screens. */
  why?: string;
  /** Whether the shop is at risk until the task is done. */
  isWarning?: boolean;
  /** The buttons. */
  children: ReactNode;
}

/** One line above the page with the owner's next task. A page shows one at a time. */
export function ReminderBand({ label, text, why, isWarning, children }: ReminderProps) {
  return (
    <section className={classes.band} data-warning={isWarning || undefined} aria-label={label}>
      <p role="status">
        {text ?? <strong>{label}</strong>} {why !== undefined && <span>{why}</span>}
      </p>
      {children}
    </section>
  );
}
