import { Button } from '@mantine/core';
import { useState, useSyncExternalStore } from 'react';
import { m } from '#messages';
import { findPrinterProfile } from '#printing/paper/profiles.ts';
import { supportedPrintJobFormats } from '#printing/printer-formats.ts';
import { isPollingKind, faultWords } from '#printing/printer-rules.ts';
import type { Printer } from '#printing/printer.ts';
import { changedPrinterFields, PrinterDetailsForm } from '#printing/web/details-form.tsx';
import { PrinterDutiesStep } from '#printing/web/duties-step.tsx';
import { CharacterTablesStep, TestPageStep } from '#printing/web/character-tables-step.tsx';
import {
  printerDutyWords,
  isPollingSlowly,
  printerKindWords,
  printerModelIdOf,
  printerModelWords,
  printerTimeWords,
  printerStateBadge,
} from '#printing/web/printer-words.ts';
import classes from '#printing/web/printers.module.css';
import { removePrinter, shownPrinterSecrets, showPrinterRefusal, usePrinterCalls } from '#printing/web/use-printers.ts';
import type { Store } from '#store/contract.ts';
import { notify } from '#ui/web/notify.ts';
import { Step, Steps, type StepState } from '#ui/web/office/step.tsx';
import { type LanResult, unreachedWords } from '#printing/web/lan/lan-answer.ts';
import { askPrinterState, reportPrinterCondition } from '#printing/web/lan/lan-printer.ts';
import { useLocalNetworkAccess } from '#printing/web/lan/local-network.ts';
import { confirm } from '#ui/web/office/dialogs.tsx';
import { CopyField } from '#ui/web/office/copy-field.tsx';
import { Link } from 'wouter';
import { Badge } from '#ui/web/office/office-page.tsx';

interface PanelProps {
  store: Store;
  printer: Printer;
  printers: readonly Printer[];
  onRemoved: () => void;
}

export function PrinterPanel({ store, printer, printers, onRemoved }: PanelProps) {
  const { kind } = printer;
  return (
    <>
      <section className={classes.panel} aria-label={m.printing_office_state()} data-state={printer.status.state}>
        <p className={classes.buttons}>
          <StateBadge printer={printer} />
          <span className={classes.soft}>{printerKindWords[kind]()}</span>
        </p>
        <StateLines printer={printer} store={store} />
        <p>{printerDutyWords(printer)}</p>
      </section>
      <Steps>
        {isPollingKind(kind) && <ConnectStep printer={printer} />}
        {isPollingKind(kind) && <HeardStep printer={printer} />}
        {kind === 'browser' && <ReachStep printer={printer} />}
        <TestPageStep printer={printer} store={store} />
        {hasTables(printer) && <CharacterTablesStep printer={printer} />}
        <PrinterDutiesStep printer={printer} printers={printers} />
        <DetailsStep printer={printer} />
      </Steps>
      <RemoveButton printer={printer} onRemoved={onRemoved} />
    </>
  );
}

/**
 * Whether the printer prints text by numbered character tables. The owner must then check the tables, because this
 * printer's numbers may differ from the numbers of its model.
 */
function hasTables({ kind, profile, width_mm: width }: Printer): boolean {
  const known = findPrinterProfile(profile, width);
  const [format] = known ? supportedPrintJobFormats(kind, known) : [];
  return format === 'escpos' || format === 'starprnt' || format === 'star_line';
}

