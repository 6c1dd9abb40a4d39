import { Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { m } from '#messages';
import { daysBetween, longestRange, presetOf, presets, type DateRange, type Preset } from '#reports/date-range.ts';
import { presetWords } from '#reports/web/report-words.ts';
import classes from '#reports/web/reports.module.css';

interface PickerProps {
  range: DateRange;
  today: string;
  isCompared: boolean;
  onRange: (range: DateRange | Preset) => void;
  onCompare: (isCompared: boolean) => void;
}

/** Which trading days, and whether beside those before. */
export function RangePicker({ range, today, isCompared, onRange, onCompare }: PickerProps) {
  return (
    <div className={classes.picker}>
      <NativeSelect
        label={m.reports_range()}
        value={presetOf(range, today) ?? 'custom'}
        onChange={(event) => {
          const preset = presets.find((name) => name === event.currentTarget.value);
          if (preset) onRange(preset);
        }}
        data={[
          ...presets.map((preset) => ({ value: preset, label: presetWords[preset]() })),
          { value: 'custom', label: m.reports_custom(), disabled: true },
        ]}
      />
      <Days key={`${range.from} ${range.to}`} range={range} onRange={onRange} />
      <Checkbox
        label={m.reports_compare()}
        checked={isCompared}
        onChange={(event) => onCompare(event.currentTarget.checked)}
      />
    </div>
  );
}

/** Typed days become the range once they make one. */
function Days({ range, onRange }: Pick<PickerProps, 'range' | 'onRange'>) {
  const [typed, setTyped] = useState(range);
  const fault = faultOf(typed);
  const type = (next: DateRange): void => {
    setTyped(next);
    if (!faultOf(next) && (next.from !== range.from || next.to !== range.to)) onRange(next);
  };
  return (
    <>
      <TextInput
        type="date"
        label={m.reports_from()}
        value={typed.from}
        onChange={(event) => type({ ...typed, from: event.currentTarget.value })}
      />
      <TextInput
        type="date"
        label={m.reports_to()}
        value={typed.to}
        error={fault}
        onChange={(event) => type({ ...typed, to: event.currentTarget.value })}
      />
    </>
  );
}

function faultOf({ from, to }: DateRange): string | null {
  if (from === '' || to === '') return m.reports_range_missing();
  if (from > to) return m.platform_days_backwards();
  return daysBetween(from, to) > longestRange ? m.reports_range_too_long() : null;
}
