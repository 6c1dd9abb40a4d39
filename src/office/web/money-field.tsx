import { TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';
import { m } from '#messages';
import { formatMoney, parseMoney } from '#platform/money.ts';

interface MoneyProps extends Omit<TextInputProps, 'value' | 'onChange' | 'type'> {
  /** Minor units; null for an empty field. */
  value: number | null;
  onChange: (amount: number | null) => void;
  currency: string;
}

/** An amount typed as people write it: £1.50, 1.5, 1,50 or 150p. What cannot be read is said, and kept for mending. */
export function MoneyField({ value, onChange, currency, onBlur, error, ...rest }: MoneyProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const isUnreadable = typed !== null && typed.trim() !== '' && parseMoney(typed, currency) === null;
  return (
    <TextInput
      {...rest}
      inputMode="decimal"
      autoComplete="off"
      value={typed ?? (value === null ? '' : formatMoney(value, currency))}
      error={isUnreadable ? m.office_money_unreadable({ example: formatMoney(150, currency) }) : error}
      onChange={(event) => {
        const text = event.currentTarget.value;
        setTyped(text);
        const amount = parseMoney(text, currency);
        if (amount !== null || text.trim() === '') onChange(amount);
      }}
      onBlur={(event) => {
        if (!isUnreadable) setTyped(null);
        onBlur?.(event);
      }}
    />
  );
}
