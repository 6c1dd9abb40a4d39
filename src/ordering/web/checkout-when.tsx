import { useState } from 'react';
import { m } from '#messages';
import { CheckoutSection } from '#ordering/web/checkout-section.tsx';
import { CheckoutSlots } from '#ordering/web/checkout-slots.tsx';
import type { AskedTime } from '#ordering/web/use-slots.ts';
import { useNow } from '#platform/web/clock.ts';
import { FieldErrorText, fieldId } from '#ui/web/field.tsx';
import { readyWords } from '#store/ready-words.ts';

interface CheckoutWhenProps extends AskedTime {
  errors: readonly string[] | undefined;
}

/** Now, or a slot that is still free. */
export function CheckoutWhen({ errors, ...asked }: CheckoutWhenProps) {
  const { store, fulfilment, earliest, value, onChange, askedBecause } = asked;
  const now = useNow();
  const canBeSoon = earliest?.isSoon === true;
  const [isLater, setLater] = useState(value !== null);
  const showSlots = isLater || value !== null || !canBeSoon;
  const errorId = `${fieldId('requested_for')}-error`;
  return (
    <CheckoutSection title={fulfilment === 'delivery' ? m.ordering_when_delivery() : m.ordering_when_collection()}>
      <div
        id={fieldId('requested_for')}
        tabIndex={-1}
        className="grid gap-2 outline-none"
        role="group"
        aria-describedby={errorId}
      >
        {canBeSoon && (
          <Choice
            name="when"
            isChosen={!showSlots}
            onChoose={() => {
              setLater(false);
              onChange(null);
            }}
          >
            <span className="font-semibold">{m.ordering_when_soon()}</span>
            <span className="num text-ink-soft">{readyWords(earliest, now, store.timezone)}</span>
          </Choice>
        )}
        <Choice name="when" isChosen={showSlots} onChoose={() => setLater(true)}>
          <span className="font-semibold">{m.ordering_when_later()}</span>
        </Choice>
        <p role="status" className="num rounded-box bg-warn-soft px-4 py-3 font-semibold empty:hidden">
          {askedBecause !== null && m.ordering_when_soon_gone({ refusal: askedBecause })}
        </p>
        {showSlots && <CheckoutSlots {...asked} />}
        <FieldErrorText id={errorId} errors={errors} />
      </div>
    </CheckoutSection>
  );
}

interface ChoiceProps {
  name: string;
  isChosen: boolean;
  onChoose: () => void;
  children: React.ReactNode;
}

export function Choice({ name, isChosen, onChoose, children }: ChoiceProps) {
  return (
    <label className="flex min-h-13 items-center gap-3 rounded-box border border-line px-4 py-2.5 has-checked:border-accent-text has-checked:bg-accent-soft">
      <input
        type="radio"
        name={name}
        checked={isChosen}
        onChange={onChoose}
        className="size-5 shrink-0 accent-accent-edge"
      />
      <span className="flex flex-1 flex-wrap items-baseline justify-between gap-x-3">{children}</span>
    </label>
  );
}
