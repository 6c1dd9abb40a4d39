import type { ReactNode } from 'react';
import classes from '#ui/web/office/reminder-band.module.css';

interface ReminderProps {
  label: string;
  /** The reminder's sentence; if missing, `label` is shown as the sentence. */
  text?: string;
  /** The reason for the reminder, which only wide screens show. */
  why?: string;
  /** Whether the shop is at risk until the task is done. */
  isWarning?: boolean;
  children: ReactNode;
}

/** A line above the page with the owner's next task. A page shows one reminder at a time. */
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
