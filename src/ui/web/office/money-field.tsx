import { TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';
import { m } from '#messages';
import { formatMoney } from '#platform/money.ts';
import { parseMoney } from '#platform/parse-money.ts';

interface MoneyProps extends Omit<TextInputProps, 'value' | 'onChange' | 'type'> {
  /** Minor units; null for an empty field. */
  value: number | null;
  onChange: (amount: number | null) => void;
  currency: string;
}

/** An amount in any usual form: £1.50, 1.5, 1,50 or 150p. An invalid text shows an error, and stays for correction. */
export function MoneyField({ value, onChange, currency, onBlur, error, ...rest }: MoneyProps) {
  /** The text being typed, shown instead of the amount. */
  const [typing, setTyping] = useState<{ text: string; over: number | null } | null>(null);
  const isUnreadable = typing !== null && typing.text.trim() !== '' && parseMoney(typing.text, currency) === null;
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
        const over = typing ? typing.over : value;
        setTyping({ text, over });
        const amount = parseMoney(text, currency);
        // "12x" is not 12: an invalid text changes nothing.
        onChange(amount === null && text.trim() !== '' ? over : amount);
      }}
      onBlur={(event) => {
        if (!isUnreadable) setTyping(null);
        onBlur?.(event);
      }}
    />
  );
}
