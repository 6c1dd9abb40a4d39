import { Checkbox, NativeSelect, NumberInput, TextInput } from '@mantine/core';
import { m } from '#messages';
import { offerUsesField } from '#offers/offer-rules.ts';
import { CustomerChoice } from '#offers/web/customer-choice.tsx';
import { DishChoice } from '#offers/web/dish-choice.tsx';
import { numberOrNull, nullIfEmpty, type OfferPartProps } from '#offers/web/offer-parts.ts';
import { offerChannelChoices } from '#ordering/offers/offer-words.ts';
import classes from '#offers/web/offers.module.css';
import { MoneyField } from '#ui/web/office/money-field.tsx';
import { FieldColumns } from '#ui/web/office/office-page.tsx';

export function OfferEligibility({ offer, errors, set }: OfferPartProps) {
  const { by_code: byCode, code, first_order_only: isFirst, customer_ids: customers } = offer;
  return (
    <>
      <FieldColumns>
        <NativeSelect
          label={m.offers_by()}
          value={byCode ? 'code' : 'itself'}
          data={[
            { value: 'itself', label: m.offers_by_itself() },
            { value: 'code', label: m.offers_by_code() },
          ]}
          onChange={(event) => set({ by_code: event.currentTarget.value === 'code', code: null })}
        />
        <NativeSelect
          label={m.offers_who()}
          value={customers ? 'chosen' : isFirst ? 'first' : 'all'}
          data={[
            { value: 'all', label: m.offers_who_all() },
            { value: 'first', label: m.offers_who_first() },
            { value: 'chosen', label: m.offers_who_chosen() },
          ]}
          onChange={({ currentTarget: { value } }) =>
            set({ first_order_only: value === 'first', customer_ids: value === 'chosen' ? [] : null })
          }
        />
      </FieldColumns>
      {customers && (
        <CustomerChoice
          chosen={customers}
          error={errors['customer_ids']?.[0]}
          onChange={(ids) => set({ customer_ids: ids })}
        />
      )}
      {byCode && (
        <TextInput
          label={m.offers_code()}
          description={m.offers_code_hint()}
          value={code ?? ''}
          maxLength={30}
          autoComplete="off"
          error={errors['code']?.[0]}
          onChange={(event) => set({ code: event.currentTarget.value || null })}
        />
      )}
    </>
  );
}

/**
 * The fields for an offer's limits, channels, times and excluded dishes. They are hidden until opened, because most
 * offers leave them empty.
 */
export function OfferLimits({ offer, store, dishes, errors, set }: OfferPartProps) {
  const { kind, channels, excluded_item_ids: excluded, budget } = offer;
  const count = (field: 'max_uses' | 'max_uses_per_person' | 'max_uses_per_day', label: string) => (
    <NumberInput
      label={label}
      placeholder={m.offers_no_limit()}
      value={offer[field] ?? ''}
      min={1}
      max={1_000_000}
      error={errors[field]?.[0]}
      onChange={(text) => set({ [field]: numberOrNull(text) || null })}
    />
  );
  return (
    <details>
      <summary className={classes.more}>{m.offers_limits()}</summary>
      <div className={classes.form}>
        <FieldColumns>
          {count('max_uses', m.offers_max_uses())}
          {count('max_uses_per_person', m.offers_max_uses_per_person())}
        </FieldColumns>
        <FieldColumns>
          {count('max_uses_per_day', m.offers_max_uses_per_day())}
          <MoneyField
            label={m.offers_budget()}
            placeholder={m.offers_no_limit()}
            value={budget}
            empty={null}
            currency={store.currency}
            error={errors['budget']?.[0]}
            onChange={(amount) => set({ budget: amount || null })}
          />
        </FieldColumns>
        <Checkbox.Group
          label={m.offers_channels()}
          description={m.offers_channels_hint()}
          value={channels ?? []}
          onChange={(chosen) =>
            set({
              channels: nullIfEmpty(
                offerChannelChoices.map(({ channel }) => channel).filter((one) => chosen.includes(one)),
              ),
            })
          }
        >
          <div className={classes.days}>
            {offerChannelChoices.map(({ channel, words }) => (
              <Checkbox key={channel} value={channel} label={words()} />
            ))}
          </div>
        </Checkbox.Group>
        {offerUsesField(kind, 'excluded_item_ids') && (
          <DishChoice
            label={m.offers_excluded()}
            dishes={dishes}
            items={excluded ?? []}
            categories={null}
            onChange={({ items }) => set({ excluded_item_ids: nullIfEmpty(items) })}
          />
        )}
      </div>
    </details>
  );
}
