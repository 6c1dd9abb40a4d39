import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import { problemAt } from '#kitchen/web/till/in-the-way.tsx';
import type { TillDraft } from '#kitchen/web/till/till-draft.ts';
import classes from '#kitchen/web/till/wishes.module.css';
import type { Placing } from '#kitchen/web/till/use-placing.ts';
import { m } from '#messages';
import type { Problem, Quote } from '#ordering/basket.ts';
import type { Store } from '#store/contract.ts';
import { useQuery } from '@tanstack/react-query';
import { timeWords } from '#platform/date-words.ts';
import { api } from '#platform/web/api.ts';

interface WishesProps {
  store: Store;
  draft: TillDraft;
  quote: Quote | undefined;
  placing: Placing;
  onChange: (part: Partial<TillDraft>) => void;
}

/** The customer, the destination, the time, and notes. */
export function Wishes({ store, draft, quote, placing, onChange }: WishesProps) {
  const { errors } = placing.failure;
  const text = (
    field: 'name' | 'phone' | 'line1' | 'city' | 'postcode' | 'instructions' | 'note' | 'allergy',
    path: string,
  ) => ({
    value: draft[field],
    onChange: (event: { currentTarget: { value: string } }) => onChange({ [field]: event.currentTarget.value }),
    error: errors[path]?.[0] ?? problemAt(placing.problems, path),
  });
  return (
    <>
      <div className={classes.fields}>
        <TextInput
          label={m.kitchen_till_name()}
          required
          maxLength={80}
          autoComplete="off"
          {...text('name', 'contact.name')}
        />
        <TextInput
          label={m.kitchen_till_phone()}
          type="tel"
          required={draft.channel === 'phone'}
          maxLength={20}
          autoComplete="off"
          {...text('phone', 'contact.phone')}
        />
        {draft.fulfilment === 'delivery' && (
          <>
            <TextInput
              label={m.kitchen_till_postcode()}
              required
              maxLength={10}
              autoComplete="off"
              {...text('postcode', 'address.postcode')}
            />
            <TextInput
              label={m.kitchen_till_line1()}
              required
              maxLength={120}
              autoComplete="off"
              {...text('line1', 'address.line1')}
            />
            <TextInput
              label={m.kitchen_till_city()}
              maxLength={80}
              autoComplete="off"
              {...text('city', 'address.city')}
            />
            <TextInput
              label={m.kitchen_till_instructions()}
              maxLength={300}
              autoComplete="off"
              {...text('instructions', 'address.instructions')}
            />
          </>
        )}
        <OrderTime store={store} draft={draft} quote={quote} problems={placing.problems} onChange={onChange} />
      </div>
      <Textarea
        label={m.kitchen_till_allergy()}
        maxLength={500}
        autosize
        minRows={1}
        autoComplete="off"
        {...text('allergy', 'allergy_note')}
      />
      <Textarea label={m.kitchen_till_note()} maxLength={500} autosize minRows={1} {...text('note', 'note')} />
    </>
  );
}

interface TimeProps {
  store: Store;
  draft: TillDraft;
  quote: Quote | undefined;
  problems: readonly Problem[];
  onChange: (part: Partial<TillDraft>) => void;
}

/** As soon as possible, or one of the shop's slots. */
function OrderTime({ store, draft, quote, problems, onChange }: TimeProps) {
  const prepMinutes = quote?.prep_minutes ?? 0;
  const { data = [] } = useQuery({
    queryKey: ['till slots', store.id, draft.fulfilment, prepMinutes],
    refetchInterval: 60_000,
    queryFn: async ({ signal }) => {
      const wanted = { id: store.id, fulfilment_type: draft.fulfilment, prep_minutes: prepMinutes };
      return (await api('GET /v1/stores/{id}/slots', wanted, { signal, timeout: 15_000 })).data;
    },
  });
  const soon = quote?.earliest_at
    ? m.kitchen_till_soon_at({ time: timeWords(quote.earliest_at, store.timezone) })
    : m.kitchen_till_soon();
  return (
    <NativeSelect
      className={classes.wide}
      label={m.kitchen_till_when()}
      value={draft.requestedFor ?? ''}
      error={problemAt(problems, 'requested_for')}
      onChange={(event) => onChange({ requestedFor: event.currentTarget.value || null })}
      data={[
        { value: '', label: soon },
        ...data.map(({ starts_at: at, is_available: isFree }) => {
          const time = timeWords(at, store.timezone);
          return { value: at, label: isFree ? time : m.kitchen_till_slot_full({ time }) };
        }),
      ]}
    />
  );
}
