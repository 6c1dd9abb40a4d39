import { Button, Group, TextInput } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { m } from '#messages';
import { Icon } from '#ui/web/office/office-icon.tsx';
import { MoneyField } from '#ui/web/office/money-field.tsx';
import { LoadingState } from '#ui/web/office/states.tsx';
import { formatMoney } from '#platform/money.ts';
import type { DeliveryZone } from '#store/contract.ts';
import { normalisePrefix, splitPrefixes } from '#store/postcodes.ts';
import { NumberField } from '#store/web/manage/fields.tsx';
import classes from '#store/web/manage/manage.module.css';
import { positionalRowKey, SettingsSection, sectionFields } from '#store/web/manage/settings-section.tsx';
import type { StoreDraft } from '#store/web/manage/use-store-draft.ts';
import { findZonesOfPostcode, sharedPrefixes } from '#store/zone-rules.ts';
import { FieldColumns } from '#ui/web/office/office-page.tsx';

const LocationField = lazy(async () => ({
  default: (await import('#store/web/manage/location-field.tsx')).LocationField,
}));

export function ZonesSection({ draft }: { draft: StoreDraft }) {
  const zones = draft.preview.delivery_zones;
  const change = (next: DeliveryZone[]): void => draft.set('delivery_zones', next);
  const add = (): void =>
    change([
      ...zones,
      { name: '', postcode_prefixes: [], fee: 0, minimum_order: 0, free_over: null, extra_minutes: 15 },
    ]);
  return (
    <SettingsSection
      draft={draft}
      fields={sectionFields.zones}
      title={m.store_manage_zones()}
      hint={m.store_manage_zones_hint()}
    >
      {!draft.preview.delivery_enabled && <p className={classes.warn}>{m.store_manage_zones_off()}</p>}
      {zones.length === 0 && <p className={classes.soft}>{m.store_manage_zones_none()}</p>}
      {zones.map((zone, index) => (
        <ZoneCard
          key={positionalRowKey(zones, index)}
          draft={draft}
          zone={zone}
          index={index}
          onChange={(part) => change(zones.map((other, at) => (at === index ? { ...other, ...part } : other)))}
          onRemove={() => change(zones.filter((_other, at) => at !== index))}
        />
      ))}
      <Group>
        <Button variant="default" leftSection={<Icon name="plus" />} onClick={add}>
          {m.store_manage_zone_add()}
        </Button>
      </Group>
      <Overlaps zones={zones} />
      <TryPostcode zones={zones} currency={draft.store.currency} />
      <Suspense fallback={<LoadingState />}>
        <LocationField draft={draft} />
      </Suspense>
    </SettingsSection>
  );
}

interface CardProps {
  draft: StoreDraft;
  zone: DeliveryZone;
  index: number;
  onChange: (part: Partial<DeliveryZone>) => void;
  onRemove: () => void;
}

function ZoneCard({ draft, zone, index, onChange, onRemove }: CardProps) {
  const path = (field: string): string => `delivery_zones.${index}.${field}`;
  const { currency } = draft.store;
  const called = zone.name || m.store_manage_zone_new();
  return (
    <fieldset className={classes.panel} data-zone={index}>
      <legend>{called}</legend>
      <FieldColumns>
        <TextInput
          name={path('name')}
          label={m.store_manage_zone_name()}
          maxLength={80}
          value={zone.name}
          error={draft.errorAt(path('name'))}
          onChange={(event) => onChange({ name: event.currentTarget.value })}
        />
        <PrefixField
          name={path('postcode_prefixes')}
          value={zone.postcode_prefixes}
          error={zone.postcode_prefixes
            .map((_prefix, at) => draft.errorAt(path(`postcode_prefixes.${at}`)))
            .find((said) => said !== undefined)}
          onChange={(prefixes) => onChange({ postcode_prefixes: prefixes })}
        />
      </FieldColumns>
      <FieldColumns>
        <MoneyField
          name={path('fee')}
          label={m.store_manage_zone_fee()}
          currency={currency}
          value={zone.fee}
          error={draft.errorAt(path('fee'))}
          empty={0}
          onChange={(fee) => onChange({ fee })}
        />
        <MoneyField
          name={path('minimum_order')}
          label={m.store_manage_zone_minimum()}
          currency={currency}
          value={zone.minimum_order}
          error={draft.errorAt(path('minimum_order'))}
          empty={0}
          onChange={(minimum) => onChange({ minimum_order: minimum })}
        />
        <MoneyField
          name={path('free_over')}
          label={m.store_manage_zone_free_over()}
          placeholder={m.store_manage_never()}
          currency={currency}
          value={zone.free_over}
          empty={null}
          error={draft.errorAt(path('free_over'))}
          onChange={(free) => onChange({ free_over: free })}
        />
        <NumberField
          name={path('extra_minutes')}
          label={m.store_manage_zone_minutes()}
          value={zone.extra_minutes}
          error={draft.errorAt(path('extra_minutes'))}
          onChange={(minutes) => onChange({ extra_minutes: minutes ?? 0 })}
        />
      </FieldColumns>
      <Group justify="flex-end">
        <Button
          variant="subtle"
          color="bad"
          aria-label={m.store_manage_zone_remove({ name: called })}
          onClick={onRemove}
        >
          {m.store_manage_remove()}
        </Button>
      </Group>
    </fieldset>
  );
}

