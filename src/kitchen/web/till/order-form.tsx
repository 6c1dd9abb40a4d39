import { Button, Checkbox, NativeSelect, SegmentedControl, Textarea, TextInput } from '@mantine/core';
import '#ui/web/office/mantine-deferred-styles.ts';
import type { TillDraft } from '#kitchen/web/till/till-draft.ts';
import classes from '#kitchen/web/till/order-form.module.css';
import till from '#kitchen/web/till/till.module.css';
import { TillOfferCode } from '#kitchen/web/till/till-code.tsx';
import type { TillOrderPlacing, TillPricing } from '#kitchen/web/till/use-till.ts';
import { useHasPrinter } from '#kitchen/web/use-printing.ts';
import { m } from '#messages';
import { Icon } from '#ui/web/office/office-icon.tsx';
import type { BasketProblem, BasketQuote } from '#ordering/basket.ts';
import { feeWords } from '#ordering/fee-words.ts';
import { minAgeOf } from '#ordering/min-age.ts';
import { formatMoney } from '#platform/money.ts';
import type { Store } from '#store/contract.ts';
import choiceClasses from '#kitchen/web/till/choice.module.css';
import wishesClasses from '#kitchen/web/till/customer-fields.module.css';
import { useQuery } from '@tanstack/react-query';
import { timeWords } from '#platform/date-words.ts';
import { api } from '#platform/web/api.ts';
import inTheWayClasses from '#kitchen/web/till/till-problems.module.css';
import { isOverridable } from '#ordering/overridable-problems.ts';

interface FormProps {
  store: Store;
  draft: TillDraft;
  quote: BasketQuote | undefined;
  pricing: TillPricing;
  placing: TillOrderPlacing;
  onChange: (part: Partial<TillDraft>) => void;
  onClear: () => void;
}

export function OrderForm({ store, draft, quote, pricing, placing, onChange, onClear }: FormProps) {
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
      <TillOfferCode draft={draft} quote={quote} pricing={pricing} placing={placing} onChange={onChange} />
      <Total store={store} quote={quote} />
      <div className={classes.submit}>
        <TillProblems pricing={pricing} placing={placing} />
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

function PlaceButton({ store, draft, quote, placing }: Omit<FormProps, 'pricing' | 'onChange' | 'onClear'>) {
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

function Total({ store, quote }: Pick<FormProps, 'store' | 'quote'>) {
  const age = minAgeOf(quote?.lines ?? []);
  return (
    <div className={classes.total}>
      {quote?.discounts.map((discount) => (
        <p key={discount.offer_id}>
          <span>{discount.name}</span>
          <span className={till.money}>−{formatMoney(discount.amount, store.currency)}</span>
        </p>
      ))}
      {quote?.fees.map((fee) => (
        <p key={fee.code}>
          <span>{feeWords(fee)}</span>
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

interface WishesProps {
  store: Store;
  draft: TillDraft;
  quote: BasketQuote | undefined;
  placing: TillOrderPlacing;
  onChange: (part: Partial<TillDraft>) => void;
}

function Wishes({ store, draft, quote, placing, onChange }: WishesProps) {
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
      <div className={wishesClasses.fields}>
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
  quote: BasketQuote | undefined;
  problems: readonly BasketProblem[];
  onChange: (part: Partial<TillDraft>) => void;
}

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
      className={wishesClasses.wide}
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

/**
 * Errors without a field, refusals, and warnings that can be overridden. All are beside the button, so that they stay
 * visible however the form is scrolled.
 */
function TillProblems({ pricing, placing }: Pick<FormProps, 'pricing' | 'placing'>) {
  const { failure, problems, warnings, isRetrying } = placing;
  const others = problems.filter(
    (problem) => !isOverridable(problem) && !problem.path.startsWith('lines.') && !fields.has(problem.path),
  );
  const warned = new Set(warnings.map(({ message }) => message));
  const refused = [failure.message ?? [], ...Object.values(failure.errors)].flat();
  const words = new Set([...others.map(({ message }) => message), ...refused.filter((each) => !warned.has(each))]);
  return (
    <div className={inTheWayClasses.inTheWay} aria-live="polite">
      {isRetrying && <p className={inTheWayClasses.warning}>{m.kitchen_till_retrying()}</p>}
      {pricing.failure !== null && <p className={inTheWayClasses.warning}>{m.kitchen_till_no_price()}</p>}
      {[...words].map((each) => (
        <p key={each} className={till.problem} role="alert">
          {each}
        </p>
      ))}
      {[...warned].map((each) => (
        <p key={each} className={inTheWayClasses.warning}>
          {each}
        </p>
      ))}
    </div>
  );
}

/**
 * A field's error. A missing postcode is not reported, because staff may still be typing the address. Warnings are
 * shown elsewhere.
 */
function problemAt(problems: readonly BasketProblem[], path: string): string | undefined {
  return problems.find(
    (problem) => problem.path === path && problem.code !== 'address_required' && !isOverridable(problem),
  )?.message;
}

const fields = new Set([
  'contact.name',
  'contact.phone',
  'address.postcode',
  'address.line1',
  'address.city',
  'address.instructions',
  'allergy_note',
  'note',
  'requested_for',
]);
