import { Button, NativeSelect, Text, TextInput } from '@mantine/core';
import { m } from '#messages';
import { type ListView, filtersWith } from '#ui/list-view.ts';
import type { ReactNode } from 'react';
import classes from '#ui/web/office/selection-bar.module.css';

interface FilterProps {
  view: ListView;
  onView: (part: Partial<ListView>) => void;
}

/** The filters `from` and `to`, which are trading days. */
export function DayFilters({ view, onView }: FilterProps) {
  return (
    <>
      {(['from', 'to'] as const).map((name) => (
        <TextInput
          key={name}
          type="date"
          label={name === 'from' ? m.office_list_from() : m.office_list_to()}
          value={view.filters[name] ?? ''}
          onChange={(event) => onView({ filters: filtersWith(view, name, event.currentTarget.value) })}
        />
      ))}
    </>
  );
}

interface Choice {
  value: string;
  label: string;
}

export function ChoiceFilter({
  name,
  label,
  choices,
  view,
  onView,
}: FilterProps & { name: string; label: string; choices: readonly Choice[] }) {
  return (
    <NativeSelect
      label={label}
      value={view.filters[name] ?? ''}
      onChange={(event) => onView({ filters: filtersWith(view, name, event.currentTarget.value) })}
      data={[{ value: '', label: m.office_list_any() }, ...choices]}
    />
  );
}

export function choicesFromWords(words: Record<string, () => string>): Choice[] {
  return Object.entries(words).map(([value, say]) => ({ value, label: say() }));
}

/** Says that the search covered recent days only, and how to search all days; empty if it covered all days. */
export function SearchedDaysHint({ days }: { days: number | null }) {
  if (days === null) return null;
  return (
    <Text size="sm" c="dimmed" role="status">
      {days < 30 ? m.office_list_searched_few({ days }) : m.office_list_searched_days({ days })}
    </Text>
  );
}

/**
 * Shows the number of selected rows, their actions, and a button that clears the selection; empty without a selection.
 * The bar sticks below the rows, because above them it would shift the rows when it appears.
 */
export function SelectionBar({
  count,
  onClear,
  children,
}: {
  count: number;
  onClear: () => void;
  children: ReactNode;
}) {
  if (count === 0) return null;
  return (
    <div className={classes.bar} role="region" aria-label={m.office_list_selection()}>
      <strong>{m.office_list_selected({ count })}</strong>
      {children}
      <Button variant="subtle" onClick={onClear}>
        {m.office_list_select_none()}
      </Button>
    </div>
  );
}
