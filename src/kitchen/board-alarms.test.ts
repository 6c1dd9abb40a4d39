import { describe, expect, test } from 'vitest';
import {
  orderAlarms,
  complaintAlarms,
  canSilenceAlarm,
  resumesAfterSilence,
  connectionAlarms,
  alarmLoudnessAfter,
  loudnessOfAlarms,
  printingAlarms,
  soundingAlarms,
  stopConfirmationKey,
} from '#kitchen/board-alarms.ts';
import { aStore } from '#ordering/testing/samples.ts';
import type { Order } from '#ordering/order.ts';
import { sampleOrder } from '#printing/testing/sample-order.ts';

const now = Date.parse('2026-11-20T18:05:00.000Z');
const kinds = (fields: Parameters<typeof sampleOrder>[0]) =>
  orderAlarms([sampleOrder(fields)], now).map(({ kind }) => kind);

test('an order sounds until it is answered', () => {
  expect(kinds({ status: 'placed' })).toEqual(['new']);
  expect(kinds({ status: 'accepted' })).toEqual([]);
});

test('a payment that fails after accepting sounds, one that fails before or after the work does not', () => {
  expect(kinds({ status: 'accepted', payment_status: 'failed' })).toEqual(['payment']);
  expect(kinds({ status: 'out_for_delivery', payment_status: 'failed' })).toEqual(['payment']);
  expect(kinds({ status: 'pending_payment', payment_status: 'failed' })).toEqual([]);
  expect(kinds({ status: 'cancelled', payment_status: 'failed' })).toEqual([]);
});

test('an order cancelled while it cooks sounds, one that was never begun does not', () => {
  const closed_at = '2026-11-20T18:04:00.000Z';
  expect(kinds({ status: 'cancelled', closed_at, accepted_at: '2026-11-20T18:01:00.000Z' })).toEqual(['stop']);
  expect(kinds({ status: 'cancelled', closed_at })).toEqual([]);
  const test = { channel: 'test', status: 'cancelled', closed_at, accepted_at: closed_at } as const;
  expect(kinds(test), 'a test order that is removed').toEqual([]);
});

test('a customer who came to collect sounds until the handover, and "Heard it" silences it for good', () => {
  const arrived_at = '2026-11-20T18:04:00.000Z';
  expect(kinds({ status: 'packed', arrived_at })).toEqual(['arrived']);
  expect(kinds({ status: 'collected', arrived_at })).toEqual([]);
  const alarms = orderAlarms([sampleOrder({ status: 'accepted', arrived_at })], now);
  const heard = new Map(alarms.map(({ key }) => [key, now]));
  expect(soundingAlarms(alarms, heard, now + 60 * 60_000)).toEqual([]);
});

describe('complaints', () => {
  const store = aStore({ operational_hours: [{ day: 'Friday', open: '17:00', close: '23:00' }] });
  const complaints = [
    { id: 'a', created_at: '2026-11-20T18:04:00.000Z', is_allergy: false },
    { id: 'b', created_at: '2026-11-20T18:04:00.000Z', is_allergy: true },
  ];
  const alarmsAt = (at: number, openedAt = 0) => complaintAlarms(complaints, store, at, openedAt);
  const night = Date.parse('2026-11-21T02:00:00.000Z');

  test('sound until "Heard it"; one about an allergy resumes until it is answered', () => {
    const alarms = alarmsAt(now);
    expect(soundingAlarms(alarms, new Map(), now).map(({ kind }) => kind)).toEqual(['complaint', 'allergy']);
    const heard = new Map(alarms.map(({ key }) => [key, now]));
    expect(soundingAlarms(alarms, heard, now + 60_000)).toEqual([]);
    expect(soundingAlarms(alarms, heard, now + 121_000).map(({ kind }) => kind)).toEqual(['allergy']);
  });

  test('sound in a closed shop only if they are about an allergy', () => {
    expect(alarmsAt(night).map(({ kind }) => kind)).toEqual(['allergy']);
  });

  test('sound quietly on a board that is opened long after they came, and grow from then on', () => {
    const later = now + 2 * 3_600_000;
    expect(loudnessOfAlarms(alarmsAt(later, later), later)).toEqual(alarmLoudnessAfter(0));
    expect(loudnessOfAlarms(alarmsAt(later + 60_000, later), later + 60_000)).toEqual(alarmLoudnessAfter(60));
    expect(loudnessOfAlarms(alarmsAt(night, night), night)).toEqual(alarmLoudnessAfter(0));
    expect(loudnessOfAlarms(alarmsAt(now, now - 3_600_000), now)).toEqual(alarmLoudnessAfter(60));
  });
});

