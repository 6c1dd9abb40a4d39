import { NativeSelect, TextInput } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { m } from '#messages';
import { shopNow } from '#platform/web/clock.ts';
import {
  type DateRange,
  maxRangeDays,
  presetOfRange,
  rangeLength,
  type RangePreset,
  rangePresets,
} from '#reports/date-range.ts';
import { presetWords } from '#reports/web/report-words.ts';
import classes from '#reports/web/reports.module.css';
import type { Store } from '#store/contract.ts';
import { tradingDayOf } from '#store/opening-hours.ts';

/** The current trading day of the shop; it changes when the next one begins. */
export function useTradingDay(store: Store): string {
  const [day, setDay] = useState(() => tradingDayOf(store, new Date(shopNow())));
  useEffect(() => {
    const look = () => setDay(tradingDayOf(store, new Date(shopNow())));
    const timer = setInterval(look, 30_000);
    return () => clearInterval(timer);
  }, [store]);
  return day;
}

interface PickerProps {
  range: DateRange;
  today: string;
  onRange: (range: DateRange | RangePreset) => void;
  children?: ReactNode;
}

export function RangePicker({ range, today, onRange, children }: PickerProps) {
  return (
    <div className={classes.picker}>
      <NativeSelect
        label={m.reports_range()}
        value={presetOfRange(range, today) ?? 'custom'}
        onChange={(event) => {
          const preset = rangePresets.find((name) => name === event.currentTarget.value);
          if (preset) onRange(preset);
        }}
        data={[
          ...rangePresets.map((preset) => ({ value: preset, label: presetWords[preset]() })),
          { value: 'custom', label: m.reports_custom(), disabled: true },
        ]}
      />
      <Days key={`${range.from} ${range.to}`} range={range} onRange={onRange} />
      {children}
    </div>
  );
}

/** The fields for a range's first and last day. Two typed days become the range as soon as they are valid. */
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
  return rangeLength(from, to) > maxRangeDays ? m.reports_range_too_long() : null;
}
