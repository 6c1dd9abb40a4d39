import { Checkbox, Group, NativeSelect, SimpleGrid } from '@mantine/core';
import { m } from '#messages';
import type { Availability, Dietary } from '#menu/menu-shapes.ts';
import { isSoldOut } from '#menu/sold-out.ts';
import { type Edit, TimeEdit } from '#menu/web/editor/edit-fields.tsx';
import classes from '#menu/web/editor/choice-edits.module.css';
import formClasses from '#menu/web/editor/part-form.module.css';
import { dietWords } from '#menu/web/menu-words.ts';
import { useNow } from '#platform/web/clock.ts';
import type { Store } from '#store/contract.ts';
import { tradingDayEnd } from '#store/opening-hours.ts';
import { dayName } from '#store/weekday-words.ts';
import { weekdays } from '#store/weekdays.ts';

/** A choice is saved immediately, so nobody else can change the value between beginning and saving. */
type Choice<T> = Omit<Edit<T>, 'onCommit'> & { onCommit: (value: T) => void };

/** The UK's VAT rates; a different rate that is already set can also be chosen. `inherit` is the label of null. */
export function VatEdit<T extends number | null>({
  value,
  onCommit,
  inherit,
  ...rest
}: Choice<T> & { inherit?: string }) {
  const rates = [...new Set([2000, 500, 0, ...(value === null ? [] : [value])])].toSorted((a, b) => b - a);
  return (
    <NativeSelect
      {...rest}
      value={value === null ? '' : String(value)}
      data={[
        ...(inherit === undefined ? [] : [{ value: '', label: inherit }]),
        ...rates.map((rate) => ({ value: String(rate), label: m.menu_edit_percent({ percent: rate / 100 }) })),
      ]}
      onChange={({ currentTarget }) => onCommit((currentTarget.value === '' ? null : Number(currentTarget.value)) as T)}
    />
  );
}

type Stock = { is_available: boolean; unavailable_until: string | null };

/** Available, sold out until somebody changes that, or sold out for the rest of the trading day. */
export function StockEdit({
  stock,
  store,
  onCommit,
}: {
  stock: Stock;
  store: Store;
  onCommit: (stock: Stock) => void;
}) {
  const now = useNow();
  return (
    <NativeSelect
      label={m.menu_edit_available()}
      value={isSoldOut(stock, now) ? (stock.unavailable_until === null ? 'out' : 'today') : 'in'}
      data={[
        { value: 'in', label: m.menu_edit_stock_in() },
        { value: 'today', label: m.menu_edit_stock_today() },
        { value: 'out', label: m.menu_edit_stock_out() },
      ]}
      onChange={({ currentTarget }) => onCommit(stockOf(currentTarget.value, store, now))}
    />
  );
}

export function stockOf(choice: string, store: Store, now: Date): Stock {
  if (choice === 'in') return { is_available: true, unavailable_until: null };
  const until = choice === 'today' ? tradingDayEnd(store, now) : null;
  return { is_available: false, unavailable_until: until };
}

const diets: readonly Dietary[] = ['vegetarian', 'vegan', 'halal', 'gluten_free'];

export function DietaryEdit({ label, value, onCommit }: Choice<Dietary[]>) {
  return (
    <fieldset className={formClasses.fieldset}>
      <legend>{label}</legend>
      <Group gap="md">
        {diets.map((diet) => (
          <Checkbox
            key={diet}
            label={dietWords([diet])[0]}
            checked={value.includes(diet)}
            onChange={(event) =>
              onCommit(diets.filter((one) => (one === diet ? event.currentTarget.checked : value.includes(one))))
            }
          />
        ))}
      </Group>
    </fieldset>
  );
}

/** When a menu is available: always, or on some days between two times, at first from one start of the day to the next. */
export function ServedEdit({ label, value, onCommit, dayStartsAt }: Edit<Availability> & { dayStartsAt: string }) {
  return (
    <fieldset className={formClasses.fieldset}>
      <legend>{label}</legend>
      <Checkbox
        label={m.menu_edit_served_always()}
        checked={value === null}
        onChange={(event) =>
          onCommit(
            event.currentTarget.checked ? null : { days: [...weekdays], from: dayStartsAt, to: dayStartsAt },
            value,
          )
        }
      />
      {value && (
        <>
          <div className={classes.days}>
            {weekdays.map((day) => (
              <Checkbox
                key={day}
                label={dayName(day)}
                checked={value.days.includes(day)}
                disabled={value.days.length === 1 && value.days.includes(day)}
                onChange={({ currentTarget: { checked } }) => {
                  const days = weekdays.filter((one) => (one === day ? checked : value.days.includes(one)));
                  onCommit({ ...value, days }, value);
                }}
              />
            ))}
          </div>
          <SimpleGrid cols={2}>
            <TimeEdit
              label={m.menu_edit_served_from()}
              value={value.from}
              onCommit={(from, was) => onCommit({ ...value, from }, { ...value, from: was })}
            />
            <TimeEdit
              label={m.menu_edit_served_to()}
              value={value.to}
              onCommit={(to, was) => onCommit({ ...value, to }, { ...value, to: was })}
            />
          </SimpleGrid>
        </>
      )}
    </fieldset>
  );
}
