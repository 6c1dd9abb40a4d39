import { Alert, Button, Checkbox, NativeSelect, NumberInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import { weekdays } from '#database/page-values.ts';
import { m } from '#messages';
import { type OfferKind, offerProblem, offerUsesField, withoutUnusedFields } from '#offers/offer-rules.ts';
import { DishChoice, type OfferDishes } from '#offers/web/dish-choice.tsx';
import { OfferLimits, OfferEligibility } from '#offers/web/offer-limits.tsx';
import { numberOrNull, nullIfEmpty, type OfferPartProps } from '#offers/web/offer-parts.ts';
import { offerKindWords, offerWords } from '#offers/web/offer-words.ts';
import classes from '#offers/web/offers.module.css';
import { localDateAt } from '#platform/date-words.ts';
import { DAY, dayNumberOf, instantAt } from '#platform/zone-clock.ts';
import type { Store } from '#store/contract.ts';
import type { OfferFields } from '#store/offer-shapes.ts';
import { weekdayName } from '#store/weekday-words.ts';
import { formFailureOf, noFormFailure, withoutFieldErrors } from '#ui/web/form-errors.ts';
import { MoneyField } from '#ui/web/office/money-field.tsx';
import { FieldColumns } from '#ui/web/office/office-page.tsx';

interface FormProps {
  first: OfferFields;
  store: Store;
  dishes: OfferDishes;
  onSave: (offer: OfferFields) => Promise<void>;
}

export function OfferForm({ first, store, dishes, onSave }: FormProps) {
  const [offer, setOffer] = useState(first);
  const [failure, setFailure] = useState(noFormFailure);
  const [isSaving, setSaving] = useState(false);
  const set = (change: Partial<OfferFields>) => {
    setOffer((held) => ({ ...held, ...change }));
    setFailure((held) => Object.keys(change).reduce(withoutFieldErrors, held));
  };
  const save = async () => {
    const checked = withoutUnusedFields(offer);
    const problem =
      offer.name.trim() === '' ? { field: 'name', message: m.offers_name_missing() } : offerProblem(checked);
    if (problem) return setFailure({ errors: { [problem.field]: [problem.message] } });
    setSaving(true);
    try {
      await onSave(checked);
    } catch (error) {
      setFailure(formFailureOf(error));
    }
    setSaving(false);
  };
  const parts: OfferPartProps = { offer, store, dishes, errors: failure.errors, set };
  return (
    <form
      noValidate
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <TextInput
        label={m.offers_name()}
        description={m.offers_name_hint()}
        value={offer.name}
        maxLength={80}
        autoComplete="off"
        error={failure.errors['name']?.[0]}
        onChange={(event) => set({ name: event.currentTarget.value })}
      />
      <NativeSelect
        label={m.offers_kind()}
        value={offer.kind}
        data={Object.entries(offerKindWords).map(([value, words]) => ({ value, label: words() }))}
        // The cast is right: the field's options are the kinds of offers.
        onChange={(event) => set({ kind: event.currentTarget.value as OfferKind, value: null })}
      />
      <Amount {...parts} />
      <ConcernedDishes {...parts} />
      <OfferEligibility {...parts} />
      <Conditions {...parts} />
      <OfferLimits {...parts} />
      <Checkbox
        label={m.offers_combines()}
        description={m.offers_combines_hint()}
        checked={offer.combines}
        onChange={(event) => set({ combines: event.currentTarget.checked })}
      />
      {offerProblem(withoutUnusedFields(offer)) === null && (
        <p className={classes.sentence}>
          <strong>{m.offers_customers_get()}</strong> {offerWords(withoutUnusedFields(offer), store, dishes.nameOf)}.
        </p>
      )}
      {failure.message && (
        <Alert role="alert" color="bad">
          {failure.message}
        </Alert>
      )}
      <div className={classes.buttons}>
        <Button type="submit" loading={isSaving}>
          {m.offers_save()}
        </Button>
      </div>
    </form>
  );
}

function Amount({ offer, store, errors, set }: OfferPartProps) {
  const { kind, value, take, pay } = offer;
  if (kind === 'free_delivery') return null;
  if (kind === 'percent')
    return (
      <NumberInput
        label={m.offers_percent()}
        value={value === null ? '' : value / 100}
        min={0}
        max={100}
        decimalScale={2}
        suffix=" %"
        hideControls
        error={errors['value']?.[0]}
        onChange={(text) => set({ value: text === '' ? null : Math.round(Number(text) * 100) })}
      />
    );
  if (kind === 'n_for_m')
    return (
      <FieldColumns cols={2}>
        <NumberInput
          label={m.offers_take()}
          value={take ?? ''}
          min={2}
          max={100}
          error={errors['take']?.[0]}
          onChange={(text) => set({ take: numberOrNull(text) })}
        />
        <NumberInput
          label={m.offers_pay()}
          value={pay ?? ''}
          min={1}
          max={99}
          onChange={(text) => set({ pay: numberOrNull(text), take })}
        />
      </FieldColumns>
    );
  const labels = { amount: m.offers_amount, item_price: m.offers_item_price, set_price: m.offers_set_price };
  return (
    <MoneyField
      key={kind}
      label={labels[kind]()}
      description={kind === 'item_price' && m.offers_item_price_hint()}
      value={value}
      empty={null}
      currency={store.currency}
      error={errors['value']?.[0]}
      onChange={(amount) => set({ value: amount })}
    />
  );
}

function ConcernedDishes({ offer, dishes, errors, set }: OfferPartProps) {
  const { kind, item_ids: items, category_ids: categories, parts, max_pieces: most } = offer;
  const [isChoosing, setChoosing] = useState(items !== null || categories !== null);
  const mustChoose = kind === 'item_price';
  return (
    <>
      {offerUsesField(kind, 'item_ids') && !mustChoose && (
        <NativeSelect
          label={m.offers_dishes()}
          value={isChoosing ? 'some' : 'all'}
          data={[
            { value: 'all', label: m.offers_all_dishes() },
            { value: 'some', label: m.offers_some_dishes() },
          ]}
          onChange={(event) => {
            setChoosing(event.currentTarget.value === 'some');
            set({ item_ids: null, category_ids: null });
          }}
        />
      )}
      {offerUsesField(kind, 'item_ids') && (isChoosing || mustChoose) && (
        <DishChoice
          label={m.offers_some_dishes()}
          dishes={dishes}
          items={items ?? []}
          categories={categories ?? []}
          error={errors['item_ids']?.[0]}
          onChange={(chosen) =>
            set({ item_ids: nullIfEmpty(chosen.items), category_ids: nullIfEmpty(chosen.categories) })
          }
        />
      )}
      {kind === 'set_price' && <SetParts parts={parts ?? []} dishes={dishes} errors={errors} set={set} />}
      {offerUsesField(kind, 'max_pieces') && (
        <NumberInput
          label={m.offers_most()}
          placeholder={m.offers_no_limit()}
          value={most ?? ''}
          min={1}
          max={1000}
          onChange={(text) => set({ max_pieces: numberOrNull(text) })}
        />
      )}
    </>
  );
}

type SetPartsProps = Pick<OfferPartProps, 'dishes' | 'errors' | 'set'> & { parts: NonNullable<OfferFields['parts']> };

function SetParts({ parts, dishes, errors, set }: SetPartsProps) {
  const shown = parts.length === 0 ? [{ item_ids: [], quantity: 1 }] : parts;
  const change = (at: number, part: (typeof shown)[number]) => {
    const changed = shown.map((one, place) => (place === at ? part : one));
    set({ parts: changed.some(({ item_ids: ids }) => ids.length > 0) ? changed : null });
  };
  return (
    <>
      {shown.map((part, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- two may be the same; their place tells them apart
        <div key={at} className={classes.form}>
          <NumberInput
            label={m.offers_part_quantity({ part: at + 1 })}
            value={part.quantity}
            min={1}
            max={1000}
            onChange={(text) => change(at, { ...part, quantity: numberOrNull(text) ?? 1 })}
          />
          <DishChoice
            label={m.offers_part_dishes({ part: at + 1 })}
            dishes={dishes}
            items={part.item_ids}
            categories={null}
            error={at === 0 ? errors['parts']?.[0] : undefined}
            onChange={({ items }) => change(at, { ...part, item_ids: items })}
          />
        </div>
      ))}
      <div className={classes.buttons}>
        <Button
          variant="default"
          disabled={shown.length === 10 || shown.some(({ item_ids: ids }) => ids.length === 0)}
          onClick={() => set({ parts: [...shown, { item_ids: [], quantity: 1 }] })}
        >
          {m.offers_part_add()}
        </Button>
        {shown.length > 1 && (
          <Button variant="subtle" onClick={() => set({ parts: shown.slice(0, -1) })}>
            {m.offers_part_remove()}
          </Button>
        )}
      </div>
    </>
  );
}

function Conditions({ offer, store, errors, set }: OfferPartProps) {
  const { minimum_subtotal, fulfilment_types, days, from_time, until_time, starts_at, ends_at } = offer;
  /**
   * The start, by the shop's clock, of the day `daysLater` days after `date`, in ISO 8601; null for an empty field.
   */
  const startOf = (date: string, daysLater = 0) =>
    date === '' ? null : new Date(instantAt(store.timezone, (dayNumberOf(date) + daysLater) * DAY)).toISOString();
  const dateOf = (instant: number) => localDateAt(new Date(instant), store.timezone);
  return (
    <>
      <FieldColumns>
        <TextInput
          type="date"
          label={m.offers_starts()}
          value={starts_at === null ? '' : dateOf(Date.parse(starts_at))}
          onChange={(event) => set({ starts_at: startOf(event.currentTarget.value) })}
        />
        <TextInput
          type="date"
          label={m.offers_ends()}
          value={ends_at === null ? '' : dateOf(Date.parse(ends_at) - 1)}
          error={errors['ends_at']?.[0]}
          onChange={(event) => set({ ends_at: startOf(event.currentTarget.value, 1) })}
        />
      </FieldColumns>
      <FieldColumns>
        <MoneyField
          label={m.offers_minimum()}
          placeholder={m.offers_no_limit()}
          value={minimum_subtotal}
          empty={null}
          currency={store.currency}
          onChange={(amount) => set({ minimum_subtotal: amount })}
        />
        <NativeSelect
          label={m.offers_way()}
          value={fulfilment_types?.length === 1 ? fulfilment_types[0] : ''}
          data={[
            { value: '', label: m.offers_way_both() },
            { value: 'collection', label: m.offers_way_collection() },
            { value: 'delivery', label: m.offers_way_delivery() },
          ]}
          onChange={({ currentTarget: { value } }) =>
            set({ fulfilment_types: value === 'collection' || value === 'delivery' ? [value] : null })
          }
        />
      </FieldColumns>
      <Checkbox.Group
        label={m.offers_days()}
        description={m.offers_days_hint()}
        value={days ?? []}
        onChange={(chosen) => {
          const kept = weekdays.filter((day) => chosen.includes(day));
          set({ days: kept.length === 0 ? null : kept });
        }}
      >
        <div className={classes.days}>
          {weekdays.map((day) => (
            <Checkbox key={day} value={day} label={weekdayName(day)} />
          ))}
        </div>
      </Checkbox.Group>
      <FieldColumns>
        <TextInput
          type="time"
          label={m.offers_from_time()}
          value={from_time ?? ''}
          onChange={(event) => set({ from_time: event.currentTarget.value || null })}
        />
        <TextInput
          type="time"
          label={m.offers_until_time()}
          value={until_time ?? ''}
          error={errors['until_time']?.[0]}
          onChange={(event) => set({ until_time: event.currentTarget.value || null })}
        />
      </FieldColumns>
    </>
  );
}
