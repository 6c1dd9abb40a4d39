import { openStatuses } from '#ordering/order-status.ts';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { beginsAt, boardStages, groupOrders, mustStop, stageOf } from '#kitchen/board-columns.ts';
import { sampleOrder } from '#printing/testing/sample-order.ts';
import { samplePrint } from '#printing/testing/sample-print.ts';
import { OrderStatus } from '#ordering/order.ts';

const times = { prep_minutes: 20, busy_extra_minutes: 0, delivery_zones: [] };
const at = (clock: string): number => Date.parse(`2026-11-20T${clock}:00.000Z`);
const iso = (clock: string): string => new Date(at(clock)).toISOString();
const never = (): boolean => false;

test.each([
  ['placed', 'new'],
  ['accepted', 'kitchen'],
  ['packed', 'ready'],
  ['out_for_delivery', 'ready'],
  ['delivered', 'done'],
  ['collected', 'done'],
  ['rejected', 'done'],
  ['cancelled', 'done'],
  ['expired', null],
  ['pending_payment', null],
] as const)('an order that is %s stands under %s', (status, stage) => {
  expect(stageOf(sampleOrder({ status }), times, at('18:05'), false)).toBe(stage);
});

test('an order that nobody answered stands apart until somebody has followed it up, whatever the day', () => {
  const lost = sampleOrder({ status: 'rejected', reject_reason: 'not_answered', closed_at: iso('18:10') });
  expect(stageOf(lost, times, at('18:10'), false)).toBe('lost');
  expect(stageOf(lost, times, at('18:10') + 72 * 3_600_000, false)).toBe('lost');
  expect(stageOf({ ...lost, followed_up: 'rung' }, times, at('18:11'), false)).toBe('done');
  expect(stageOf({ ...lost, reject_reason: 'too_busy' }, times, at('18:11'), false)).toBe('done');
});

test('a scheduled order is answered among the new ones', () => {
  const order = sampleOrder({ requested_for: iso('21:00') });
  expect(stageOf(order, times, at('18:00'), false)).toBe('new');
});

test('a scheduled order waits apart until its cooking starts', () => {
  const order = sampleOrder({ status: 'accepted', requested_for: iso('21:00'), promised_at: iso('21:00') });
  expect(stageOf(order, times, at('20:39'), false)).toBe('later');
  expect(stageOf(order, times, at('20:40'), false)).toBe('kitchen');
});

test('a slow dish begins earlier, and a copy printed again moves nothing', () => {
  const prints = [
    samplePrint({ id: 'a', copy: 'kitchen', due_at: iso('18:00') }),
    samplePrint({ id: 'b', copy: 'customer', due_at: iso('18:00') }),
    samplePrint({ id: 'c', copy: 'kitchen', due_at: iso('20:30') }),
  ];
  const order = sampleOrder({ requested_for: iso('21:00'), prep_minutes: 50, prints });
  expect(beginsAt(order, times)).toBe(at('20:10'));
});

test('a delivery starts earlier by the way to its zone', () => {
  const zone = { name: '', fee: 0, minimum_order: 0, free_over: null };
  const delivery_zones = [
    { ...zone, postcode_prefixes: ['CV21'], extra_minutes: 5 },
    { ...zone, postcode_prefixes: ['CV23'], extra_minutes: 15 },
  ];
  const address = { line1: '', line2: '', city: '', postcode: 'CV23 9AA', instructions: '' };
  const order = sampleOrder({ fulfilment_type: 'delivery', address, requested_for: iso('21:00') });
  expect(beginsAt(order, { ...times, delivery_zones })).toBe(at('20:25'));
});

test('a board that opens shows no cancellation of more than a quarter of an hour before, which others have seen', () => {
  const order = sampleOrder({ status: 'cancelled', accepted_at: iso('18:02'), closed_at: iso('18:10') });
  const now = Date.parse(iso('18:30'));
  expect(mustStop(order, now, Date.parse(iso('18:24')))).toBe(true);
  expect(mustStop(order, now, Date.parse(iso('18:26')))).toBe(false);
});

