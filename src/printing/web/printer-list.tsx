import { Link } from 'wouter';
import { m } from '#messages';
import type { Printer } from '#printing/printer.ts';
import { dutyWords, isSlow, kindWords, modelWords, momentWords, stateOf } from '#printing/web/printer-words.ts';
import classes from '#printing/web/printers.module.css';
import type { Store } from '#store/contract.ts';
import { Badge } from '#ui/web/office/badge.tsx';

/** Each printer with its state in words, and its duties. */
export function PrinterList({ store, printers }: { store: Store; printers: readonly Printer[] }) {
  if (printers.length === 0) return <NoPrinter />;
  return (
    <ul className={classes.list}>
      {printers.map((printer) => (
        <Row key={printer.id} store={store} printer={printer} printers={printers} />
      ))}
    </ul>
  );
}

interface RowProps {
  store: Store;
  printer: Printer;
  printers: readonly Printer[];
}

function Row({ store, printer, printers }: RowProps) {
  const { id, name, kind, profile, backup_printer_id: backupId } = printer;
  const backup = printers.find((other) => other.id === backupId);
  return (
    <li className={classes.printer} data-printer={id} data-state={printer.status.state}>
      <header>
        <h2>
          <Link href={`/admin/printers?printer=${id}`}>{name}</Link>
        </h2>
        <StateBadge printer={printer} />
      </header>
      <StateLines printer={printer} store={store} />
      <p>{dutyWords(printer)}</p>
      <p className={classes.soft}>
        {kindWords[kind]()} · {modelWords(profile)}
      </p>
      <p className={classes.soft}>
        {backup ? m.printing_office_backup_of({ name: backup.name }) : m.printing_office_no_backup()}
      </p>
    </li>
  );
}

/** A printer's fault and its beginning, or when it was heard last. */
export function StateLines({ printer, store }: Pick<RowProps, 'printer' | 'store'>) {
  const { state, words, since, last_seen_at: heardAt } = printer.status;
  return (
    <>
      {words && (
        <p className={classes.fault}>
          <strong>{words}</strong>{' '}
          {since && <span>{m.printing_office_since({ time: momentWords(since, store) })}</span>}
        </p>
      )}
      {state === 'offline' && heardAt && (
        <p className={classes.soft}>{m.printing_office_heard({ time: momentWords(heardAt, store) })}</p>
      )}
      {isSlow(printer) && (
        <p className={classes.fault}>{m.printing_office_slow({ seconds: printer.poll_seconds ?? 0 })}</p>
      )}
    </>
  );
}

/** The effect of having none, and which to buy. */
function NoPrinter() {
  return (
    <section className={classes.panel}>
      <h2>{m.printing_office_none()}</h2>
      <p>{m.printing_office_none_means()}</p>
      <h3>{m.printing_office_buy_title()}</h3>
      <ul className={classes.advice}>
        <li>{m.printing_office_buy_cloud()}</li>
        <li>{m.printing_office_buy_paper()}</li>
        <li>{m.printing_office_buy_other()}</li>
      </ul>
    </section>
  );
}

/** A printer's state in a word or two. */
export function StateBadge({ printer }: { printer: Printer }) {
  const { tone, words } = stateOf(printer);
  return <Badge tone={tone}>{words}</Badge>;
}
