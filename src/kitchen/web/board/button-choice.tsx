import { Button } from '@mantine/core';
import panels from '#kitchen/web/board/panels.module.css';

interface ChoiceProps<Value extends string> {
  /** The id of the heading that names the choice; without a heading, `label` names it. */
  labelledBy?: string;
  label?: string;
  options: readonly { value: Value; label: string }[];
  value: Value;
  onChange: (value: Value) => void;
}

/**
 * A choice of one of a few values, as large buttons. The buttons are Mantine's, because the board has loaded them
 * anyway.
 */
export function ButtonChoice<Value extends string>({
  labelledBy,
  label,
  options,
  value,
  onChange,
}: ChoiceProps<Value>) {
  return (
    <div className={panels.buttons} role="group" aria-label={label} aria-labelledby={labelledBy}>
      {options.map((option) => (
        <Button
          key={option.value}
          variant={option.value === value ? 'filled' : 'default'}
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
        >
          {option.label}
        </Button>
      ))}
    </div>
  );
}
