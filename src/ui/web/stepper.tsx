import { m } from '#messages';
import { Icon } from '#ui/web/icon.tsx';

interface StepperProps {
  label: string;
  value: number;
  min: number;
  max: number;
  onChange: (value: number) => void;
  /** The size of the buttons; small buttons still have touch targets of 44 px. */
  size?: 'large' | 'small';
}

/**
 * A count between two buttons. The count never goes below `min`, so a list with removable lines needs a separate button
 * for the removal.
 */
export function Stepper({ label, value, min, max, onChange, size = 'large' }: StepperProps) {
  const button = `grid size-11 place-items-center rounded-full text-accent-text hover:bg-accent-soft disabled:text-ink-soft disabled:opacity-50`;
  return (
    <div
      role="group"
      aria-label={label}
      className={`inline-flex items-center rounded-full border border-line-strong bg-surface ${size === 'large' ? 'p-0.5' : ''}`}
    >
      <button
        type="button"
        className={button}
        disabled={value <= min}
        aria-label={m.platform_fewer({ label })}
        onClick={() => onChange(value - 1)}
      >
        <Icon name="minus" />
      </button>
      <output className="num min-w-7 text-center font-bold" aria-live="polite">
        {value}
      </output>
      <button
        type="button"
        className={button}
        disabled={value >= max}
        aria-label={m.platform_more({ label })}
        onClick={() => onChange(value + 1)}
      >
        <Icon name="plus" />
      </button>
    </div>
  );
}
