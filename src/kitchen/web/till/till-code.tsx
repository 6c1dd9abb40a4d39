import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import classes from '#kitchen/web/till/order-form.module.css';
import type { TillDraft } from '#kitchen/web/till/till-draft.ts';
import till from '#kitchen/web/till/till.module.css';
import type { TillOrderPlacing, TillPricing } from '#kitchen/web/till/use-till.ts';
import { m } from '#messages';
import type { BasketQuote } from '#ordering/basket.ts';

interface CodeProps {
  draft: TillDraft;
  quote: BasketQuote | undefined;
  pricing: TillPricing;
  placing: TillOrderPlacing;
  onChange: (part: Pick<TillDraft, 'code'>) => void;
}

/**
 * The offer code with its status, or a button that opens its field. A refused code's error is beside the Place order
 * button.
 */
export function TillOfferCode({ draft: { code, lines }, quote, pricing, placing, onChange }: CodeProps) {
  if (code === '') return <CodeField onUse={(typed) => onChange({ code: typed })} />;
  const isRefused = placing.problems.some((problem) => problem.code === 'code_not_valid');
  return (
    <div className={till.row}>
      <strong>{m.ordering_code_of({ code })}</strong>
      <Button variant="default" onClick={() => onChange({ code: '' })}>
        {isRefused ? m.ordering_code_without() : m.ordering_code_remove()}
      </Button>
      <p role="status" className={till.hint}>
        {lines.length > 0 && !isRefused && stateWords(code, quote, pricing)}
      </p>
    </div>
  );
}

/** The status of a code that is not refused; empty if the total includes its discount. */
function stateWords(code: string, quote: BasketQuote | undefined, { isChecking, failure }: TillPricing): string {
  if (!quote || isChecking) return failure === null ? m.ordering_code_checking() : m.kitchen_till_code_unchecked();
  if (quote.discounts.some((discount) => discount.code === code)) return '';
  return quote.offers?.on_order.length ? m.kitchen_till_code_person() : m.kitchen_till_code_other_better();
}

function CodeField({ onUse }: { onUse: (code: string) => void }) {
  const [typed, setTyped] = useState('');
  const use = () => typed.trim() !== '' && onUse(typed.trim());
  return (
    <details>
      <summary className={classes.fold}>{m.kitchen_till_code_have()}</summary>
      <div className={till.row}>
        <TextInput
          aria-label={m.ordering_code()}
          value={typed}
          maxLength={40}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          onChange={(event) => setTyped(event.currentTarget.value)}
          onKeyDown={(event) => {
            // Enter applies the code, because it would otherwise place the order.
            if (event.key !== 'Enter') return;
            event.preventDefault();
            use();
          }}
        />
        <Button variant="default" onClick={use}>
          {m.ordering_code_use()}
        </Button>
      </div>
    </details>
  );
}
