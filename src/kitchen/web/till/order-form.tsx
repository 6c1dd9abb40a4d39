import { Button, Checkbox, SegmentedControl } from '@mantine/core';
import '#ui/web/office/mantine-more.ts';
import { InTheWay } from '#kitchen/web/till/in-the-way.tsx';
import type { TillDraft } from '#kitchen/web/till/till-draft.ts';
import classes from '#kitchen/web/till/order-form.module.css';
import till from '#kitchen/web/till/till.module.css';
import type { Placing } from '#kitchen/web/till/use-placing.ts';
import { Wishes } from '#kitchen/web/till/wishes.tsx';
import { useHasPrinter } from '#kitchen/web/use-printing.ts';
import { m } from '#messages';
import { Icon } from '#ui/web/office/icon.tsx';
import type { Quote } from '#ordering/basket.ts';
import { feeName } from '#ordering/fee-words.ts';
import { minAgeOf } from '#ordering/min-age.ts';
import { formatMoney } from '#platform/money.ts';
import type { Store } from '#store/contract.ts';
import choiceClasses from '#kitchen/web/till/choice.module.css';

interface FormProps {
  store: Store;
  draft: TillDraft;
  quote: Quote | undefined;
  placing: Placing;
  onChange: (part: Partial<TillDraft>) => void;
  onClear: () => void;
}

/** The customer, delivery or collection, the time and the payment; and the total. */
export function OrderForm({ store, draft, quote, placing, onChange, onClear }: FormProps) {
  const hasPrinter = useHasPrinter();
  return (
    <form
      className={till.stack}
      aria-label={m.kitchen_till_customer()}
      onSubmit={(event) => {
        event.preventDefault();
        if (quote) void placing.place(draft, quote);
      }}
    >
      <div className={till.row}>
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
      <Wishes store={store} draft={draft} quote={quote} placing={placing} onChange={onChange} />
      <div className={till.row}>
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
        <PlaceButton store={store} draft={draft} quote={quote} placing={placing} />
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

/** Shows the total, and whether the order overrides a warning. */
function PlaceButton({ store, draft, quote, placing }: Omit<FormProps, 'onChange' | 'onClear'>) {
  const isWarned = placing.warnings.length > 0;
  const priced = draft.lines.length > 0 ? quote : undefined;
  const words = isWarned ? m.kitchen_till_place_anyway : m.kitchen_till_place;
  return (
    <Button
      type="submit"
      size="lg"
      color={isWarned ? 'warm' : 'good'}
      fullWidth
      classNames={{ label: classes.wraps ?? '' }}
      loading={placing.isBusy}
      disabled={!priced}
    >
      {priced ? words({ amount: formatMoney(priced.total, store.currency) }) : m.kitchen_till_place_empty()}
    </Button>
  );
}

/** The fees, the total, and the minimum age. */
function Total({ store, quote }: Pick<FormProps, 'store' | 'quote'>) {
  const age = minAgeOf(quote?.lines ?? []);
  return (
    <div className={classes.total}>
      {quote?.fees.map((fee) => (
        <p key={fee.code}>
          <span>{feeName(fee)}</span>
          <span className={till.money}>{formatMoney(fee.amount, store.currency)}</span>
        </p>
      ))}
      {age !== null && <p className={till.problem}>{m.kitchen_board_check_age({ age })}</p>}
    </div>
  );
}

interface ChoiceProps<T extends string> {
  label: string;
  value: T;
  data: Record<T, string>;
  onChange: (value: T) => void;
}

/** One of a few options, all of them visible. */
function Choice<T extends string>({ label, value, data, onChange }: ChoiceProps<T>) {
  const values = Object.keys(data) as T[];
  return (
    <SegmentedControl
      className={choiceClasses.choice ?? ''}
      size="md"
      aria-label={label}
      value={value}
      data={values.map((each) => ({ value: each, label: data[each] }))}
      onChange={(next) => onChange(values.find((each) => each === next) ?? value)}
    />
  );
}
