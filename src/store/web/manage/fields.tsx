import { Switch, Textarea, TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';
import { m } from '#messages';
import { MoneyField } from '#ui/web/office/money-field.tsx';
import { FieldColumns } from '#ui/web/office/office-page.tsx';
import type { PaymentMethod, StaffStore, StoreAddress } from '#store/contract.ts';
import manage from '#store/web/manage/manage.module.css';
import type { StoreDraft } from '#store/web/manage/use-store-draft.ts';
import type { StoreField } from '#store/store-changes.ts';
import { formatMoney } from '#platform/money.ts';
import { closureDaysWords, localDateWords } from '#store/closure-rules.ts';
import type { SpecialDay } from '#store/hours-shapes.ts';
import { dayEntriesWords } from '#store/hours-words.ts';
import { weekdayName } from '#store/weekday-words.ts';

export function settingLabel(field: StoreField): string {
  const labels: Record<StoreField, () => string> = {
    name: m.store_manage_name,
    slug: m.store_manage_slug,
    legal_name: m.store_manage_legal_name,
    company_number: m.store_manage_company_number,
    allergens_text: m.store_manage_allergens_text,
    phone: m.store_manage_phone,
    email: m.store_manage_email,
    address: m.store_manage_address,
    location: m.store_manage_location,
    location_confirmed: m.store_manage_pin_right,
    currency: m.store_manage_currency,
    timezone: m.store_manage_timezone,
    day_starts_at: m.store_manage_day_starts_at,
    operational_hours: m.store_manage_hours,
    closures: m.store_manage_closures_long,
    special_hours: m.store_manage_special,
    is_accepting_orders: m.store_manage_accepting,
    prep_minutes: m.store_manage_prep_minutes,
    answer_minutes: m.store_manage_answer_minutes,
    auto_accept: m.store_manage_auto_accept,
    last_order_minutes: m.store_manage_last_order_minutes,
    collection_enabled: m.store_manage_collection_enabled,
    delivery_enabled: m.store_manage_delivery_enabled,
    delivery_zones: m.store_manage_zones,
    slot_minutes: m.store_manage_slot_minutes,
    max_orders_per_slot: m.store_manage_max_orders,
    preorder_days: m.store_manage_preorder_days,
    payment_methods: m.store_manage_payment_methods,
    cash_max: m.store_manage_cash_max,
    max_open_orders_per_person: m.store_manage_max_open_orders_per_person,
    max_orders_per_address_hour: m.store_manage_max_orders_per_address_hour,
    service_fee: m.store_manage_service_fee,
    bag_fee: m.store_manage_bag_fee,
    vat_number: m.store_manage_vat_number,
    guest_checkout: m.store_manage_guest_checkout,
    pause_when_unattended: m.store_manage_pause_when_unattended,
    mails_takings: m.store_manage_mails_takings,
    keep_guest_days: m.store_manage_keep_guest_days,
    keep_idle_account_months: m.store_manage_keep_idle_account_months,
    keep_audit_months: m.store_manage_keep_audit_months,
    google_review_url: m.store_manage_review_url,
    receipt_header: m.store_manage_receipt_header,
    receipt_footer: m.store_manage_receipt_footer,
    receipt_kitchen_size: m.store_manage_receipt_kitchen_size,
    receipt_customer_size: m.store_manage_receipt_customer_size,
    receipt_shows_logo: m.store_manage_receipt_logo,
    receipt_shows_map_code: m.store_manage_receipt_map_code,
    receipt_shows_order_code: m.store_manage_receipt_order_code,
    logo: m.store_manage_logo,
    cover: m.store_manage_cover,
    accent_color: m.store_manage_accent,
  };
  return labels[field]();
}

export function paymentMethodSettingWords(method: PaymentMethod): string {
  return method === 'cash' ? m.store_manage_cash() : m.store_manage_card();
}

function switchWords(isOn: boolean): string {
  return isOn ? m.store_manage_on() : m.store_manage_off();
}

function specialDayWords({ date, repeats_yearly: isYearly, hours, reason }: SpecialDay): string {
  const day = isYearly ? m.store_manage_special_yearly({ date: localDateWords(date) }) : localDateWords(date);
  const words = `${day} · ${dayEntriesWords(hours)}`;
  return reason ? `${words}: ${reason}` : words;
}

export function settingValueLines(field: StoreField, store: StaffStore): string[] {
  switch (field) {
    case 'operational_hours':
      return store.operational_hours.map(({ day, open, close }) => `${weekdayName(day)} ${open}–${close}`);
    case 'closures':
      return store.closures.map((closure) => [closureDaysWords(closure), closure.reason].filter(Boolean).join(': '));
    case 'special_hours':
      return store.special_hours.map(specialDayWords);
    case 'delivery_zones':
      return store.delivery_zones.map(({ name, postcode_prefixes: prefixes, fee, minimum_order: minimum }) =>
        m.store_manage_zone_line({
          name,
          prefixes: prefixes.join(', '),
          fee: formatMoney(fee, store.currency),
          minimum: formatMoney(minimum, store.currency),
        }),
      );
    case 'address':
      return Object.values(store.address).filter(Boolean);
    case 'location':
      return [`${store.location.latitude}, ${store.location.longitude}`];
    case 'payment_methods':
      return [
        `${m.store_collection()}: ${store.payment_methods.collection.map(paymentMethodSettingWords).join(', ')}`,
        `${m.store_delivery()}: ${store.payment_methods.delivery.map(paymentMethodSettingWords).join(', ')}`,
      ];
    case 'cash_max':
    case 'service_fee':
    case 'bag_fee': {
      const amount = store[field];
      return amount === null ? [] : [formatMoney(amount, store.currency)];
    }
    default: {
      const value = store[field];
      if (typeof value === 'boolean') return [switchWords(value)];
      return value === null || value === '' ? [] : String(value).split('\n');
    }
  }
}

type FieldOf<T> = {
  [F in StoreField]: StaffStore[F] extends T ? (T extends StaffStore[F] ? F : never) : never;
}[StoreField];

interface FieldProps<F> {
  draft: StoreDraft;
  field: F;
  hint?: string;
}

const ofField = (draft: StoreDraft, field: StoreField, hint: string | undefined) => ({
  name: field,
  label: settingLabel(field),
  description: hint,
  error: draft.errorAt(field),
});

export function TextSetting({
  draft,
  field,
  hint,
  ...rest
}: FieldProps<FieldOf<string>> & Pick<TextInputProps, 'type' | 'inputMode' | 'maxLength' | 'autoComplete'>) {
  return (
    <TextInput
      {...rest}
      {...ofField(draft, field, hint)}
      value={draft.preview[field]}
      onChange={(event) => draft.set(field, event.currentTarget.value)}
    />
  );
}

/** An input for an optional text; an empty field is null. */
export function OptionalTextSetting({
  draft,
  field,
  hint,
  ...rest
}: FieldProps<FieldOf<string | null>> & Pick<TextInputProps, 'type' | 'inputMode' | 'maxLength'>) {
  return (
    <TextInput
      {...rest}
      {...ofField(draft, field, hint)}
      value={draft.preview[field] ?? ''}
      onChange={(event) => draft.set(field, event.currentTarget.value || null)}
    />
  );
}

export function LongTextSetting({ draft, field, hint }: FieldProps<FieldOf<string>>) {
  return (
    <Textarea
      {...ofField(draft, field, hint)}
      rows={4}
      maxLength={500}
      value={draft.preview[field]}
      onChange={(event) => draft.set(field, event.currentTarget.value)}
    />
  );
}

export function AddressSetting({ draft }: { draft: StoreDraft }) {
  const { address } = draft.preview;
  const labels: Record<keyof StoreAddress, string> = {
    line1: m.store_manage_line1(),
    line2: m.store_manage_line2(),
    city: m.store_manage_city(),
    postcode: m.store_manage_postcode(),
  };
  return (
    <fieldset className={manage.panel}>
      <legend>{settingLabel('address')}</legend>
      <FieldColumns>
        {(['line1', 'line2', 'city', 'postcode'] as const).map((part) => (
          <TextInput
            key={part}
            name={`address.${part}`}
            label={labels[part]}
            value={address[part]}
            error={draft.errorAt(`address.${part}`)}
            onChange={(event) => draft.set('address', { ...address, [part]: event.currentTarget.value })}
          />
        ))}
      </FieldColumns>
    </fieldset>
  );
}

export function NumberSetting({ draft, field, hint }: FieldProps<FieldOf<number>>) {
  return (
    <NumberField
      {...ofField(draft, field, hint)}
      value={draft.preview[field]}
      onChange={(value) => draft.set(field, value ?? 0)}
    />
  );
}

/** An input for an optional number; `hint` explains an empty field. */
export function OptionalNumberSetting({ draft, field, hint }: FieldProps<FieldOf<number | null>>) {
  return (
    <NumberField
      isOptional
      {...ofField(draft, field, hint)}
      value={draft.preview[field]}
      onChange={(value) => draft.set(field, value)}
    />
  );
}

export function MoneySetting({ draft, field, hint }: FieldProps<FieldOf<number>>) {
  return (
    <MoneyField
      {...ofField(draft, field, hint)}
      currency={draft.store.currency}
      value={draft.preview[field]}
      empty={0}
      onChange={(value) => draft.set(field, value)}
    />
  );
}

export function SwitchSetting({ draft, field, hint }: FieldProps<FieldOf<boolean>>) {
  return (
    <Switch
      {...ofField(draft, field, hint)}
      checked={draft.preview[field]}
      onChange={(event) => draft.set(field, event.currentTarget.checked)}
    />
  );
}

interface NumberProps extends Omit<TextInputProps, 'value' | 'onChange' | 'type'> {
  value: number | null;
  /** Called with null for an empty optional field. Not called for invalid text. */
  onChange: (value: number | null) => void;
  isOptional?: boolean;
  /** Whether decimals are valid; by default only whole numbers are valid. */
  isDecimal?: boolean;
}

/** An input for a number. Invalid text stays in the field and shows an error. */
export function NumberField({ value, onChange, error, isOptional, isDecimal, onBlur, ...rest }: NumberProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const read = (text: string): number | null | undefined => {
    if (text.trim() === '') return isOptional ? null : undefined;
    const number = Number(text.trim().replace(/^−/, '-'));
    return Number.isFinite(number) && (isDecimal || Number.isInteger(number)) ? number : undefined;
  };
  const isUnreadable = typed !== null && read(typed) === undefined;
  const said = isDecimal ? m.platform_field_number() : m.platform_field_whole_number();
  return (
    <TextInput
      {...rest}
      data-unreadable={isUnreadable || undefined}
      inputMode={isDecimal ? 'text' : 'numeric'}
      autoComplete="off"
      value={typed ?? String(value ?? '')}
      error={isUnreadable ? said : error}
      onChange={(event) => {
        const text = event.currentTarget.value;
        setTyped(text);
        const number = read(text);
        if (number !== undefined) onChange(number);
      }}
      onBlur={(event) => {
        if (!isUnreadable) setTyped(null);
        onBlur?.(event);
      }}
    />
  );
}
