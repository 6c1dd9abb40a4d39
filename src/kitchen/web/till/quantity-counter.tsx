import { ActionIcon } from '@mantine/core';
import classes from '#kitchen/web/till/quantity-counter.module.css';
import { m } from '#messages';
import { Icon } from '#ui/web/office/office-icon.tsx';

interface CounterProps {
  label: string;
  value: number;
  least: 0 | 1;
  most?: number;
  /** `ordered`: the quantity of an order line; below one, the line is removed. `taken-off`: the quantity to remove. */
  of?: 'ordered' | 'taken-off';
  onChange: (value: number) => void;
}

export function QuantityCounter({ label: name, value, least, most = 99, of = 'ordered', onChange }: CounterProps) {
  const isOrdered = of === 'ordered';
  const isRemoving = isOrdered && value === 1 && least === 0;
  const fewer = isOrdered ? m.kitchen_till_fewer({ name }) : m.kitchen_take_off_fewer({ name });
  return (
    <div
      className={classes.counter}
      role="group"
      aria-label={isOrdered ? m.kitchen_till_quantity_of({ name }) : m.kitchen_take_off_quantity_of({ name })}
    >
      <ActionIcon
        variant="default"
        aria-label={isRemoving ? m.kitchen_till_remove({ name }) : fewer}
        disabled={value <= least}
        onClick={() => onChange(value - 1)}
      >
        <Icon name={isRemoving ? 'close' : 'minus'} />
      </ActionIcon>
      <output>{value}</output>
      <ActionIcon
        variant="default"
        aria-label={isOrdered ? m.kitchen_till_more({ name }) : m.kitchen_take_off_more({ name })}
        disabled={value >= most}
        onClick={() => onChange(value + 1)}
      >
        <Icon name="plus" />
      </ActionIcon>
    </div>
  );
}
