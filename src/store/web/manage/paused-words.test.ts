import { expect, test } from 'vitest';
import { aStore } from '#ordering/testing/samples.ts';
import { pausedWords } from '#store/web/manage/paused-words.ts';
import { weekdays } from '#database/page-values.ts';

const now = new Date('2026-11-18T18:00:00Z');

test('staff read whether customers of a paused shop can still order for later', () => {
  const paused = { is_accepting_orders: true, collection_enabled: true, paused_until: '2026-11-18T18:30:00.000Z' };
  const always = weekdays.map((day) => ({ day, open: '05:00', close: '05:00' }));
  const ahead = aStore({ ...paused, operational_hours: always, preorder_days: 1 });
  expect(pausedWords(ahead, now)).toMatch(/^Paused\. Customers can still order for later, from today at 18:\d\d\.$/);
  const none = aStore({ ...paused, operational_hours: always, is_accepting_orders: false });
  expect(pausedWords(none, now)).toBe('Paused. Customers cannot order now, nor for later.');
});