test('reasons on one order have names of their own, the same each time', () => {
  const order = sampleOrder({ status: 'accepted', payment_status: 'failed' });
  const [first] = orderAlarms([order], now);
  const [again] = orderAlarms([{ ...order, version: 2 }], now + 1000);
  expect(again?.key).toBe(first?.key);
  expect(orderAlarms([{ ...order, status: 'placed' }], now)[0]?.key).not.toBe(first?.key);
});

test('an alarm that nobody hears grows louder and quicker, up to full', () => {
  const steps = [0, 30, 60, 119, 120, 600].map(alarmLoudnessAfter);
  steps.slice(1).forEach((step, index) => {
    expect(step.gain).toBeGreaterThanOrEqual(steps[index]?.gain ?? 2);
    expect(step.pause).toBeLessThanOrEqual(steps[index]?.pause ?? 0);
  });
  expect(steps[0]?.gain).toBeGreaterThan(0.2);
  expect(steps.at(-1)).toEqual({ gain: 1, pause: 2 });
});

describe('an alarm that somebody has heard', () => {
  const at = (clock: string): number => Date.parse(`2026-11-20T${clock}.000Z`);
  /** Placed at 18:00, rejected automatically at 18:10. */
  const [unanswered] = orderAlarms([sampleOrder()], now);
  if (!unanswered) throw new Error('no alarm was found');
  const ringsAt = (heardAt: string, clock: string, alarm = unanswered): boolean =>
    soundingAlarms([alarm], new Map([[alarm.key, at(heardAt)]]), at(clock)).length > 0;

  test('is quiet for two minutes, and sounds again while its order is not answered', () => {
    expect(ringsAt('18:01:00', '18:01:00')).toBe(false);
    expect(ringsAt('18:01:00', '18:02:59')).toBe(false);
    expect(ringsAt('18:01:00', '18:03:00')).toBe(true);
  });

  test('is not quiet in the last minute, whenever it was heard', () => {
    expect(ringsAt('18:08:30', '18:08:59')).toBe(false);
    expect(ringsAt('18:08:30', '18:09:00')).toBe(true);
    expect(ringsAt('18:09:30', '18:09:30')).toBe(true);
    expect(canSilenceAlarm(unanswered, at('18:08:59'))).toBe(true);
    expect(canSilenceAlarm(unanswered, at('18:09:00'))).toBe(false);
  });

  test('leaves the others alone', () => {
    const others = orderAlarms([sampleOrder(), sampleOrder()], now);
    expect(soundingAlarms([unanswered, ...others], new Map([[unanswered.key, now]]), now)).toEqual(others);
  });

  test('comes back quietly, and grows from three minutes before the deadline to its last one', () => {
    const back = (heardAt: string, clock: string) =>
      loudnessOfAlarms(soundingAlarms([unanswered], new Map([[unanswered.key, at(heardAt)]]), at(clock)), at(clock));
    expect(back('18:03:00', '18:05:00')).toEqual(alarmLoudnessAfter(0));
    expect(back('18:05:00', '18:07:00')).toEqual(alarmLoudnessAfter(0));
    expect(back('18:05:30', '18:08:00')).toEqual(alarmLoudnessAfter(60));
    expect(back('18:08:00', '18:09:00')).toEqual({ gain: 1, pause: 2 });
  });

  test('of an order to stop comes back too; a failed payment, which can only wait, does not', () => {
    const cancelled = { status: 'cancelled', accepted_at: '2026-11-20T18:01:00.000Z' } as const;
    const [stop] = orderAlarms([sampleOrder({ ...cancelled, closed_at: '2026-11-20T18:04:00.000Z' })], now);
    const [payment] = orderAlarms([sampleOrder({ status: 'accepted', payment_status: 'failed' })], now);
    expect([ringsAt('18:05:00', '18:06:59', stop), ringsAt('18:05:00', '18:07:00', stop)]).toEqual([false, true]);
    expect(ringsAt('18:05:00', '18:59:00', payment)).toBe(false);
    if (!stop) throw new Error('no alarm was found');
    const seen = new Map([stop.key, stopConfirmationKey({ id: stop.orderId ?? '' })].map((key) => [key, now]));
    expect(soundingAlarms([stop], seen, at('18:20:00'))).toEqual([]);
  });
});

