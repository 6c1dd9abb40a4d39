import { expect, test } from 'vitest';
import { aStore } from '#ordering/testing/samples.ts';
import { pausedWords, wayPausedWords } from '#store/web/manage/paused-words.ts';
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

test('staff read that the other way goes on only while it does', () => {
  const [over, later] = ['2026-11-18T17:30:00.000Z', '2026-11-18T18:30:00.000Z'];
  const own = { fulfilment_type: 'collection', until: later, reason: '' } as const;
  const other = (until: string) => aStore({ pauses: [own, { fulfilment_type: 'delivery', until, reason: '' }] });
  expect(wayPausedWords(other(over), 'collection', now)).toBe('Collection is paused. Delivery goes on.');
  const all = 'Collection and delivery are both paused.';
  expect(wayPausedWords(other(later), 'collection', now)).toBe(all);
  expect(wayPausedWords(aStore({ pauses: [own], paused_until: later }), 'collection', now)).toBe(all);
});
