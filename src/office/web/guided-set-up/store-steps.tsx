import { Alert, Checkbox, Group, Radio, TextInput } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { Link } from 'wouter';
import { weekdays } from '#database/page-values.ts';
import { m } from '#messages';
import classes from '#office/web/guided-set-up/guided-set-up.module.css';
import { SavingLink, StoreSettingsStep } from '#office/web/guided-set-up/step-frame.tsx';
import { pageLinkWithReturn, useOnboarding } from '#office/web/guided-set-up/steps.ts';
import { parseCoordinates } from '#office/web/guided-set-up/typed-place.ts';
import {
  presetHours,
  findHoursPreset,
  hoursPresets,
  type HoursPreset,
} from '#office/web/guided-set-up/hours-presets.ts';
import type { Onboarding } from '#office/contract.ts';
import type { FieldErrors } from '#platform/errors.ts';
import { readPageData } from '#platform/web/page-data.ts';
import { contactFieldErrors, normaliseBusinessDetails } from '#store/business-details.ts';
import type { DeliveryZone, StaffStore } from '#store/contract.ts';
import { kilometresBetween } from '#store/distance.ts';
import type { StoreField } from '#store/store-changes.ts';
import { AddressSetting, OptionalTextSetting, SwitchSetting, TextSetting } from '#store/web/manage/fields.tsx';
import manage from '#store/web/manage/manage.module.css';
import { PrefixField } from '#store/web/manage/sections/zones-section.tsx';
import { weekdayName } from '#store/weekday-words.ts';
import { confirm } from '#ui/web/office/dialogs.tsx';
import { MoneyField } from '#ui/web/office/money-field.tsx';
import { NewTabLink, FieldColumns } from '#ui/web/office/office-page.tsx';
import { LoadingState } from '#ui/web/office/states.tsx';

const PinChooser = lazy(async () => ({ default: (await import('#store/web/manage/location-field.tsx')).PinChooser }));

const more = ['email', 'legal_name', 'company_number', 'vat_number'] as const;

export function DetailsStep() {
  const { draft } = useOnboarding();
  const prepare = (): boolean => {
    const errors = detailErrors(draft.preview);
    if (Object.keys(errors).length === 0) return true;
    draft.refuse(errors);
    return false;
  };
  return (
    <StoreSettingsStep name="details" fields={['name', 'phone', 'address', ...more]} prepare={prepare}>
      <FieldColumns>
        <TextSetting draft={draft} field="name" maxLength={80} />
        <TextSetting draft={draft} field="phone" type="tel" inputMode="tel" maxLength={200} />
      </FieldColumns>
      <AddressSetting draft={draft} />
      {/* The section opens if it contains an error. */}
      <details className={classes.more} open={more.some((field) => draft.errorAt(field) !== undefined) || undefined}>
        <summary>{m.office_setup_details_more()}</summary>
        <FieldColumns>
          <TextSetting draft={draft} field="email" type="email" inputMode="email" maxLength={200} />
          <TextSetting draft={draft} field="legal_name" maxLength={200} />
          <OptionalTextSetting draft={draft} field="company_number" maxLength={20} />
          <OptionalTextSetting draft={draft} field="vat_number" maxLength={30} />
        </FieldColumns>
      </details>
    </StoreSettingsStep>
  );
}

/** Returns all missing and invalid fields, so that the owner sees them at once. */
function detailErrors(store: StaffStore): FieldErrors {
  const { address } = store;
  const typed = { name: store.name, phone: store.phone, 'address.line1': address.line1, 'address.city': address.city };
  const missing = Object.entries({ ...typed, 'address.postcode': address.postcode })
    .filter(([, text]) => text.trim() === '')
    .map(([path]) => [path, [m.office_setup_missing()]]);
  return {
    ...(store.currency === 'GBP' ? normaliseBusinessDetails(store).errors : {}),
    ...contactFieldErrors(store),
    ...Object.fromEntries(missing),
  };
}

/** If the pin is farther than this (km) from the centre of its postcode's area, the owner must confirm it. */
const farFrom = 5;

