import { Alert, Button } from '@mantine/core';
import { Fragment, type ReactNode, useEffect, useRef, useState } from 'react';
import { m } from '#messages';
import classes from '#store/web/manage/settings-section.module.css';
import type { StoreDraft } from '#store/web/manage/use-store-draft.ts';
import type { StoreField } from '#store/store-changes.ts';

const noFields: readonly StoreField[] = [];

interface SectionProps {
  draft: StoreDraft;
  /** The settings that the section's button saves; if missing, the section has no such button. */
  fields?: readonly StoreField[];
  title: string;
  hint?: ReactNode;
  children: ReactNode;
}

/**
 * A section of settings with its own save button. Shows errors at their fields, and focuses the first field with an
 * error.
 */
export function SettingsSection({ draft, fields = noFields, title, hint, children }: SectionProps) {
  const { form, submit } = useSettingsForm(draft, fields);
  const isChanged = draft.isChanged(fields);
  // The number of discards. It is the key of the fields, because a new key resets fields that contain invalid text.
  const [round, setRound] = useState(0);
  return (
    <form
      ref={form}
      noValidate
      className={classes.section}
      aria-label={title}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <header>
        <h2>{title}</h2>
        {hint && <p>{hint}</p>}
      </header>
      <Fragment key={round}>{children}</Fragment>
      {fields.length > 0 && (
        <footer className={classes.bar} data-changed={isChanged || undefined}>
          {draft.failure && isChanged && (
            <Alert color="bad" variant="light" role="alert">
              {draft.failure}
            </Alert>
          )}
          <output className={classes.state}>{isChanged && m.store_manage_unsaved()}</output>
          <Button
            variant="default"
            disabled={!isChanged || draft.isSaving}
            onClick={() => {
              draft.discard(fields);
              setRound(round + 1);
            }}
          >
            {m.store_manage_discard()}
          </Button>
          <Button type="submit" disabled={!isChanged} loading={draft.isSaving}>
            {m.store_manage_save()}
          </Button>
        </footer>
      )}
    </form>
  );
}

/** A form of settings. Saving focuses the first wrong field, and resolves to whether every change is saved. */
export function useSettingsForm(draft: StoreDraft, fields: readonly StoreField[]) {
  const form = useRef<HTMLFormElement>(null);
  const { refusals } = draft;
  useEffect(() => {
    if (refusals > 0) firstWrong(form.current)?.focus();
  }, [refusals]);

  const submit = async (): Promise<boolean> => {
    // The fields with invalid text. The draft does not have such a text. A field that only the server refused is left
    // out: the draft has its text, and the owner may have corrected it.
    const unread = allWrong(form.current).filter(
      ({ name, dataset }) => 'unreadable' in dataset || !draft.errorAt(name),
    );
    const [first] = unread;
    if (!first) return draft.save(fields);
    first.focus();
    // Invalid texts are sent, so that the server answers with the errors of all fields together.
    const ofFields = unread.flatMap(({ name, value }) =>
      fields.filter((field) => field === name).map((field) => [field, value]),
    );
    if (ofFields.length === unread.length) await draft.save(fields, Object.fromEntries(ofFields));
    return false;
  };
  return { form, submit };
}

function firstWrong(form: HTMLFormElement | null): HTMLInputElement | undefined {
  return allWrong(form)[0];
}

function allWrong(form: HTMLFormElement | null): HTMLInputElement[] {
  return [...(form?.querySelectorAll<HTMLInputElement>('[aria-invalid="true"]') ?? [])];
}

export const sectionFields = {
  now: [],
  hours: ['operational_hours', 'day_starts_at', 'timezone'],
  closures: ['closures', 'special_hours'],
  view: [],
  zones: ['delivery_zones', 'location', 'location_confirmed'],
  slots: ['prep_minutes', 'last_order_minutes', 'slot_minutes', 'max_orders_per_slot', 'preorder_days'],
  ordering: [
    'collection_enabled',
    'delivery_enabled',
    'payment_methods',
    'cash_max',
    'max_open_orders_per_person',
    'max_orders_per_address_hour',
    'guest_checkout',
    'service_fee',
    'bag_fee',
    'answer_minutes',
    'auto_accept',
    'pause_when_unattended',
    'mails_takings',
  ],
  contact: ['name', 'legal_name', 'company_number', 'phone', 'email', 'address', 'google_review_url', 'allergens_text'],
  receipts: [
    'receipt_kitchen_size',
    'receipt_customer_size',
    'receipt_shows_logo',
    'receipt_shows_map_code',
    'receipt_shows_order_code',
    'vat_number',
    'receipt_header',
    'receipt_footer',
  ],
  kept: ['keep_guest_days', 'keep_idle_account_months', 'keep_audit_months'],
  look: ['logo', 'cover', 'accent_color'],
} as const satisfies Record<string, readonly StoreField[]>;

export type SettingsSectionName = keyof typeof sectionFields;

export const sectionLabels: Record<SettingsSectionName, () => string> = {
  now: m.store_manage_now,
  hours: m.store_manage_hours,
  closures: m.store_manage_closures,
  view: m.store_manage_view,
  zones: m.store_manage_zones,
  slots: m.store_manage_slots,
  ordering: m.store_manage_ordering,
  contact: m.store_manage_contact,
  receipts: m.store_manage_receipts,
  kept: m.store_manage_kept,
  look: m.store_manage_look,
};

/**
 * The React key of a row without an id. It changes when a row is added or removed, so that a half-typed text never
 * appears in another row.
 */
export function positionalRowKey(rows: readonly unknown[], index: number): string {
  return `${index} of ${rows.length}`;
}