test('the most pressing of several orders says how loud it is', () => {
  const alarms = orderAlarms([sampleOrder({ placed_at: '2026-11-20T18:05:00.000Z' }), sampleOrder()], now);
  expect(loudnessOfAlarms(alarms, now)).toEqual({ gain: 1, pause: 2 });
  expect(loudnessOfAlarms(alarms.slice(0, 1), now)).toEqual(alarmLoudnessAfter(0));
});

describe('printing', () => {
  const since = '2026-11-20T18:04:00.000Z';
  const well = { status: { since: null } };
  const broken = { id: 'p1', status: { since } };
  const alarms = (printers: unknown[], unread: unknown[] = []) =>
    // Only these fields of a printer and of a print matter.
    printingAlarms({ printers, unread } as Parameters<typeof printingAlarms>[0]);

  test('a printer that does not print sounds until somebody heard it, and again with its next fault', () => {
    expect(alarms([well])).toEqual([]);
    const [alarm] = alarms([well, broken]);
    expect(alarm).toMatchObject({ kind: 'printer', orderId: null, since: Date.parse(since) });
    const heard = new Map([[alarm?.key ?? '', now]]);
    expect(soundingAlarms(alarms([broken]), heard, now + 3_600_000)).toEqual([]);
    const again = alarms([{ id: 'p1', status: { since: '2026-11-20T18:06:00.000Z' } }]);
    expect(soundingAlarms(again, heard, now)).toHaveLength(1);
  });

  test('a ticket that did not come out sounds again two minutes after it was heard', () => {
    const ticket = { id: 't1', order_id: 'o1', due_at: since };
    const [alarm] = alarms([], [ticket]);
    expect(alarm).toMatchObject({ kind: 'print', orderId: 'o1' });
    const heard = new Map([[alarm?.key ?? '', now]]);
    expect(soundingAlarms(alarms([], [ticket]), heard, now + 119_000)).toEqual([]);
    expect(soundingAlarms(alarms([], [ticket]), heard, now + 120_000)).toHaveLength(1);
  });
});

describe('a board that hears nothing of the shop', () => {
  const store = aStore({ operational_hours: [{ day: 'Friday', open: '17:00', close: '23:00' }] });
  const late = Date.parse('2026-11-20T23:30:00.000Z');
  const alarmsAt = (at: number, ...orders: Order[]) =>
    connectionAlarms(at - 1000, store, new Map(orders.map((order) => [order.id, order])), at);

  test('sounds while the shop is open, or an order is', () => {
    expect(alarmsAt(now).map(({ kind }) => kind)).toEqual(['line']);
    expect(alarmsAt(late)).toEqual([]);
    expect(alarmsAt(late, sampleOrder({ status: 'collected' }))).toEqual([]);
    expect(alarmsAt(late, sampleOrder({ status: 'accepted' })).map(({ kind }) => kind)).toEqual(['line']);
    expect(connectionAlarms(null, store, new Map(), now)).toEqual([]);
  });

  test('sounds until somebody has heard it, and again at the next outage', () => {
    const [lost] = alarmsAt(now);
    if (!lost) throw new Error('no alarm was found');
    const heard = new Map([[lost.key, now]]);
    expect(resumesAfterSilence(lost, now)).toBe(false);
    expect(soundingAlarms([lost], heard, now + 3_600_000)).toEqual([]);
    expect(soundingAlarms(alarmsAt(now + 60_000), heard, now + 60_000)).toHaveLength(1);
  });
});
