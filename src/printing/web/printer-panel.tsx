import { Button } from '@mantine/core';
import { useState } from 'react';
import { m } from '#messages';
import { profileOf } from '#printing/paper/profiles.ts';
import { formatsFor } from '#printing/printer-formats.ts';
import { doesPoll } from '#printing/printer-rules.ts';
import type { Printer } from '#printing/printer.ts';
import { ConnectStep, HeardStep } from '#printing/web/connect-step.tsx';
import { DetailsForm } from '#printing/web/details-form.tsx';
import { DutiesStep } from '#printing/web/duties-step.tsx';
import { LettersStep } from '#printing/web/letters-step.tsx';
import { changeOf } from '#printing/web/printer-draft.ts';
import { StateLines } from '#printing/web/printer-list.tsx';
import { dutyWords, kindWords, modelOf, modelWords } from '#printing/web/printer-words.ts';
import classes from '#printing/web/printers.module.css';
import { ReachStep } from '#printing/web/reach-step.tsx';
import { StateBadge } from '#printing/web/state-badge.tsx';
import { TestStep } from '#printing/web/test-step.tsx';
import { removePrinter, usePrinterCalls } from '#printing/web/use-printers.ts';
import type { Store } from '#store/contract.ts';
import { notify } from '#ui/web/notify.ts';
import { Step, Steps } from '#ui/web/office/step.tsx';

interface PanelProps {
  store: Store;
  printer: Printer;
  printers: readonly Printer[];
  onRemoved: () => void;
}

/** One printer: the steps of setting it up, which stay to change it later. */
export function PrinterPanel({ store, printer, printers, onRemoved }: PanelProps) {
  const { kind } = printer;
  return (
    <>
      <section className={classes.panel} aria-label={m.printing_office_state()} data-state={printer.status.state}>
        <p className={classes.buttons}>
          <StateBadge printer={printer} />
          <span className={classes.soft}>{kindWords[kind]()}</span>
        </p>
        <StateLines printer={printer} store={store} />
        <p>{dutyWords(printer)}</p>
      </section>
      <Steps>
        {doesPoll(kind) && <ConnectStep printer={printer} />}
        {doesPoll(kind) && <HeardStep printer={printer} />}
        {kind === 'browser' && <ReachStep printer={printer} />}
        <TestStep printer={printer} store={store} />
        {hasTables(printer) && <LettersStep printer={printer} />}
        <DutiesStep printer={printer} printers={printers} />
        <DetailsStep printer={printer} />
      </Steps>
      <RemoveButton printer={printer} onRemoved={onRemoved} />
    </>
  );
}

/** Whether its letters come from tables that may be numbered in another way than its model says. */
function hasTables({ kind, profile, width_mm: width }: Printer): boolean {
  const known = profileOf(profile, width);
  const [format] = known ? formatsFor(kind, known) : [];
  return format === 'escpos' || format === 'starprnt' || format === 'star_line';
}

function DetailsStep({ printer }: { printer: Printer }) {
  const [isOpen, setOpen] = useState(false);
  const { change } = usePrinterCalls(printer.store_id);
  const { id, name, kind, profile, width_mm: width, address } = printer;
  const words = m.printing_office_details({ model: modelWords(profile), width });
  return (
    <Step
      state="done"
      title={m.printing_office_step_settings()}
      text={address === '' ? words : `${words}, ${address}`}
      below={
        isOpen && (
          <DetailsForm
            kind={kind}
            first={printer}
            action={m.printing_office_save()}
            leave={{ words: m.platform_cancel(), run: () => setOpen(false) }}
            onSave={async (details) => {
              // The tables were chosen on the paper of this model.
              const isSameModel = modelOf(details.profile) === modelOf(profile);
              const wanted = {
                name: details.name,
                profile: isSameModel ? profile : details.profile,
                width_mm: details.width_mm,
                address: details.address,
                allows_private_address: details.allows_private_address,
              };
              const changed = changeOf(printer, wanted);
              if (changed) await change.mutateAsync({ id, ...changed.change, was: changed.was });
              notify({ text: m.printing_office_saved({ name: details.name || name }) });
              setOpen(false);
              // Its new address is in the policy of a new page only.
              if (kind === 'browser' && changed?.change.address !== undefined) location.reload();
            }}
          />
        )
      }
    >
      {!isOpen && (
        <Button variant="default" onClick={() => setOpen(true)}>
          {m.printing_office_change()}
        </Button>
      )}
    </Step>
  );
}

function RemoveButton({ printer, onRemoved }: { printer: Printer; onRemoved: () => void }) {
  const [isRemoving, setRemoving] = useState(false);
  const remove = async (): Promise<void> => {
    setRemoving(true);
    if (await removePrinter(printer)) onRemoved();
    else setRemoving(false);
  };
  return (
    <p>
      <Button variant="outline" color="bad" loading={isRemoving} onClick={() => void remove()}>
        {m.printing_office_remove()}
      </Button>{' '}
      {printer.backup_printer_id !== null && <span className={classes.soft}>{m.printing_office_remove_waits()}</span>}
    </p>
  );
}
