import { expect, test } from 'vitest';
import { aMenu, anItem } from '#ordering/testing/samples.ts';
import { visibleCategories } from '#ordering/web/menu/menu-filter.ts';
import { weekdays } from '#database/page-values.ts';

test.each([
  ['always', null, null],
  ['for some hours', { days: [...weekdays], from: '12:00', to: '15:00' }, 'Served from 12:00 to 15:00'],
  [
    'for a whole day of each, as an unticked “Always” begins',
    { days: [...weekdays], from: '05:00', to: '05:00' },
    null,
  ],
  [
    'on some days',
    { days: ['Sunday' as const, 'Saturday' as const], from: '05:00', to: '05:00' },
    'Served on: Saturday, Sunday',
  ],
])('a menu that is served %s', (_, availability, words) => {
  expect(visibleCategories([aMenu([anItem('Eggs')], { availability })])[0]?.served).toBe(words);
});
