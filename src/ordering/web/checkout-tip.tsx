import { useState } from 'react';
import { m } from '#messages';
import { CheckoutSection } from '#ordering/web/checkout-section.tsx';
import { presets, type TipChoice } from '#ordering/web/tip-choice.ts';
import { formatMoney } from '#platform/money.ts';
import { InputField } from '#ui/web/field.tsx';

interface CheckoutTipProps {
  currency: string;
  value: TipChoice;
  onChange: (tip: TipChoice) => void;
  /** The error of the amount, shown after leaving the field. */
  problem: string | null;
  errors: readonly string[] | undefined;
}

/** A tip, or none: both take one tap. */
export function CheckoutTip({ currency, value, onChange, problem, errors }: CheckoutTipProps) {
  const [isLeft, setLeft] = useState(true);
  const isOther = value.preset === null;
  return (
    <CheckoutSection title={m.ordering_tip_title()}>
      <div role="radiogroup" aria-label={m.ordering_tip_title()} className="flex flex-wrap gap-2">
        {presets.map((preset) => (
          <Chip
            key={preset}
            value={String(preset)}
            isChosen={value.preset === preset}
            onChoose={() => onChange({ ...value, preset })}
          >
            {preset === 0 ? m.ordering_tip_none() : formatMoney(preset, currency)}
          </Chip>
        ))}
        <Chip value="other" isChosen={isOther} onChoose={() => onChange({ ...value, preset: null })}>
          {m.ordering_tip_other()}
        </Chip>
      </div>
      {isOther && (
        <div className="[&_input]:max-w-40">
          <InputField
            name="tip"
            label={m.ordering_tip_amount()}
            inputMode="decimal"
            maxLength={20}
            value={value.text}
            onChange={(event) => {
              setLeft(false);
              onChange({ preset: null, text: event.target.value });
            }}
            onBlur={() => setLeft(true)}
            errors={errors ?? (isLeft && problem ? [problem] : undefined)}
          />
        </div>
      )}
    </CheckoutSection>
  );
}

interface ChipProps {
  value: string;
  isChosen: boolean;
  onChoose: () => void;
  children: string;
}

function Chip({ value, isChosen, onChoose, children }: ChipProps) {
  return (
    <label className="num inline-flex min-h-11 items-center rounded-full border border-line-strong px-5 font-semibold has-checked:border-ink has-checked:bg-ink has-checked:text-paper has-checked:forced-color-adjust-none has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent-text">
      <input type="radio" name="tip_choice" value={value} className="sr-only" checked={isChosen} onChange={onChoose} />
      {children}
    </label>
  );
}
