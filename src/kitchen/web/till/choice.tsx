import { SegmentedControl } from '@mantine/core';
import classes from '#kitchen/web/till/choice.module.css';

interface ChoiceProps<T extends string> {
  label: string;
  value: T;
  data: Record<T, string>;
  onChange: (value: T) => void;
}

/** One of a few options, all of them visible. */
export function Choice<T extends string>({ label, value, data, onChange }: ChoiceProps<T>) {
  const values = Object.keys(data) as T[];
  return (
    <SegmentedControl
      className={classes.choice ?? ''}
      size="md"
      aria-label={label}
      value={value}
      data={values.map((each) => ({ value: each, label: data[each] }))}
      onChange={(next) => onChange(values.find((each) => each === next) ?? value)}
    />
  );
}
