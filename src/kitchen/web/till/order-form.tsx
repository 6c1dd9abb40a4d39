import { Button, Checkbox, Textarea, TextInput } from '@mantine/core';
import '#ui/web/office/mantine-more.ts';
import { Choice } from '#kitchen/web/till/choice.tsx';
import { InTheWay, problemAt } from '#kitchen/web/till/in-the-way.tsx';
import { OrderTime } from '#kitchen/web/till/order-time.tsx';
import type { TillDraft } from '#kitchen/web/till/till-draft.ts';
import classes from '#kitchen/web/till/till.module.css';
import type { Placing } from '#kitchen/web/till/use-placing.ts';
import { useHasPrinter } from '#kitchen/web/use-printing.ts';
import { m } from '#messages';
import { Icon } from '#ui/web/office/icon.tsx';
import type { Quote } from '#ordering/basket.ts';
import { feeName } from '#ordering/fee-words.ts';
import { minAgeOf } from '#ordering/min-age.ts';
import { formatMoney } from '#platform/money.ts';
import type { Store } from '#store/contract.ts';

interface FormProps {
  store: Store;
  draft: TillDraft;
  quote: Quote | undefined;
  placing: Placing;
  onChange: (part: Partial<TillDraft>) => void;
  onClear: () => void;
}

/** For whom, how, when and how paid; and what it comes to. */
export function OrderForm({ store, draft, quote, placing, onChange, onClear }: FormProps) {
  const hasPrinter = useHasPrinter();
  const { errors } = placing.failure;
  const { warnings } = placing;
  const text = (
    field: 'name' | 'phone' | 'line1' | 'city' | 'postcode' | 'instructions' | 'note' | 'allergy',
    path: string,
  ) => ({
    value: draft[field],
    onChange: (event: { currentTarget: { value: string } }) => onChange({ [field]: event.currentTarget.value }),
    error: errors[path]?.[0] ?? problemAt(placing.problems, path),
  });
  const isDelivery = draft.fulfilment === 'delivery';
  return (
    <form
      className={classes.form}
      aria-label={m.kitchen_till_customer()}
      onSubmit={(event) => {
        event.preventDefault();
        if (quote) void placing.place(draft, quote);
      }}
    >
      <div className={classes.row}>
        <Choice
          label={m.kitchen_till_channel()}
          value={draft.channel}
          data={{ phone: m.kitchen_board_channel_phone(), counter: m.kitchen_board_channel_counter() }}
          onChange={(channel) => onChange({ channel })}
        />
        {store.collection_enabled && store.delivery_enabled && (
          <Choice
            label={m.kitchen_till_fulfilment()}
            value={draft.fulfilment}
            data={{ collection: m.kitchen_board_collection(), delivery: m.kitchen_board_delivery() }}
            onChange={(fulfilment) => onChange({ fulfilment })}
          />
        )}
      </div>
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
        {isDelivery && (
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
        <TextInput
          label={m.kitchen_till_allergy()}
          maxLength={500}
          autoComplete="off"
          {...text('allergy', 'allergy_note')}
        />
      </div>
      <Textarea label={m.kitchen_till_note()} maxLength={500} autosize minRows={1} {...text('note', 'note')} />
      <div className={classes.row}>
        <Choice
          label={m.kitchen_till_method()}
          value={draft.method}
          data={{ cash: m.kitchen_till_cash(), card: m.kitchen_till_card() }}
          onChange={(method) => onChange({ method })}
        />
        <Checkbox
          label={m.kitchen_till_paid()}
          checked={draft.isPaid}
          onChange={(event) => onChange({ isPaid: event.currentTarget.checked })}
        />
      </div>
      <Total store={store} quote={quote} />
      <div className={classes.submit}>
        <InTheWay placing={placing} />
        <Button
          type="submit"
          size="lg"
          color={warnings.length > 0 ? 'warm' : 'good'}
          fullWidth
          classNames={{ label: classes.wraps ?? '' }}
          loading={placing.isBusy}
          disabled={!quote || draft.lines.length === 0}
        >
          {quote && draft.lines.length > 0
            ? (warnings.length > 0 ? m.kitchen_till_place_anyway : m.kitchen_till_place)({
                amount: formatMoney(quote.total, store.currency),
              })
            : m.kitchen_till_place_empty()}
        </Button>
      </div>
      <div className={classes.aside}>
        {hasPrinter && (
          <Button
            variant="subtle"
            leftSection={<Icon name="print" />}
            disabled={!quote || draft.lines.length === 0}
            onClick={() => quote && void placing.printDraft(draft, quote)}
          >
            {m.kitchen_till_print()}
          </Button>
        )}
        <Button variant="subtle" color="bad" disabled={draft.lines.length === 0 && draft.name === ''} onClick={onClear}>
          {m.kitchen_till_clear()}
        </Button>
      </div>
    </form>
  );
}

/** The fees, and what to ask for. */
function Total({ store, quote }: Pick<FormProps, 'store' | 'quote'>) {
  const age = minAgeOf(quote?.lines ?? []);
  return (
    <div className={classes.total}>
      {quote?.fees.map((fee) => (
        <p key={fee.code}>
          <span>{feeName(fee)}</span>
          <span className={classes.money}>{formatMoney(fee.amount, store.currency)}</span>
        </p>
      ))}
      {age !== null && <p className={classes.problem}>{m.kitchen_board_check_age({ age })}</p>}
    </div>
  );
}
