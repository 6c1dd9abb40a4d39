import { expect, test } from 'vitest';
import { hoursPresets, presetHours, findHoursPreset } from '#office/web/guided-set-up/hours-presets.ts';

test.each(hoursPresets)('hours of %s are known again, with their closed days', (preset) => {
  for (const closed of [[], ['Monday'], ['Monday', 'Sunday']]) {
    expect(findHoursPreset(presetHours(preset, closed).toReversed())).toEqual({ preset, closed });
  }
});

test('other hours, and none at all, are no preset', () => {
  const [first, ...rest] = presetHours('evenings', []);
  expect(findHoursPreset([{ ...first, day: 'Monday', open: '16:30', close: '22:00' }, ...rest])).toBeNull();
  expect(findHoursPreset([])).toBeNull();
});
