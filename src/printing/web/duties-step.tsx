import { Alert, Button } from '@mantine/core';
import { useState } from 'react';
import { m } from '#messages';
import type { Printer } from '#printing/printer.ts';
import { Backup, type Duties, Extras, Stations, WhichCopies, WhichOrders } from '#printing/web/duty-fields.tsx';
import { changeOf } from '#printing/web/printer-draft.ts';
import { dutyWords } from '#printing/web/printer-words.ts';
import classes from '#printing/web/printers.module.css';
import { usePrinterCalls } from '#printing/web/use-printers.ts';
import { failureOf, noFailure } from '#ui/web/form-errors.ts';
import { notify } from '#ui/web/notify.ts';
import { Step } from '#ui/web/office/step.tsx';

interface DutiesProps {
  printer: Printer;
  printers: readonly Printer[];
}

/** The printer's duties: which copies of which orders, how many, and which printer is its backup. */
export function DutiesStep({ printer, printers }: DutiesProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Step
      state="done"
      title={m.printing_office_step_duties()}
      text={dutyWords(printer)}
      below={isOpen && <DutiesForm printer={printer} printers={printers} onClose={() => setOpen(false)} />}
    >
      {!isOpen && (
        <Button variant="default" onClick={() => setOpen(true)}>
          {m.printing_office_change()}
        </Button>
      )}
    </Step>
  );
}

function dutiesOf(printer: Printer): Duties {
  return {
    receipts: printer.receipts,
    stations: printer.stations,
    fulfilment_types: printer.fulfilment_types,
    channels: printer.channels,
    copies: printer.copies,
    backup_printer_id: printer.backup_printer_id,
    opens_drawer: printer.opens_drawer,
    sounds_buzzer: printer.sounds_buzzer,
    prints_promises: printer.prints_promises,
  };
}

function DutiesForm({ printer, printers, onClose }: DutiesProps & { onClose: () => void }) {
  const [duties, setDuties] = useState(() => dutiesOf(printer));
  const [failure, setFailure] = useState(noFailure);
  const { change } = usePrinterCalls(printer.store_id);
  const set = (part: Partial<Duties>) => setDuties({ ...duties, ...part });
  const save = (): void => {
    const changed = changeOf(printer, duties);
    if (!changed) return onClose();
    change.mutate(
      { id: printer.id, ...changed.change, was: changed.was },
      {
        onSuccess: ({ name }) => {
          notify({ text: m.printing_office_saved({ name }) });
          onClose();
        },
        onError: (error) => setFailure(failureOf(error)),
      },
    );
  };
  const message = failure.message ?? Object.values(failure.errors)[0]?.[0];
  return (
    <form
      noValidate
      className={classes.fields}
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <WhichCopies duties={duties} set={set} />
      {duties.receipts.includes('kitchen') && <Stations printer={printer} duties={duties} set={set} />}
      <WhichOrders duties={duties} set={set} />
      <Backup printer={printer} printers={printers} duties={duties} set={set} />
      <Extras printer={printer} duties={duties} set={set} />
      {message && (
        <Alert role="alert" color="bad">
          {message}
        </Alert>
      )}
      <div className={classes.buttons}>
        <Button type="submit" loading={change.isPending}>
          {m.printing_office_save()}
        </Button>
        <Button variant="subtle" onClick={onClose}>
          {m.platform_cancel()}
        </Button>
      </div>
    </form>
  );
}
