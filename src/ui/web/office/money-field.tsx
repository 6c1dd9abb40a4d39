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

/** An amount typed as people write it: £1.50, 1.5, 1,50 or 150p. What cannot be read is said, and kept for mending. */
export function MoneyField({ value, onChange, currency, onBlur, error, ...rest }: MoneyProps) {
  /** What is being typed, over the amount that stood there before. */
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
        // "12x" is not 12: what cannot be read changes nothing.
        onChange(amount === null && text.trim() !== '' ? over : amount);
      }}
      onBlur={(event) => {
        if (!isUnreadable) setTyping(null);
        onBlur?.(event);
      }}
    />
  );
}