function DetailsStep({ printer }: { printer: Printer }) {
  const [isOpen, setOpen] = useState(false);
  const { change } = usePrinterCalls(printer.store_id);
  const { id, name, kind, profile, width_mm: width, address } = printer;
  const words = m.printing_office_details({ model: printerModelWords(profile), width });
  return (
    <Step
      state="done"
      title={m.printing_office_step_settings()}
      text={address === '' ? words : `${words}, ${address}`}
      below={
        isOpen && (
          <PrinterDetailsForm
            kind={kind}
            first={printer}
            action={m.printing_office_save()}
            leave={{ words: m.platform_cancel(), run: () => setOpen(false) }}
            onSave={async (details) => {
              // Chosen character tables apply only to the model for which they were chosen.
              const isSameModel = printerModelIdOf(details.profile) === printerModelIdOf(profile);
              const wanted = {
                name: details.name,
                profile: isSameModel ? profile : details.profile,
                width_mm: details.width_mm,
                address: details.address,
                allows_private_address: details.allows_private_address,
              };
              const changed = changedPrinterFields(printer, wanted);
              if (changed) await change.mutateAsync({ id, ...changed.change, was: changed.was });
              notify({ text: m.printing_office_saved({ name: details.name || name }) });
              setOpen(false);
              // The page reloads because its content security policy must allow the new address.
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

function ReachStep({ printer }: { printer: Printer }) {
  const access = useLocalNetworkAccess();
  const [heard, setHeard] = useState<LanResult | null>(null);
  const [isAsking, setAsking] = useState(false);
  const ask = async (): Promise<void> => {
    setAsking(true);
    const found = await askPrinterState(printer);
    setHeard(found);
    setAsking(false);
    if ('answer' in found) await reportPrinterCondition(printer, found.answer.condition);
  };
  const { state, words } = reachOf(printer, heard);
  const isExplained = heard === null && (access === 'prompt' || access === 'denied' || access === 'lacking');
  return (
    <Step
      state={state}
      title={m.printing_office_step_reach()}
      text={<span aria-live="polite">{words ?? m.printing_office_step_reach_hint()}</span>}
      below={
        isExplained && (
          <p>
            {access === 'prompt'
              ? m.printing_browser_prompt()
              : unreachedWords(access === 'denied' ? 'refused' : 'lacking', printer)}
          </p>
        )
      }
    >
      <Button variant={heard ? 'default' : 'filled'} loading={isAsking} onClick={() => void ask()}>
        {heard ? m.printing_browser_try() : m.printing_office_reach()}
      </Button>
    </Step>
  );
}

function reachOf(printer: Printer, heard: LanResult | null): { state: StepState; words: string | null } {
  if (heard === null) return { state: printer.status.last_seen_at === null ? 'todo' : 'done', words: null };
  if ('unreached' in heard) return { state: 'bad', words: unreachedWords(heard.unreached, printer, heard.detail) };
  const { fault, detail } = heard.answer.condition;
  if (fault !== null) return { state: 'bad', words: faultWords(fault, detail ?? null) };
  return { state: 'done', words: m.printing_office_step_reach_done() };
}

const guides = {
  star_cloudprnt: [m.printing_office_guide_star_1, m.printing_office_guide_star_2, m.printing_office_guide_star_3],
  epson_sdp: [m.printing_office_guide_epson_1, m.printing_office_guide_epson_2, m.printing_office_guide_epson_3],
} as const;

/** A step that shows the settings by which the printer polls, and says where the owner enters them in the printer. */
function ConnectStep({ printer }: { printer: Printer }) {
  const { id, name, kind, status, poll_url: url, username, store_id: storeId } = printer;
  const known = useSyncExternalStore(shownPrinterSecrets.subscribe, shownPrinterSecrets.read, shownPrinterSecrets.read);
  const secret = known.get(id);
  const { rotate } = usePrinterCalls(storeId);
  const isHeard = status.last_seen_at !== null;
  const ask = async (): Promise<void> => {
    const isSure =
      !isHeard ||
      (await confirm({
        title: m.printing_office_new_secret_title({ name }),
        body: m.printing_office_new_secret_means(),
        action: m.printing_office_new_secret(),
        isDangerous: true,
      }));
    if (isSure) rotate.mutate(id, { onError: showPrinterRefusal });
  };
  const guide = kind === 'epson_sdp' ? guides.epson_sdp : guides.star_cloudprnt;
  return (
    <Step
      state={isHeard ? 'done' : 'todo'}
      title={m.printing_office_step_connect()}
      text={
        secret === undefined ? m.printing_office_step_connect_secret_gone() : m.printing_office_step_connect_polls()
      }
      below={
        (secret !== undefined || !isHeard) && (
          <>
            <ol className={classes.guide}>
              {guide.map((words) => (
                <li key={words()}>{words()}</li>
              ))}
            </ol>
            <CopyField label={m.printing_office_poll_url()} value={url ?? ''} />
            <CopyField
              label={kind === 'epson_sdp' ? m.printing_office_epson_id() : m.printing_office_username()}
              value={username ?? ''}
            />
            {secret !== undefined && <CopyField label={m.printing_office_secret()} value={secret} />}
          </>
        )
      }
    >
      {secret === undefined && (
        <Button variant="default" loading={rotate.isPending} onClick={() => void ask()}>
          {m.printing_office_new_secret()}
        </Button>
      )}
    </Step>
  );
}

function HeardStep({ printer }: { printer: Printer }) {
  const { last_seen_at: heardAt, fault } = printer.status;
  const isLost = fault === 'offline';
  const state = heardAt === null ? 'wait' : isLost ? 'bad' : 'done';
  const words = {
    wait: m.printing_office_step_heard_wait,
    bad: m.printing_office_step_heard_lost,
    done: m.printing_office_step_heard_done,
  };
  return (
    <Step
      state={state}
      title={m.printing_office_step_heard()}
      text={<span aria-live="polite">{words[state]()}</span>}
    />
  );
}

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
      <p>{printerDutyWords(printer)}</p>
      <p className={classes.soft}>
        {printerKindWords[kind]()} · {printerModelWords(profile)}
      </p>
      <p className={classes.soft}>
        {backup ? m.printing_office_backup_of({ name: backup.name }) : m.printing_office_no_backup()}
      </p>
    </li>
  );
}

function StateLines({ printer, store }: Pick<RowProps, 'printer' | 'store'>) {
  const { state, words, since, last_seen_at: heardAt } = printer.status;
  return (
    <>
      {words && (
        <p className={classes.fault}>
          <strong>{words}</strong>{' '}
          {since && <span>{m.printing_office_since({ time: printerTimeWords(since, store) })}</span>}
        </p>
      )}
      {state === 'offline' && heardAt && (
        <p className={classes.soft}>{m.printing_office_heard({ time: printerTimeWords(heardAt, store) })}</p>
      )}
      {isPollingSlowly(printer) && (
        <p className={classes.fault}>{m.printing_office_slow({ seconds: printer.poll_seconds ?? 0 })}</p>
      )}
    </>
  );
}

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

function StateBadge({ printer }: { printer: Printer }) {
  const { tone, words } = printerStateBadge(printer);
  return <Badge tone={tone}>{words}</Badge>;
}
