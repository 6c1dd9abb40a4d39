import { expect, test } from 'vitest';
import { aStore } from '#ordering/testing/samples.ts';
import { signOf } from '#store/web/sign-of.ts';

/** Open 17:00 to 23:00 every day in November, when London's time is UTC. */
const at = (clock: string, rest: Parameters<typeof aStore>[0] = {}) =>
  signOf(aStore({ last_order_minutes: 15, ...rest }), new Date(`2026-11-21T${clock}:00Z`));

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
