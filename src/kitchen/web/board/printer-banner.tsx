import { Banner } from '#kitchen/web/board/banner.tsx';
import { useBoardControls } from '#kitchen/web/board/board-controls.ts';
import { momentWords } from '#kitchen/web/board-words.ts';
import { shopNow } from '#platform/web/clock.ts';
import { m } from '#messages';
import type { Printer } from '#printing/printer.ts';

/** What is wrong with a printer, since when, and who prints for it; milder, that its paper is nearly out. */
export function PrinterBanner({ printers }: { printers: readonly Printer[] }) {
  return printers
    .filter(({ status }) => status.words !== null)
    .map((printer) => <PrinterLine key={printer.id} printer={printer} printers={printers} />);
}

function PrinterLine({ printer, printers }: { printer: Printer; printers: readonly Printer[] }) {
  const { store } = useBoardControls();
  const { name, status } = printer;
  const { fault, words, since } = status;
  const backup = fault === null ? null : workingBackup(printer, printers);
  return (
    <Banner icon="print" tone={fault === null ? 'plain' : 'bad'}>
      <span data-printer={printer.id} data-fault={fault ?? 'paper_low'}>
        <strong>{m.kitchen_printer_fault({ name, words: words ?? '' })}</strong>{' '}
        {since !== null && m.kitchen_printer_since({ time: momentWords(since, shopNow(), store.timezone) })}{' '}
        {backup && m.kitchen_printer_backup({ name: backup.name })}
      </span>
    </Banner>
  );
}

/** The next printer along the backups that prints. */
function workingBackup(printer: Printer, printers: readonly Printer[]): Printer | null {
  const visited = new Set([printer.id]);
  for (let id = printer.backup_printer_id; id !== null && !visited.has(id);) {
    visited.add(id);
    const next = printers.find((other) => other.id === id);
    if (!next) return null;
    if (next.status.fault === null) return next;
    id = next.backup_printer_id;
  }
  return null;
}