interface PrefixProps {
  name: string;
  value: readonly string[];
  error: string | undefined;
  onChange: (prefixes: string[]) => void;
}

/** An input for the prefixes of postcodes, separated by commas. It names an invalid prefix at once. */
export function PrefixField({ name, value, error, onChange }: PrefixProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const odd = value.find((prefix) => normalisePrefix(prefix) === null);
  return (
    <TextInput
      name={name}
      label={m.store_manage_zone_prefixes()}
      description={m.store_manage_zone_prefixes_hint()}
      autoComplete="off"
      value={typed ?? value.join(', ')}
      error={odd === undefined ? error : m.store_manage_zone_prefix_odd({ prefix: odd })}
      onChange={(event) => {
        const text = event.currentTarget.value;
        setTyped(text);
        onChange(splitPrefixes(text));
      }}
      onBlur={() => setTyped(null)}
    />
  );
}

function Overlaps({ zones }: { zones: readonly DeliveryZone[] }) {
  const shared = sharedPrefixes(zones);
  if (shared.length === 0) return null;
  return (
    <section className={classes.panel} aria-label={m.store_manage_overlaps()}>
      <h3>{m.store_manage_overlaps()}</h3>
      <ul className={classes.list}>
        {shared.map(({ prefix, taker, other, isSame }) => (
          <li key={`${prefix} ${other.name}`}>
            {isSame
              ? m.store_manage_overlap_same({ prefix, taker: taker.name, other: other.name })
              : m.store_manage_overlap_longer({ prefix, taker: taker.name, other: other.name })}
          </li>
        ))}
      </ul>
    </section>
  );
}

function TryPostcode({ zones, currency }: { zones: readonly DeliveryZone[]; currency: string }) {
  const [postcode, setPostcode] = useState('');
  const answer = findZonesOfPostcode(zones, postcode);
  return (
    <fieldset className={classes.panel}>
      <legend>{m.store_manage_try()}</legend>
      <TextInput
        label={m.store_manage_try_postcode()}
        description={m.store_manage_try_hint()}
        value={postcode}
        autoComplete="off"
        maxLength={12}
        // Enter does nothing here, because otherwise it would save the section.
        onKeyDown={(event) => {
          if (event.key === 'Enter') event.preventDefault();
        }}
        onChange={(event) => setPostcode(event.currentTarget.value)}
      />
      <div aria-live="polite" data-try>
        {postcode.trim() !== '' && !answer && <p className={classes.soft}>{m.store_manage_try_unread()}</p>}
        {answer && !answer.taker && (
          <p className={classes.warn}>{m.store_manage_try_none({ postcode: answer.postcode })}</p>
        )}
        {answer?.taker && (
          <>
            <p className={classes.good}>
              {m.store_manage_try_taken({
                postcode: answer.postcode,
                name: answer.taker.zone.name,
                prefix: answer.taker.prefix,
                fee: formatMoney(answer.taker.zone.fee, currency),
                minimum: formatMoney(answer.taker.zone.minimum_order, currency),
              })}
            </p>
            {answer.others.map(({ zone, prefix }) => (
              <p key={zone.name} className={classes.soft}>
                {prefix === answer.taker?.prefix
                  ? m.store_manage_try_later({ name: zone.name, prefix })
                  : m.store_manage_try_shorter({ name: zone.name, prefix })}
              </p>
            ))}
          </>
        )}
      </div>
    </fieldset>
  );
}
