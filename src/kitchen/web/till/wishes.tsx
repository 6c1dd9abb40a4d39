import { Textarea, TextInput } from '@mantine/core';
import { problemAt } from '#kitchen/web/till/in-the-way.tsx';
import { OrderTime } from '#kitchen/web/till/order-time.tsx';
import type { TillDraft } from '#kitchen/web/till/till-draft.ts';
import classes from '#kitchen/web/till/wishes.module.css';
import type { Placing } from '#kitchen/web/till/use-placing.ts';
import { m } from '#messages';
import type { Quote } from '#ordering/basket.ts';
import type { Store } from '#store/contract.ts';

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
