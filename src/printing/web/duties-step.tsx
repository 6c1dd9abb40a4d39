import { Alert, Button, Checkbox, NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { m } from '#messages';
import type { Printer } from '#printing/printer.ts';
import { changedPrinterFields } from '#printing/web/details-form.tsx';
import { printerDutyWords } from '#printing/web/printer-words.ts';
import classes from '#printing/web/printers.module.css';
import { usePrinterCalls } from '#printing/web/use-printers.ts';
import { formFailureOf, noFormFailure } from '#ui/web/form-errors.ts';
import { notify } from '#ui/web/notify.ts';
import { Step } from '#ui/web/office/step.tsx';
import { useQuery } from '@tanstack/react-query';
import type { OrderChannel } from '#ordering/order.ts';
import { api } from '#platform/web/api.ts';
import { findPrinterProfile } from '#printing/paper/profiles.ts';

interface DutiesProps {
  printer: Printer;
  printers: readonly Printer[];
}

export function PrinterDutiesStep({ printer, printers }: DutiesProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Step
      state="done"
      title={m.printing_office_step_duties()}
      text={printerDutyWords(printer)}
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
  const [failure, setFailure] = useState(noFormFailure);
  const { change } = usePrinterCalls(printer.store_id);
  const set = (part: Partial<Duties>) => setDuties({ ...duties, ...part });
  const save = (): void => {
    const changed = changedPrinterFields(printer, duties);
    if (!changed) return onClose();
    change.mutate(
      { id: printer.id, ...changed.change, was: changed.was },
      {
        onSuccess: ({ name }) => {
          notify({ text: m.printing_office_saved({ name }) });
          onClose();
        },
        onError: (error) => setFailure(formFailureOf(error)),
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

type Duties = Pick<
  Printer,
  | 'receipts'
  | 'stations'
  | 'fulfilment_types'
  | 'channels'
  | 'copies'
  | 'backup_printer_id'
  | 'opens_drawer'
  | 'sounds_buzzer'
  | 'prints_promises'
>;

export interface PrinterDutyProps {
  duties: Duties;
  set: (part: Partial<Duties>) => void;
}

function WhichCopies({ duties, set }: PrinterDutyProps) {
  const { receipts, copies } = duties;
  return (
    <>
      <fieldset>
        <legend>{m.printing_office_receipts()}</legend>
        {(['kitchen', 'customer'] as const).map((copy) => (
          <Checkbox
            key={copy}
            label={copy === 'kitchen' ? m.printing_office_receipt_kitchen() : m.printing_office_receipt_customer()}
            checked={receipts.includes(copy)}
            onChange={(event) => set({ receipts: toggled(receipts, copy, event.currentTarget.checked) })}
          />
        ))}
        <p className={classes.soft}>{m.printing_office_receipts_hint()}</p>
      </fieldset>
      <NativeSelect
        label={m.printing_office_copies()}
        value={String(copies)}
        data={['1', '2', '3', '4', '5']}
        onChange={(event) => set({ copies: Number(event.currentTarget.value) })}
      />
    </>
  );
}

function Stations({ printer, duties, set }: PrinterDutyProps & { printer: Printer }) {
  const { data: known = [] } = useQuery({
    queryKey: ['stations', printer.store_id],
    queryFn: async ({ signal }) => {
      const query = { store_id: printer.store_id, per_page: 200 };
      const { data } = await api('GET /v1/items', query, { signal, timeout: 20_000 });
      return [...new Set(data.flatMap(({ station }) => station ?? []))].toSorted();
    },
  });
  const all = [...new Set([...known, ...duties.stations])];
  return (
    <fieldset>
      <legend>{m.printing_office_stations()}</legend>
      {all.map((station) => (
        <Checkbox
          key={station}
          label={station}
          checked={duties.stations.includes(station)}
          onChange={(event) => set({ stations: toggled(duties.stations, station, event.currentTarget.checked) })}
        />
      ))}
      <p className={classes.soft}>
        {all.length === 0 ? m.printing_office_stations_none() : m.printing_office_stations_hint()}
      </p>
    </fieldset>
  );
}

const channelList = ['web', 'app', 'phone', 'counter'] as const satisfies readonly OrderChannel[];

function WhichOrders({ duties, set }: PrinterDutyProps) {
  const { fulfilment_types: types, channels } = duties;
  return (
    <>
      <NativeSelect
        label={m.printing_office_fulfilment()}
        value={types.length === 1 ? types[0] : ''}
        data={[
          { value: '', label: m.printing_office_fulfilment_all() },
          { value: 'collection', label: m.printing_office_fulfilment_collection() },
          { value: 'delivery', label: m.printing_office_fulfilment_delivery() },
        ]}
        onChange={(event) => {
          const { value } = event.currentTarget;
          set({ fulfilment_types: value === 'collection' || value === 'delivery' ? [value] : [] });
        }}
      />
      <fieldset>
        <legend>{m.printing_office_channels()}</legend>
        {channelList.map((channel) => (
          <Checkbox
            key={channel}
            label={m.printing_office_channel({ channel })}
            checked={channels.includes(channel)}
            onChange={(event) => set({ channels: toggled(channels, channel, event.currentTarget.checked) })}
          />
        ))}
        <p className={classes.soft}>{m.printing_office_channels_hint()}</p>
      </fieldset>
    </>
  );
}

function Backup({
  printer,
  printers,
  duties,
  set,
}: PrinterDutyProps & { printer: Printer; printers: readonly Printer[] }) {
  const others = printers.filter(({ id }) => id !== printer.id);
  if (others.length === 0) return null;
  return (
    <NativeSelect
      label={m.printing_office_backup()}
      description={m.printing_office_backup_hint()}
      value={duties.backup_printer_id ?? ''}
      data={[
        { value: '', label: m.printing_office_backup_none() },
        ...others.map(({ id, name }) => ({ value: id, label: name })),
      ]}
      onChange={(event) => set({ backup_printer_id: event.currentTarget.value || null })}
    />
  );
}

function Extras({ printer, duties, set }: PrinterDutyProps & { printer: Printer }) {
  const profile = findPrinterProfile(printer.profile, printer.width_mm);
  return (
    <>
      {profile?.drawer && (
        <Checkbox
          label={m.printing_office_drawer()}
          description={m.printing_office_drawer_hint()}
          checked={duties.opens_drawer}
          onChange={(event) => set({ opens_drawer: event.currentTarget.checked })}
        />
      )}
      {profile && profile.buzzer !== 'none' && (
        <Checkbox
          label={m.printing_office_buzzer()}
          checked={duties.sounds_buzzer}
          onChange={(event) => set({ sounds_buzzer: event.currentTarget.checked })}
        />
      )}
      <Checkbox
        label={m.printing_office_promises()}
        description={m.printing_office_promises_hint()}
        checked={duties.prints_promises}
        onChange={(event) => set({ prints_promises: event.currentTarget.checked })}
      />
    </>
  );
}

function toggled<T>(list: readonly T[], one: T, isOn: boolean): T[] {
  const others = list.filter((each) => each !== one);
  return isOn ? [...others, one] : others;
}
