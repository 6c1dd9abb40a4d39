import { Alert, Button, Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { m } from '#messages';
import { isPollingKind } from '#printing/printer-rules.ts';
import type { Printer, PrinterKind } from '#printing/printer.ts';
import { printerModelIdOf } from '#printing/web/printer-words.ts';
import classes from '#printing/web/printers.module.css';
import { formFailureOf, noFormFailure, withoutFieldErrors } from '#ui/web/form-errors.ts';
import { printerModels, printerProfiles } from '#printing/paper/profiles.ts';
import { supportedPrintJobFormats } from '#printing/printer-formats.ts';

interface DetailsFormProps {
  kind: PrinterKind;
  first: PrinterDetails;
  action: string;
  onSave: (details: PrinterDetails) => Promise<unknown>;
  /** The label and the action of the button that closes the form without saving. */
  leave: { words: string; run: () => void };
}

export function PrinterDetailsForm({ kind, first, action, onSave, leave }: DetailsFormProps) {
  const { details, set, failure, isSaving, form, submit } = useDetails(kind, first, onSave);
  const { name, profile, width_mm: width } = details;
  const widths = widthsOf(profile);
  return (
    <form
      ref={form}
      noValidate
      className={classes.fields}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <TextInput
        label={m.printing_office_name()}
        description={m.printing_office_name_hint()}
        value={name}
        maxLength={60}
        required
        withAsterisk={false}
        autoComplete="off"
        error={failure.errors['name']?.[0]}
        onChange={(event) => set({ name: event.currentTarget.value }, 'name')}
      />
      <NativeSelect
        label={m.printing_office_model()}
        description={m.printing_office_model_hint()}
        value={printerModelIdOf(profile)}
        error={failure.errors['profile']?.[0]}
        data={modelsFor(kind).map(({ id, brand, models }) => ({
          value: id,
          label: m.printing_office_model_of({ brand, models }),
        }))}
        onChange={(event) => set(withModel(details, event.currentTarget.value), 'profile')}
      />
      <NativeSelect
        label={m.printing_office_width()}
        value={String(width)}
        disabled={widths.length === 1}
        error={failure.errors['width_mm']?.[0]}
        data={widths.map((each) => ({ value: String(each), label: m.printing_office_width_of({ width: each }) }))}
        onChange={(event) => set({ width_mm: event.currentTarget.value === '58' ? 58 : 80 }, 'width_mm')}
      />
      <Whereabouts kind={kind} details={details} error={failure.errors['address']?.[0]} set={set} />
      {failure.message && (
        <Alert role="alert" color="bad">
          {failure.message}
        </Alert>
      )}
      <div className={classes.buttons}>
        <Button type="submit" loading={isSaving}>
          {action}
        </Button>
        <Button variant="subtle" onClick={leave.run}>
          {leave.words}
        </Button>
      </div>
    </form>
  );
}

interface WhereaboutsProps {
  kind: PrinterKind;
  details: PrinterDetails;
  error: string | undefined;
  set: (change: Partial<PrinterDetails>, field: string) => void;
}

function Whereabouts({ kind, details, error, set }: WhereaboutsProps) {
  return (
    <>
      {!isPollingKind(kind) && (
        <TextInput
          label={kind === 'system' ? m.printing_office_queue() : m.printing_office_address()}
          description={kind === 'system' ? m.printing_office_queue_hint() : m.printing_office_address_hint()}
          value={details.address}
          maxLength={255}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          error={error}
          onChange={(event) => set({ address: event.currentTarget.value }, 'address')}
        />
      )}
      {kind === 'network' && (
        <Checkbox
          label={m.printing_office_private()}
          description={m.printing_office_private_hint()}
          checked={details.allows_private_address}
          onChange={(event) => set({ allows_private_address: event.currentTarget.checked }, 'address')}
        />
      )}
    </>
  );
}

function useDetails(kind: PrinterKind, first: PrinterDetails, onSave: DetailsFormProps['onSave']) {
  const [details, setDetails] = useState(first);
  const [failure, setFailure] = useState(noFormFailure);
  const [isSaving, setSaving] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const wrong = Object.keys(failure.errors).join();
  useEffect(() => {
    if (wrong !== '') form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [wrong]);
  return {
    details,
    failure,
    isSaving,
    form,
    set(change: Partial<PrinterDetails>, field: string) {
      setDetails({ ...details, ...change });
      setFailure(withoutFieldErrors(failure, field));
    },
    async submit() {
      if (kind === 'network' && looksPrivate(details.address) && !details.allows_private_address) {
        setFailure({ errors: { address: [m.printing_office_private_needed()] } });
        return;
      }
      setFailure(noFormFailure);
      setSaving(true);
      try {
        await onSave(details);
      } catch (error) {
        setFailure(formFailureOf(error));
      } finally {
        setSaving(false);
      }
    },
  };
}

type PrinterDetails = Pick<Printer, 'name' | 'profile' | 'width_mm' | 'address' | 'allows_private_address'>;

function modelsFor(kind: PrinterKind) {
  return printerModels.filter((model) => supportedPrintJobFormats(kind, model).length > 0);
}

function widthsOf(profile: string): (58 | 80)[] {
  return printerProfiles.filter(({ id }) => id === printerModelIdOf(profile)).map(({ width_mm: width }) => width);
}

export function newPrinterDetails(kind: PrinterKind, name: string): PrinterDetails {
  const profile = modelsFor(kind)[0]?.id ?? 'other';
  return { name, profile, width_mm: widthsOf(profile)[0] ?? 80, address: '', allows_private_address: false };
}

function withModel(details: PrinterDetails, profile: string): PrinterDetails {
  const widths = widthsOf(profile);
  return { ...details, profile, width_mm: widths.includes(details.width_mm) ? details.width_mm : (widths[0] ?? 80) };
}

/**
 * Whether the address seems to be in a private network, for which the form asks the owner's consent before it saves.
 * The server checks the address again at each connection.
 */
function looksPrivate(address: string): boolean {
  return /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|169\.254\.|\[?f[cd]|[\w-]+\.(local|lan|home|internal)\b)/i.test(
    address.trim(),
  );
}

/** The changed fields with their new and earlier values; null: nothing changed. */
export function changedPrinterFields<T extends Partial<Printer>>(
  printer: Printer,
  wanted: T,
): { change: Partial<T>; was: Partial<Printer> } | null {
  const fields = (Object.keys(wanted) as (keyof T & keyof Printer)[]).filter(
    (field) => JSON.stringify(wanted[field]) !== JSON.stringify(printer[field]),
  );
  if (fields.length === 0) return null;
  // Each field is a key of both objects, so the cast is safe.
  const pick = (from: Partial<Printer>) => Object.fromEntries(fields.map((field) => [field, from[field]]));
  return { change: pick(wanted) as Partial<T>, was: pick(printer) as Partial<Printer> };
}
