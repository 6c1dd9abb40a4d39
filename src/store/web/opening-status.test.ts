import { expect, test } from 'vitest';
import { aStore } from '#ordering/testing/samples.ts';
import { closureDetailWords, openStateWords, openSignStatusAt } from '#store/web/opening-status.ts';
import type { OpenState } from '#store/opening-hours.ts';

/** Open 17:00 to 23:00 every day in November, when London's time is UTC. */
const at = (clock: string, rest: Parameters<typeof aStore>[0] = {}) =>
  openSignStatusAt(aStore({ last_order_minutes: 15, ...rest }), new Date(`2026-11-21T${clock}:00Z`));

test.each([
  ['22:45', true, 'Order until 22:45'],
  ['22:46', false, 'Last orders were at 22:45 · order for tomorrow'],
  ['22:59', false, 'Last orders were at 22:45 · order for tomorrow'],
  ['23:00', false, 'Opens tomorrow at 17:00'],
])('at %s', (clock, isTaking, words) => {
  expect(at(clock)).toMatchObject({ isTaking, words });
});

test('after last orders the sign names the next time for orders today; if there is none, it names no time', () => {
  const twice = [
    { day: 'Saturday' as const, open: '12:00', close: '14:00' },
    { day: 'Saturday' as const, open: '17:00', close: '23:00' },
  ];
  expect(at('13:50', { operational_hours: twice }).words).toBe('Last orders were at 13:45 · order for 17:30');
  expect(at('22:50', { preorder_days: 0 }).words).toBe('Last orders were at 22:45');
});

test('last orders count back from the end of openings that join at midnight', () => {
  const joined = {
    operational_hours: [
      { day: 'Saturday' as const, open: '17:00', close: '23:59' },
      { day: 'Sunday' as const, open: '00:00', close: '02:00' },
    ],
  };
  expect(at('23:50', joined)).toMatchObject({ isTaking: true, words: 'Order until 01:45' });
});

test('a pause is shown before the last orders, and a shop without a last-orders time shows only its closing time', () => {
  expect(at('22:50', { paused_until: '2026-11-21T22:55:00Z' }).words).toBe('Short break, back at 22:55');
  expect(at('22:50', { paused_until: '2026-11-21T23:30:00Z' }).words).toBe('Closed for today, opens tomorrow at 17:00');
  expect(at('22:50', { last_order_minutes: 0 })).toMatchObject({ isTaking: true, words: 'Open until 23:00' });
});

const now = new Date('2026-11-21T13:00:00Z');
const store = { timezone: 'Europe/London', day_starts_at: '05:00' };
const shut: OpenState = { is_open: false, reason: 'closed', closes_at: null, opens_at: null, detail: null };

test.each<[string, OpenState, RegExp]>([
  ['open', { ...shut, is_open: true, reason: null, closes_at: '2026-11-21T23:00:00Z' }, /23:00/],
  ['open without end', { ...shut, is_open: true, reason: null }, /^Open$/],
  ['closed till tonight', { ...shut, opens_at: '2026-11-21T16:30:00Z' }, /today.*16:30/],
  ['closed till Monday', { ...shut, opens_at: '2026-11-23T12:00:00Z' }, /Monday.*12:00/],
  ['paused', { ...shut, reason: 'paused', opens_at: '2026-11-21T13:45:00Z' }, /13:45/],
  [
    'paused for the rest of the day',
    { ...shut, reason: 'paused', opens_at: '2026-11-22T12:00:00Z' },
    /^Closed for today, opens tomorrow at 12:00$/,
  ],
  [
    'paused for long',
    { ...shut, reason: 'paused', opens_at: '2026-11-23T12:00:00Z' },
    /^Closed for today, opens Monday at 12:00$/,
  ],
  ['not accepting', { ...shut, reason: 'not_accepting' }, /not taking orders/i],
])('%s', (_name, state, expected) => {
  expect(openStateWords(state, now, store)).toMatch(expected);
});

test.each([
  ['midnight', '2026-11-21T23:45:00Z', '2026-11-22T00:15:00Z', '00:15'],
  ['the start of a trading day', '2026-11-22T04:20:00Z', '2026-11-22T05:20:00Z', '05:20'],
])('a break over %s is a short one', (_what, from, opensAt, back) => {
  const state: OpenState = { ...shut, reason: 'paused', opens_at: opensAt };
  expect(openStateWords(state, new Date(from), store)).toBe(`Short break, back at ${back}`);
});

test.each(['The fryer broke', 'The fryer broke.', ' The fryer broke. '])('"%s" stands as one sentence', (words) => {
  expect(closureDetailWords(words)).toBe('The fryer broke.');
});