export function PinStep() {
  const { draft, onboarding } = useOnboarding();
  const { preview, store } = draft;
  const proposed = onboarding.proposed_location;
  const isMoved = draft.isChanged(['location']);
  const at = isMoved || store.location_confirmed ? preview.location : (proposed ?? preview.location);
  const { latitude, longitude } = at;
  const isUnknown = !isMoved && !store.location_confirmed && !proposed;
  const prepare = async (): Promise<boolean> => {
    if (isUnknown) {
      draft.refuse({ location: [m.office_setup_pin_unmoved()] });
      return false;
    }
    const kilometres = proposed ? kilometresBetween(proposed, at) : 0;
    if (kilometres > farFrom) {
      const isRight = await confirm({
        title: m.office_setup_pin_far({
          kilometres: kilometres.toLocaleString('en-GB'),
          postcode: store.address.postcode,
        }),
        body: m.office_setup_pin_far_why(),
        action: m.office_setup_pin_right(),
      });
      if (!isRight) return false;
    }
    if (!isMoved) draft.set('location', at);
    draft.set('location_confirmed', true);
    return true;
  };
  return (
    <StoreSettingsStep
      name="pin"
      fields={['location', 'location_confirmed']}
      prepare={prepare}
      action={m.office_setup_pin_right()}
    >
      <p>
        {store.location_confirmed
          ? m.office_setup_pin_confirmed()
          : proposed
            ? m.office_setup_pin_proposed({ postcode: store.address.postcode })
            : m.office_setup_pin_unknown()}
      </p>
      <Suspense fallback={<LoadingState />}>
        <PinChooser draft={draft} at={at} places={onboarding.nearby} />
      </Suspense>
      <Refusal field="location" />
      <TypedPlace at={at} onPlace={(point) => draft.set('location', point)} />
      {onboarding.nearby.length > 0 && !isUnknown && (
        <p>{m.office_setup_pin_nearby({ places: nearbyWords(onboarding.nearby, at) })}</p>
      )}
      {!readPageData().config.map && <p>{m.office_setup_pin_plain()}</p>}
      <Group>
        <NewTabLink
          to={`https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=17/${latitude}/${longitude}`}
        >
          {m.office_setup_pin_check()}
        </NewTabLink>
      </Group>
      <p className={manage.soft}>{m.office_setup_pin_source()}</p>
    </StoreSettingsStep>
  );
}

/** The pin's distances from the nearest postcode areas, such as `CV21 2: 0.3 km`. */
function nearbyWords(places: Onboarding['nearby'], pin: StaffStore['location']): string {
  return places
    .map(({ name, location }) => ({ name, kilometres: kilometresBetween(pin, location) }))
    .toSorted((a, b) => a.kilometres - b.kilometres)
    .slice(0, 3)
    .map(({ name, kilometres }) => `${name}: ${kilometres.toLocaleString('en-GB')} km`)
    .join(' · ');
}

/** Two fields for the pin's coordinates, for people who cannot drag it. A pasted pair fills both. */
function TypedPlace({ at, onPlace }: { at: StaffStore['location']; onPlace: (point: StaffStore['location']) => void }) {
  // The unfinished input; null: the fields show the pin.
  const [typed, setTyped] = useState<{ latitude: string; longitude: string } | null>(null);
  const [isOpen, setOpen] = useState(false);
  const shown = typed ?? { latitude: String(at.latitude), longitude: String(at.longitude) };
  const { point, faults } = parseCoordinates(shown);
  const type = (next: typeof shown): void => {
    const read = parseCoordinates(next);
    setTyped(read.texts);
    if (read.point) onPlace(read.point);
  };
  return (
    <details className={classes.more} open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{m.office_setup_pin_type()}</summary>
      <FieldColumns cols={2}>
        {(['latitude', 'longitude'] as const).map((field) => (
          <TextInput
            key={field}
            name={`location.${field}`}
            label={field === 'latitude' ? m.store_manage_latitude() : m.store_manage_longitude()}
            description={field === 'latitude' ? m.office_setup_pin_type_hint() : undefined}
            inputMode="text"
            autoComplete="off"
            value={shown[field]}
            error={faults[field]}
            data-unreadable={faults[field] === undefined ? undefined : ''}
            onChange={(event) => type({ ...shown, [field]: event.currentTarget.value })}
            onBlur={() => point && setTyped(null)}
          />
        ))}
      </FieldColumns>
    </details>
  );
}

