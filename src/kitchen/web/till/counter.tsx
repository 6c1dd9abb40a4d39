import { ActionIcon } from '@mantine/core';
import classes from '#kitchen/web/till/till.module.css';
import { m } from '#messages';
import { Icon } from '#ui/web/office/icon.tsx';

interface CounterProps {
  /** The name of what is counted. */
  label: string;
  value: number;
  least: 0 | 1;
  onChange: (value: number) => void;
}

/** Buttons for one more and one less; if `least` is 0, one less than 1 removes the line. */
export function Counter({ label, value, least, onChange }: CounterProps) {
  return (
    <div className={classes.counter} role="group" aria-label={m.kitchen_till_quantity_of({ name: label })}>
      <ActionIcon
        variant="default"
        aria-label={
          value === 1 && least === 0 ? m.kitchen_till_remove({ name: label }) : m.kitchen_till_fewer({ name: label })
        }
        disabled={value <= least}
        onClick={() => onChange(value - 1)}
      >
        <Icon name={value === 1 && least === 0 ? 'close' : 'minus'} />
      </ActionIcon>
      <output>{value}</output>
      <ActionIcon
        variant="default"
        aria-label={m.kitchen_till_more({ name: label })}
        disabled={value >= 99}
        onClick={() => onChange(value + 1)}
      >
        <Icon name="plus" />
      </ActionIcon>
    </div>
  );
}
