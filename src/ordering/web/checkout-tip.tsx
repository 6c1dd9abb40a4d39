import { useState } from 'react';
import { m } from '#messages';
import { CheckoutSection } from '#ordering/web/checkout-section.tsx';
import { formatMoney } from '#platform/money.ts';
import { InputField } from '#platform/web/ui/field.tsx';

const presets = [0, 100, 200, 300] as const;
const most = 100_000;

/** A tip, or none: none is as easy. Minor units. */
export function CheckoutTip({
  currency,
  value,
  onChange,
}: {
  currency: string;
  value: number;
  onChange: (tip: number) => void;
}) {
  const [isOther, setOther] = useState(!presets.some((preset) => preset === value));
  const [text, setText] = useState(isOther ? (value / 100).toFixed(2) : '');
  const write = (typed: string) => {
    setText(typed);
    const amount = Math.round(Number(typed.replace(',', '.').replace(/[^\d.]/g, '')) * 100);
    onChange(Number.isFinite(amount) ? Math.min(Math.max(amount, 0), most) : 0);
  };
  return (
    <CheckoutSection title={m.ordering_tip_title()}>
      <div role="radiogroup" aria-label={m.ordering_tip_title()} className="flex flex-wrap gap-2">
        {presets.map((preset) => (
          <Chip
            key={preset}
            isChosen={!isOther && value === preset}
            onChoose={() => {
              setOther(false);
              onChange(preset);
            }}
          >
            {preset === 0 ? m.ordering_tip_none() : formatMoney(preset, currency)}
          </Chip>
        ))}
        <Chip
          isChosen={isOther}
          onChoose={() => {
            setOther(true);
            write(text);
          }}
        >
          {m.ordering_tip_other()}
        </Chip>
      </div>
      {isOther && (
        <div className="max-w-40">
          <InputField
            name="tip_amount"
            label={m.ordering_tip_amount()}
            inputMode="decimal"
            value={text}
            onChange={(event) => write(event.target.value)}
          />
        </div>
      )}
      <input type="hidden" name="tip" value={value} />
    </CheckoutSection>
  );
}

function Chip({ isChosen, onChoose, children }: { isChosen: boolean; onChoose: () => void; children: string }) {
  return (
    <label className="num inline-flex min-h-11 items-center rounded-full border border-line-strong px-5 font-semibold has-checked:border-ink has-checked:bg-ink has-checked:text-paper has-checked:forced-color-adjust-none has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent-text">
      <input type="radio" name="tip_choice" className="sr-only" checked={isChosen} onChange={onChoose} />
      {children}
    </label>
  );
}
