import { Checkbox, Group, NativeSelect, NumberInput, Textarea, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { m } from '#messages';
import { allergenCodes } from '#menu/allergen-codes.ts';
import type { AllergenCode, Allergens, Dietary } from '#menu/contract.ts';
import { isSoldOut } from '#menu/item-facts.ts';
import classes from '#menu/web/editor/editor.module.css';
import { allergenName } from '#menu/web/allergen-words.ts';
import { dietWords } from '#menu/web/menu-words.ts';
import { MoneyField } from '#office/web/money-field.tsx';
import { useNow } from '#platform/web/clock.ts';
import type { Store } from '#store/contract.ts';
import { tradingDayBounds, tradingDayOf } from '#store/opening-hours.ts';

interface Edit<T> {
  label: string;
  value: T;
  /** Called once the person has done with the field, and only with another value; `was` stood there as they began. */
  onCommit: (value: T, was: T) => void;
  description?: string;
}

interface TextEditProps extends Edit<string> {
  isRequired?: boolean;
  isLong?: boolean;
  maxLength: number;
  hideLabel?: boolean;
  onDone?: () => void;
}

/** What a field showed when somebody began to type in it: others may change it before they leave it. */
function useBegun<T>(value: T): { begin: () => void; end: () => T } {
  const [begun, setBegun] = useState<{ value: T } | null>(null);
  return {
    begin: () => setBegun(begun ?? { value }),
    end() {
      setBegun(null);
      return begun ? begun.value : value;
    },
  };
}

// One function for good, so that it is called as the field appears and never again.
const selectInput = (element: HTMLElement | null): void => element?.querySelector('input')?.select();

/** Puts the focus into the field within, as it appears at a person's wish. */
export function Focused({ children }: { children: ReactNode }) {
  return <span ref={selectInput}>{children}</span>;
}

/** A text that is saved when one leaves it or presses Enter; Escape puts back what was there. */
export function TextEdit({
  label,
  value,
  onCommit,
  isRequired = false,
  isLong = false,
  onDone,
  hideLabel = false,
  ...rest
}: TextEditProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const { begin, end } = useBegun(value);
  const isMissing = isRequired && typed !== null && typed.trim() === '';
  const commit = (): void => {
    const was = end();
    const text = typed?.trim() ?? value;
    setTyped(null);
    if (text !== value && text !== was && !(isRequired && text === '')) onCommit(text, was);
    onDone?.();
  };
  const type = (text: string): void => {
    begin();
    setTyped(text);
  };
  const props = {
    ...rest,
    ...(hideLabel ? { 'aria-label': label } : { label }),
    value: typed ?? value,
    error: isMissing ? m.menu_text_needed() : undefined,
    required: isRequired,
    withAsterisk: false,
    onBlur: commit,
  };
  if (isLong) {
    return <Textarea {...props} autosize minRows={2} onChange={(event) => type(event.currentTarget.value)} />;
  }
  return (
    <TextInput
      {...props}
      onChange={(event) => type(event.currentTarget.value)}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === 'Enter') event.currentTarget.blur();
        if (event.key === 'Escape') {
          end();
          setTyped(null);
          onDone?.();
        }
      }}
    />
  );
}

interface PriceEditProps<T extends number | null> extends Edit<T> {
  currency: string;
  /** What an empty field means; without it a price is needed. */
  empty?: T;
  placeholder?: string;
  hideLabel?: boolean;
  onDone?: () => void;
}

export function PriceEdit<T extends number | null>({
  label,
  value,
  onCommit,
  empty,
  onDone,
  hideLabel = false,
  ...rest
}: PriceEditProps<T>) {
  const [typed, setTyped] = useState<number | null | undefined>(undefined);
  const { begin, end } = useBegun(value);
  const commit = (): void => {
    const was = end();
    setTyped(undefined);
    // An amount is a T: null only where an empty field means something.
    const wanted = (typed ?? empty) as T | undefined;
    if (typed !== undefined && wanted !== undefined && wanted !== value && wanted !== was) onCommit(wanted, was);
    onDone?.();
  };
  return (
    <MoneyField
      {...rest}
      {...(hideLabel ? { 'aria-label': label } : { label })}
      value={typed === undefined ? value : typed}
      onInput={begin}
      onChange={setTyped}
      onBlur={commit}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === 'Enter') event.currentTarget.blur();
        if (event.key === 'Escape') onDone?.();
      }}
    />
  );
}

