import { expect, test } from 'vitest';
import { aStore, aZone } from '#ordering/testing/samples.ts';
import { findEndedService } from '#store/web/manage/use-store-draft.ts';
import type { Store } from '#store/contract.ts';
import { weekdays } from '#database/page-values.ts';

// A Wednesday evening.
const now = new Date('2026-11-18T18:00:00Z');
const open = aStore({
  is_accepting_orders: true,
  collection_enabled: true,
  delivery_enabled: true,
  delivery_zones: [aZone(['CV21'])],
  operational_hours: weekdays.map((day) => ({ day, open: '17:00', close: '23:00' })),
});
const day = (date: string) => ({ closures: [{ from: date, to: date, reason: '' }] });

test.each<[string, Partial<Store>, ReturnType<typeof findEndedService>]>([
  ['a closure of today', day('2026-11-18'), 'shop'],
  ['a closure of tomorrow', day('2026-11-19'), null],
  ['hours that end before now', { operational_hours: [{ day: 'Wednesday', open: '12:00', close: '15:00' }] }, 'shop'],
  ['hours that end later', { operational_hours: [{ day: 'Wednesday', open: '17:00', close: '18:30' }] }, null],
  ['no delivery', { delivery_enabled: false }, 'delivery'],
  ['the last zone', { delivery_zones: [] }, 'delivery'],
  ['no collection', { collection_enabled: false }, 'collection'],
  ['neither', { collection_enabled: false, delivery_enabled: false }, 'shop'],
  ['another name', { name: 'Bella' }, null],
])('%s', (_, change, expected) => {
  expect(findEndedService(open, { ...open, ...change }, now)).toBe(expected);
});

test('a shop on a short break is in the middle of its evening', () => {
  const paused = { ...open, paused_until: '2026-11-18T18:30:00.000Z' };
  expect(findEndedService(paused, { ...paused, ...day('2026-11-18') }, now)).toBe('shop');
});

test('what is not filled in yet closes nothing', () => {
  const after = { ...open, closures: [{ from: '', to: '', reason: '' }] };
  expect(findEndedService(open, after, now)).toBeNull();
});

test('a shop that is closed anyway ends nothing', () => {
  const morning = new Date('2026-11-18T09:00:00Z');
  expect(findEndedService(open, { ...open, ...day('2026-11-18') }, morning)).toBeNull();
});
