import { TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';
import { m } from '#messages';
import { formatMoney } from '#platform/money.ts';
import { parseMoneyField } from '#platform/parse-money.ts';

interface MoneyProps<Empty extends number | null> extends Omit<TextInputProps, 'value' | 'onChange' | 'type'> {
  /** The amount in minor units; null: empty field. */
  value: number | null;
  /** The value of an empty field: null or an amount. */
  empty: Empty;
  onChange: (amount: number | Empty) => void;
  currency: string;
}

/**
 * A field for an amount in any usual form: £1.50, 1.5, 1,50 or 150p. An invalid text stays in the field, with an error.
 */
export function MoneyField<Empty extends number | null>({
  value,
  empty,
  onChange,
  currency,
  onBlur,
  error,
  ...rest
}: MoneyProps<Empty>) {
  /** The unfinished input, which the field shows in place of `value`. `over`: the value before typing began. */
  const [typing, setTyping] = useState<{ text: string; over: number | Empty } | null>(null);
  const isUnreadable = typing !== null && parseMoneyField(typing.text, { currency, empty }) === null;
  return (
    <TextInput
      {...rest}
      data-unreadable={isUnreadable || undefined}
      inputMode="decimal"
      autoComplete="off"
      value={typing?.text ?? (value === null ? '' : formatMoney(value, currency))}
      error={isUnreadable ? m.office_money_unreadable({ example: formatMoney(150, currency) }) : error}
      onChange={(event) => {
        const text = event.currentTarget.value;
        const over: number | Empty = typing ? typing.over : value === null ? empty : value;
        setTyping({ text, over });
        const read = parseMoneyField(text, { currency, empty });
        // While the text is unreadable, the field keeps its value from before the typing, so that "12x" does not count
        // as 12.
        onChange(read ? read.amount : over);
      }}
      onBlur={(event) => {
        if (!isUnreadable) setTyping(null);
        onBlur?.(event);
      }}
    />
  );
}