interface NumberEditProps<T extends number | null> extends Edit<T> {
  min: number;
  max: number;
  empty?: T;
}

export function NumberEdit<T extends number | null>({ value, onCommit, empty, min, max, ...rest }: NumberEditProps<T>) {
  const [typed, setTyped] = useState<number | string | null>(null);
  const { begin, end } = useBegun(value);
  const commit = (): void => {
    const was = end();
    setTyped(null);
    const wanted = (typeof typed === 'number' ? Math.min(max, Math.max(min, Math.round(typed))) : empty) as
      | T
      | undefined;
    if (typed !== null && wanted !== undefined && wanted !== value && wanted !== was) onCommit(wanted, was);
  };
  return (
    <NumberInput
      {...rest}
      min={min}
      max={max}
      allowDecimal={false}
      allowNegative={false}
      hideControls
      inputMode="numeric"
      value={typed ?? value ?? ''}
      onInput={begin}
      onChange={setTyped}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.currentTarget.blur();
      }}
    />
  );
}

export function TimeEdit({ label, value, onCommit }: Edit<string>) {
  const [typed, setTyped] = useState<string | null>(null);
  const { begin, end } = useBegun(value);
  return (
    <label className={classes.time}>
      {label}
      <input
        type="time"
        required
        value={typed ?? value}
        onChange={(event) => {
          begin();
          setTyped(event.currentTarget.value);
        }}
        onBlur={() => {
          const was = end();
          setTyped(null);
          if (typed && typed !== value && typed !== was) onCommit(typed, was);
        }}
      />
    </label>
  );
}

/** The UK's rates; another that was set already stays to choose. `inherit` says what null means. */
export function VatEdit<T extends number | null>({
  value,
  onCommit,
  inherit,
  ...rest
}: Omit<Edit<T>, 'onCommit'> & { inherit?: string; onCommit: (value: T) => void }) {
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

/** On sale, sold out until somebody says otherwise, or sold out for the rest of the trading day. */
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
  const until = choice === 'today' ? tradingDayBounds(store, tradingDayOf(store, now)).to : null;
  return { is_available: false, unavailable_until: until };
}

/** Each of the law's 14: in it, perhaps in it, or not in it; or nothing stated at all. */
export function AllergensEdit({ value, onCommit }: { value: Allergens; onCommit: (value: Allergens) => void }) {
  const set = (code: AllergenCode, state: string): void => {
    const { contains, may_contain: may } = value ?? { contains: [], may_contain: [] };
    const only = (codes: readonly AllergenCode[], wanted: string) =>
      allergenCodes.filter((one) => (one === code ? state === wanted : codes.includes(one)));
    onCommit({ contains: only(contains, 'contains'), may_contain: only(may, 'may') });
  };
  return (
    <fieldset className={classes.fieldset}>
      <legend>{m.menu_edit_allergens()}</legend>
      <Checkbox
        label={m.menu_edit_allergens_stated()}
        description={m.menu_edit_allergens_hint()}
        checked={value !== null}
        onChange={(event) => onCommit(event.currentTarget.checked ? { contains: [], may_contain: [] } : null)}
      />
      {value && (
        <div className={classes.allergens}>
          {allergenCodes.map((code) => (
            <NativeSelect
              key={code}
              label={allergenName(code)}
              data-state={
                value.contains.includes(code) ? 'contains' : value.may_contain.includes(code) ? 'may' : undefined
              }
              value={value.contains.includes(code) ? 'contains' : value.may_contain.includes(code) ? 'may' : 'no'}
              data={[
                { value: 'no', label: m.menu_edit_allergen_no() },
                { value: 'may', label: m.menu_edit_allergen_may() },
                { value: 'contains', label: m.menu_edit_allergen_contains() },
              ]}
              onChange={({ currentTarget }) => set(code, currentTarget.value)}
            />
          ))}
        </div>
      )}
    </fieldset>
  );
}

const diets: readonly Dietary[] = ['vegetarian', 'vegan', 'halal', 'gluten_free'];

export function DietaryEdit({ value, onCommit }: { value: readonly Dietary[]; onCommit: (value: Dietary[]) => void }) {
  return (
    <fieldset className={classes.fieldset}>
      <legend>{m.menu_edit_dietary()}</legend>
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