function Refusal({ field }: { field: StoreField }) {
  const fault = useOnboarding().draft.errorAt(field);
  return (
    fault !== undefined && (
      <Alert color="bad" variant="light" role="alert">
        {fault}
      </Alert>
    )
  );
}

const presetWords: Record<HoursPreset, () => string> = {
  evenings: m.office_setup_hours_evenings,
  lunch_and_evenings: m.office_setup_hours_lunch,
  all_day: m.office_setup_hours_all_day,
};

export function HoursStep() {
  const { draft } = useOnboarding();
  const { operational_hours: hours } = draft.preview;
  const [last, setLast] = useState<HoursPreset>(() => findHoursPreset(hours)?.preset ?? 'evenings');
  const isNeverOpen = hours.length === 0;
  const isEmptied = isNeverOpen && draft.isChanged(['operational_hours']);
  const chosen = isEmptied ? { preset: last, closed: weekdays } : findHoursPreset(hours);
  const set = (preset: HoursPreset, closed: readonly string[]): void => {
    setLast(preset);
    draft.set('operational_hours', presetHours(preset, closed));
  };
  const prepare = (): boolean => {
    if (hours.length > 0) return true;
    draft.refuse({ operational_hours: [m.office_setup_hours_none()] });
    return false;
  };
  return (
    <StoreSettingsStep name="hours" fields={['operational_hours']} prepare={prepare}>
      <Radio.Group
        label={m.office_setup_hours_question()}
        value={chosen?.preset ?? ''}
        onChange={(value) => {
          const preset = hoursPresets.find((one) => one === value);
          if (preset) set(preset, isNeverOpen ? [] : (chosen?.closed ?? []));
        }}
      >
        {hoursPresets.map((preset) => (
          <Radio key={preset} value={preset} label={presetWords[preset]()} />
        ))}
      </Radio.Group>
      {chosen ? (
        <Checkbox.Group
          label={m.office_setup_hours_closed()}
          value={[...chosen.closed]}
          error={isNeverOpen && m.office_setup_hours_never()}
          onChange={(values) => set(chosen.preset, values)}
        >
          <div className={classes.days}>
            {weekdays.map((day) => (
              <Checkbox key={day} value={day} label={weekdayName(day)} />
            ))}
          </div>
        </Checkbox.Group>
      ) : (
        hours.length > 0 && <p>{m.office_setup_hours_own()}</p>
      )}
      <Refusal field="operational_hours" />
      <p>
        <SavingLink to={pageLinkWithReturn('hours', '/store/manage?section=hours')} fields={['operational_hours']}>
          {m.office_setup_hours_other()}
        </SavingLink>
      </p>
    </StoreSettingsStep>
  );
}

const emptyZone: DeliveryZone = {
  name: '',
  postcode_prefixes: [],
  fee: 0,
  minimum_order: 0,
  free_over: null,
  extra_minutes: 15,
};

export function WaysStep() {
  const { draft } = useOnboarding();
  const { collection_enabled: isCollected, delivery_enabled: isDelivered, delivery_zones: zones } = draft.preview;
  const [zone = emptyZone] = zones;
  const change = (part: Partial<DeliveryZone>): void =>
    draft.set('delivery_zones', [{ ...zone, name: zone.name || m.office_setup_zone_name(), ...part }]);
  const prepare = (): boolean => {
    const errors: FieldErrors = {};
    if (!isCollected && !isDelivered) errors['collection_enabled'] = [m.office_setup_ways_none()];
    if (isDelivered && zone.postcode_prefixes.length === 0)
      errors['delivery_zones.0.postcode_prefixes'] = [m.office_setup_missing()];
    if (Object.keys(errors).length === 0) return true;
    draft.refuse(errors);
    return false;
  };
  return (
    <StoreSettingsStep
      name="ways"
      fields={['collection_enabled', 'delivery_enabled', 'delivery_zones', 'guest_checkout']}
      prepare={prepare}
    >
      <fieldset className={manage.panel}>
        <legend>{m.office_setup_ways_question()}</legend>
        <SwitchSetting draft={draft} field="collection_enabled" />
        <SwitchSetting draft={draft} field="delivery_enabled" />
        {isDelivered && zones.length < 2 && <OneZone zone={zone} onChange={change} />}
        {isDelivered && (
          <p className={manage.soft}>
            <SavingLink to={pageLinkWithReturn('ways', '/store/manage?section=zones')} fields={['delivery_zones']}>
              {zones.length < 2 ? m.office_setup_zones_more() : m.office_setup_zones({ count: zones.length })}
            </SavingLink>
          </p>
        )}
      </fieldset>
      <Radio.Group
        className={manage.panel}
        label={m.office_setup_guests()}
        value={draft.preview.guest_checkout ? 'yes' : 'no'}
        onChange={(value) => draft.set('guest_checkout', value === 'yes')}
      >
        <Radio value="yes" label={m.office_setup_guests_yes()} description={m.office_setup_guests_yes_brings()} />
        <Radio value="no" label={m.office_setup_guests_no()} description={m.office_setup_guests_no_brings()} />
      </Radio.Group>
    </StoreSettingsStep>
  );
}

