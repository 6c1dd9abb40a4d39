import { weekdays } from '#database/page-values.ts';
import type { OpeningEntry } from '#store/hours-shapes.ts';

export const hoursPresets = ['evenings', 'lunch_and_evenings', 'all_day'] as const;
export type HoursPreset = (typeof hoursPresets)[number];

const times: Record<HoursPreset, readonly Omit<OpeningEntry, 'day'>[]> = {
  evenings: [{ open: '17:00', close: '22:00' }],
  lunch_and_evenings: [
    { open: '12:00', close: '14:00' },
    { open: '17:00', close: '22:00' },
  ],
  all_day: [{ open: '11:00', close: '22:00' }],
};

/** The opening entries of a week that has the preset's hours on all days except `closed`. */
export function presetHours(preset: HoursPreset, closed: readonly string[]): OpeningEntry[] {
  return weekdays
    .filter((day) => !closed.includes(day))
    .flatMap((day) => times[preset].map((entry): OpeningEntry => ({ day, ...entry })));
}

/** The preset that opening hours follow, and the closed days; null: no preset. */
export function findHoursPreset(
  hours: readonly OpeningEntry[],
): { preset: HoursPreset; closed: readonly string[] } | null {
  const closed = weekdays.filter((day) => !hours.some((entry) => entry.day === day));
  if (closed.length === weekdays.length) return null;
  const words = (entries: readonly OpeningEntry[]) =>
    entries
      .map(({ day, open, close }) => `${day} ${open} ${close}`)
      .toSorted()
      .join();
  const preset = hoursPresets.find((one) => words(presetHours(one, closed)) === words(hours));
  return preset ? { preset, closed } : null;
}