test('an order cancelled while it cooks stays in sight until somebody confirms, or half an hour', () => {
  const order = sampleOrder({ status: 'cancelled', accepted_at: iso('18:02'), closed_at: iso('18:10') });
  expect(stageOf(order, times, at('18:11'), false)).toBe('kitchen');
  expect(stageOf({ ...order, packed_at: iso('18:09') }, times, at('18:11'), false)).toBe('ready');
  expect(stageOf(order, times, at('18:11'), true)).toBe('done');
  expect(stageOf(order, times, at('18:41'), false)).toBe('done');
});

const rugby = { line1: '', line2: '', city: '', postcode: 'CV23 9AA', instructions: '' };
const fifteen = [
  { name: '', fee: 0, minimum_order: 0, free_over: null, postcode_prefixes: ['CV23'], extra_minutes: 15 },
];

test('in the kitchen the first ticket is what must leave first: a delivery earlier than its promise, by its way', () => {
  const accepted = (accepted_at: string, promised_at: string, more: object = {}) =>
    sampleOrder({ status: 'accepted', accepted_at: iso(accepted_at), promised_at: iso(promised_at), ...more });
  const late = accepted('18:01', '19:00');
  const soon = accepted('18:04', '18:20');
  const away = accepted('18:03', '18:34', { fulfilment_type: 'delivery', address: rugby });
  const same = accepted('18:05', '18:20');
  const { kitchen } = groupOrders([same, late, soon, away], { ...times, delivery_zones: fifteen }, at('18:05'), never);
  expect(kitchen).toEqual([away, soon, same, late]);
});

test('what is ready stands by when it must leave, before all that is on its way', () => {
  const packed = (status: 'packed' | 'out_for_delivery', packed_at: string, promised_at: string) =>
    sampleOrder({ status, packed_at: iso(packed_at), promised_at: iso(promised_at) });
  const gone = packed('out_for_delivery', '18:00', '18:10');
  const late = packed('packed', '18:01', '19:00');
  const soon = packed('packed', '18:04', '18:20');
  expect(groupOrders([gone, late, soon], times, at('18:05'), never).ready).toEqual([soon, late, gone]);
});

test('new orders stand by their deadline, and later ones by when their cooking starts', () => {
  const night = sampleOrder({ placed_at: iso('17:00'), answer_by: iso('19:00') });
  const fresh = sampleOrder({ placed_at: iso('18:00'), answer_by: iso('18:10') });
  expect(groupOrders([night, fresh], times, at('18:05'), never).new).toEqual([fresh, night]);
  const later = (requested_for: string, more: object = {}) =>
    sampleOrder({ status: 'accepted', requested_for: iso(requested_for), promised_at: iso(requested_for), ...more });
  const quick = later('21:00');
  const slow = later('21:10', { prep_minutes: 50 });
  expect(groupOrders([quick, slow], times, at('18:05'), never).later).toEqual([slow, quick]);
});

test('the done list starts with the latest', () => {
  const early = sampleOrder({ status: 'collected', completed_at: iso('18:01') });
  const late = sampleOrder({ status: 'rejected', closed_at: iso('18:04') });
  expect(groupOrders([early, late], times, at('18:05'), never).done).toEqual([late, early]);
});

test('every open order stands in exactly one column', () => {
  const statuses = fc.array(fc.constantFrom(...OrderStatus.options));
  fc.assert(
    fc.property(statuses, fc.integer({ min: -600, max: 600 }), (some, minutes) => {
      const orders = some.map((status) => sampleOrder({ status, requested_for: iso('20:00') }));
      const columns = groupOrders(orders, times, at('18:00') + minutes * 60_000, never);
      const shown = boardStages.flatMap((stage) => columns[stage]);
      expect(new Set(shown).size).toBe(shown.length);
      const open = orders.filter((order) => openStatuses.some((status) => status === order.status));
      expect(shown).toEqual(expect.arrayContaining(open));
    }),
  );
});
