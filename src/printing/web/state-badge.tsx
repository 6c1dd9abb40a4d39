import type { Printer } from '#printing/printer.ts';
import { stateOf } from '#printing/web/printer-words.ts';
import classes from '#printing/web/printers.module.css';

/** A printer's state in a word or two. */
export function StateBadge({ printer }: { printer: Printer }) {
  const { tone, words } = stateOf(printer);
  return (
    <span className={classes.badge} data-tone={tone}>
      {words}
    </span>
  );
}