function OneZone({ zone, onChange }: { zone: DeliveryZone; onChange: (part: Partial<DeliveryZone>) => void }) {
  const { draft } = useOnboarding();
  const { currency } = draft.store;
  const path = (field: string): string => `delivery_zones.0.${field}`;
  return (
    <>
      <PrefixField
        name={path('postcode_prefixes')}
        value={zone.postcode_prefixes}
        error={[path('postcode_prefixes'), ...zone.postcode_prefixes.map((_one, at) => path(`postcode_prefixes.${at}`))]
          .map(draft.errorAt)
          .find((said) => said !== undefined)}
        onChange={(prefixes) => onChange({ postcode_prefixes: prefixes })}
      />
      <FieldColumns cols={2}>
        <MoneyField
          name={path('fee')}
          label={m.store_manage_zone_fee()}
          currency={currency}
          value={zone.fee}
          empty={0}
          error={draft.errorAt(path('fee'))}
          onChange={(fee) => onChange({ fee })}
        />
        <MoneyField
          name={path('minimum_order')}
          label={m.store_manage_zone_minimum()}
          currency={currency}
          value={zone.minimum_order}
          empty={0}
          error={draft.errorAt(path('minimum_order'))}
          onChange={(minimum) => onChange({ minimum_order: minimum })}
        />
      </FieldColumns>
      {zone.fee === 0 && zone.minimum_order === 0 && <p>{m.office_setup_zone_free()}</p>}
    </>
  );
}

export function PaymentStep() {
  const { draft } = useOnboarding();
  const { payment_methods: methods } = draft.preview;
  const takesCash = methods.collection.includes('cash') || methods.delivery.includes('cash');
  const takesCards = methods.collection.includes('card') || methods.delivery.includes('card');
  const offer = (method: 'cash' | 'card', isOffered: boolean): void => {
    const isKept = { cash: takesCash, card: takesCards, [method]: isOffered };
    const next = (['cash', 'card'] as const).filter((one) => isKept[one]);
    draft.set('payment_methods', { collection: next, delivery: next });
  };
  const prepare = (): boolean => {
    if (takesCash || takesCards) return true;
    draft.refuse({ payment_methods: [m.store_manage_no_method()] });
    return false;
  };
  return (
    <StoreSettingsStep name="payment" fields={['payment_methods']} prepare={prepare}>
      <fieldset className={manage.panel}>
        <legend>{m.office_setup_payment_question()}</legend>
        <Checkbox
          label={m.office_setup_cash()}
          error={draft.errorAt('payment_methods')}
          checked={takesCash}
          onChange={(event) => offer('cash', event.currentTarget.checked)}
        />
        <Checkbox
          label={m.office_setup_cards()}
          description={draft.store.card_provider === null ? m.office_setup_cards_missing() : undefined}
          checked={takesCards}
          onChange={(event) => offer('card', event.currentTarget.checked)}
        />
      </fieldset>
      <p>
        <Link href={pageLinkWithReturn('payment', '/admin/payments/setup')}>{m.office_setup_cards_connect()}</Link>
        {' · '}
        {m.office_setup_cards_minutes()}
      </p>
    </StoreSettingsStep>
  );
}
