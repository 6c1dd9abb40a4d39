import { NativeSelect, TextInput } from '@mantine/core';
import { m } from '#messages';
import { type ListView, withFilter } from '#ui/list-view.ts';

interface FilterProps {
  view: ListView;
  onView: (part: Partial<ListView>) => void;
}

/** From and to, as trading days. */
export function DayFilters({ view, onView }: FilterProps) {
  return (
    <>
      {(['from', 'to'] as const).map((name) => (
        <TextInput
          key={name}
          type="date"
          label={name === 'from' ? m.office_list_from() : m.office_list_to()}
          value={view.filters[name] ?? ''}
          onChange={(event) => onView({ filters: withFilter(view, name, event.currentTarget.value) })}
        />
      ))}
    </>
  );
}

interface Choice {
  value: string;
  label: string;
}

/** A choice of one value; without a choice, all rows show. */
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
      onChange={(event) => onView({ filters: withFilter(view, name, event.currentTarget.value) })}
      data={[{ value: '', label: m.office_list_any() }, ...choices]}
    />
  );
}

/** All values that have a label, as choices. */
export function choicesOf(words: Record<string, () => string>): Choice[] {
  return Object.entries(words).map(([value, say]) => ({ value, label: say() }));
}
