import { openStatuses } from '#ordering/order-status.ts';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  cookingBeginsAt,
  type BoardLayout,
  type BoardStage,
  boardStages,
  groupOrdersByStage,
  layoutWithFrozenColumns,
  isColumnFrozen,
  laneColumnCounts,
  laneShares,
  boardWithoutFrozenLanes,
  boardAfterRelease,
  nextThawAt,
  mustStopCooking,
  boardAfterPress,
  isSameLayout,
  advanceFreezableBoard,
  boardStageOf,
  createFreezableBoard,
  type FreezableBoard,
  type TicketSort,
} from '#kitchen/board-layout.ts';
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
  expect(boardStageOf(sampleOrder({ status }), times, at('18:05'), false)).toBe(stage);
});

test('an order that nobody answered stands apart until somebody has followed it up, whatever the day', () => {
  const lost = sampleOrder({ status: 'rejected', reject_reason: 'not_answered', closed_at: iso('18:10') });
  expect(boardStageOf(lost, times, at('18:10'), false)).toBe('lost');
  expect(boardStageOf(lost, times, at('18:10') + 72 * 3_600_000, false)).toBe('lost');
  expect(boardStageOf({ ...lost, followed_up: 'rung' }, times, at('18:11'), false)).toBe('done');
  expect(boardStageOf({ ...lost, reject_reason: 'too_busy' }, times, at('18:11'), false)).toBe('done');
});

test('a test order that is removed leaves the board at once, accepted or not, and stands nowhere', () => {
  for (const accepted_at of [null, iso('18:01')]) {
    const removed = sampleOrder({ channel: 'test', status: 'cancelled', accepted_at, closed_at: iso('18:02') });
    expect(boardStageOf(removed, times, at('18:03'), false)).toBe(null);
    expect(mustStopCooking(removed, at('18:03'))).toBe(false);
  }
  expect(boardStageOf(sampleOrder({ channel: 'test', status: 'accepted' }), times, at('18:03'), false)).toBe('kitchen');
});

test('a scheduled order is answered among the new ones', () => {
  const order = sampleOrder({ requested_for: iso('21:00') });
  expect(boardStageOf(order, times, at('18:00'), false)).toBe('new');
});

test('a scheduled order waits apart until its cooking starts', () => {
  const order = sampleOrder({ status: 'accepted', requested_for: iso('21:00'), promised_at: iso('21:00') });
  expect(boardStageOf(order, times, at('20:39'), false)).toBe('later');
  expect(boardStageOf(order, times, at('20:40'), false)).toBe('kitchen');
});

test('a slow dish begins earlier, and a copy printed again moves nothing', () => {
  const prints = [
    samplePrint({ id: 'a', copy: 'kitchen', due_at: iso('18:00') }),
    samplePrint({ id: 'b', copy: 'customer', due_at: iso('18:00') }),
    samplePrint({ id: 'c', copy: 'kitchen', due_at: iso('20:30') }),
  ];
  const order = sampleOrder({ requested_for: iso('21:00'), prep_minutes: 50, prints });
  expect(cookingBeginsAt(order, times)).toBe(at('20:10'));
});

test('a delivery starts earlier by the way to its zone', () => {
  const zone = { name: '', fee: 0, minimum_order: 0, free_over: null };
  const delivery_zones = [
    { ...zone, postcode_prefixes: ['CV21'], extra_minutes: 5 },
    { ...zone, postcode_prefixes: ['CV23'], extra_minutes: 15 },
  ];
  const address = { line1: '', line2: '', city: '', postcode: 'CV23 9AA', instructions: '' };
  const order = sampleOrder({ fulfilment_type: 'delivery', address, requested_for: iso('21:00') });
  expect(cookingBeginsAt(order, { ...times, delivery_zones })).toBe(at('20:25'));
});

test('a board that opens shows no cancellation of more than a quarter of an hour before, which others have seen', () => {
  const order = sampleOrder({ status: 'cancelled', accepted_at: iso('18:02'), closed_at: iso('18:10') });
  const now = Date.parse(iso('18:30'));
  expect(mustStopCooking(order, now, Date.parse(iso('18:24')))).toBe(true);
  expect(mustStopCooking(order, now, Date.parse(iso('18:26')))).toBe(false);
});

test('an order cancelled while it cooks stays in sight until somebody confirms, or half an hour', () => {
  const order = sampleOrder({ status: 'cancelled', accepted_at: iso('18:02'), closed_at: iso('18:10') });
  expect(boardStageOf(order, times, at('18:11'), false)).toBe('kitchen');
  expect(boardStageOf({ ...order, packed_at: iso('18:09') }, times, at('18:11'), false)).toBe('ready');
  expect(boardStageOf(order, times, at('18:11'), true)).toBe('done');
  expect(boardStageOf(order, times, at('18:41'), false)).toBe('done');
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
  const { kitchen } = groupOrdersByStage(
    [same, late, soon, away],
    { ...times, delivery_zones: fifteen },
    at('18:05'),
    never,
  );
  expect(kitchen).toEqual([away, soon, same, late]);
});

test('what is ready stands by when it must leave, before all that is on its way', () => {
  const packed = (status: 'packed' | 'out_for_delivery', packed_at: string, promised_at: string) =>
    sampleOrder({ status, packed_at: iso(packed_at), promised_at: iso(promised_at) });
  const gone = packed('out_for_delivery', '18:00', '18:10');
  const late = packed('packed', '18:01', '19:00');
  const soon = packed('packed', '18:04', '18:20');
  expect(groupOrdersByStage([gone, late, soon], times, at('18:05'), never).ready).toEqual([soon, late, gone]);
});

test('new orders stand by their deadline, and later ones by when their cooking starts', () => {
  const night = sampleOrder({ placed_at: iso('17:00'), answer_by: iso('19:00') });
  const fresh = sampleOrder({ placed_at: iso('18:00'), answer_by: iso('18:10') });
  expect(groupOrdersByStage([night, fresh], times, at('18:05'), never).new).toEqual([fresh, night]);
  const later = (requested_for: string, more: object = {}) =>
    sampleOrder({ status: 'accepted', requested_for: iso(requested_for), promised_at: iso(requested_for), ...more });
  const quick = later('21:00');
  const slow = later('21:10', { prep_minutes: 50 });
  expect(groupOrdersByStage([quick, slow], times, at('18:05'), never).later).toEqual([slow, quick]);
});

test('the done list starts with the latest', () => {
  const early = sampleOrder({ status: 'collected', completed_at: iso('18:01') });
  const late = sampleOrder({ status: 'rejected', closed_at: iso('18:04') });
  expect(groupOrdersByStage([early, late], times, at('18:05'), never).done).toEqual([late, early]);
});

test('every open order stands in exactly one column', () => {
  const statuses = fc.array(fc.constantFrom(...OrderStatus.options));
  fc.assert(
    fc.property(statuses, fc.integer({ min: -600, max: 600 }), (some, minutes) => {
      const orders = some.map((status) => sampleOrder({ status, requested_for: iso('20:00') }));
      const columns = groupOrdersByStage(orders, times, at('18:00') + minutes * 60_000, never);
      const shown = boardStages.flatMap((stage) => columns[stage]);
      expect(new Set(shown).size).toBe(shown.length);
      const open = orders.filter((order) => openStatuses.some((status) => status === order.status));
      expect(shown).toEqual(expect.arrayContaining(open));
    }),
  );
});

const layout = (part: Partial<BoardLayout>): BoardLayout => ({
  new: [],
  kitchen: [],
  ready: [],
  later: [],
  done: [],
  lost: [],
  ...part,
});

const everywhere = boardStages;

test('in a held column every ticket keeps its place though its order moved on or is gone', () => {
  const shown = layout({ new: ['a', 'b'], kitchen: ['c'] });
  expect(layoutWithFrozenColumns(shown, layout({ new: ['b'], kitchen: ['a', 'c'] }), everywhere)).toEqual(shown);
});

test('a new ticket joins at the end, and the done list at its head', () => {
  const shown = layout({ new: ['b'], done: ['x'] });
  const held = layoutWithFrozenColumns(shown, layout({ new: ['a', 'b'], done: ['y', 'x'] }), everywhere);
  expect(held).toEqual(layout({ new: ['b', 'a'], done: ['y', 'x'] }));
});

test('a column that is not held moves at once, without the tickets that stay in one that is', () => {
  const shown = layout({ new: ['a', 'b'], kitchen: ['c', 'd'] });
  const held = layoutWithFrozenColumns(shown, layout({ new: ['b'], kitchen: ['d', 'a', 'c'] }), ['new']);
  expect(held).toEqual(layout({ new: ['a', 'b'], kitchen: ['d', 'c'] }));
});

test('layouts are the same when every column is', () => {
  expect(isSameLayout(layout({ new: ['a'] }), layout({ new: ['a'] }))).toBe(true);
  expect(isSameLayout(layout({ new: ['a', 'b'] }), layout({ new: ['b', 'a'] }))).toBe(false);
  expect(isSameLayout(layout({ new: ['a'] }), layout({ new: ['a'], later: ['b'] }))).toBe(false);
});

test('lanes without tickets give their room to the others, and new orders get the most of it', () => {
  const three = ['a', 'b', 'c'];
  expect(laneShares(layout({ new: three }))).toEqual({ new: 3, kitchen: 0, ready: 0 });
  expect(laneShares(layout({ new: three, kitchen: ['d', 'e', 'f'], ready: ['g'] }))).toEqual({
    new: 3,
    kitchen: 2,
    ready: 1,
  });
  expect(laneShares(layout({ kitchen: three }))).toEqual({ new: 1, kitchen: 2, ready: 0 });
});

test('a kitchen with far more orders than are new gets the width', () => {
  const many = (count: number, name: string) => Array.from({ length: count }, (_, place) => `${name}${place}`);
  const busy = { kitchen: many(43, 'k'), ready: many(9, 'r') };
  expect(laneShares(layout({ new: many(4, 'n'), ...busy }))).toEqual({ new: 1, kitchen: 3, ready: 1 });
  expect(laneShares(layout({ new: many(30, 'n'), ...busy }))).toEqual({ new: 3, kitchen: 2, ready: 2 });
});

test('tickets in the kitchen may stand in the order of their arrival; new ones never do', () => {
  const order = (id: string, status: 'placed' | 'accepted', placed: string, due: string) => {
    const times = { placed_at: iso(placed), accepted_at: iso(placed), promised_at: iso(due), answer_by: iso(due) };
    return sampleOrder({ id, status, ...times });
  };
  const orders = [
    order('soon', 'accepted', '18:02', '18:30'),
    order('early', 'accepted', '18:01', '18:50'),
    order('second', 'placed', '18:01', '18:50'),
    order('first', 'placed', '18:02', '18:30'),
  ];
  const idsOf = (sort?: TicketSort) => {
    const { new: fresh, kitchen } = groupOrdersByStage(orders, times, at('18:05'), never, sort);
    return [...fresh, ...kitchen].map(({ id }) => id);
  };
  expect(idsOf()).toEqual(['first', 'second', 'soon', 'early']);
  expect(idsOf('arrival')).toEqual(['first', 'second', 'early', 'soon']);
});

test.each([
  ['each lane has orders', { new: 3, kitchen: 2, ready: 2 }, 5, { new: 3, kitchen: 2, ready: 1 }],
  ['a few are new and many are cooked', { new: 1, kitchen: 3, ready: 0 }, 5, { new: 1, kitchen: 4, ready: 0 }],
  ['all are new', { new: 3, kitchen: 0, ready: 0 }, 4, { new: 4, kitchen: 0, ready: 0 }],
  ['all are ready', { new: 1, kitchen: 0, ready: 2 }, 4, { new: 1, kitchen: 0, ready: 3 }],
  ['there are none', { new: 1, kitchen: 1, ready: 1 }, 4, { new: 2, kitchen: 2, ready: 1 }],
  ['the screen is narrow', { new: 3, kitchen: 2, ready: 1 }, 0, { new: 1, kitchen: 1, ready: 1 }],
] as const)('tickets beside each other where %s', (_case, shares, room, columns) => {
  expect(laneColumnCounts(shares, room)).toEqual(columns);
});

test('a board without orders shares its width evenly', () => {
  expect(laneShares(layout({ later: ['a'], done: ['b'] }))).toEqual({ new: 1, kitchen: 1, ready: 1 });
});

const before = layout({ new: ['a', 'b', 'c'], kitchen: ['k'] });
const after = layout({ new: ['b', 'c'], kitchen: ['a', 'k'] });
const tap = (board: FreezableBoard, now: number, stages: readonly BoardStage[] = ['new']): FreezableBoard =>
  boardAfterRelease(boardAfterPress(board, now), stages, now);

test('an accepted ticket stays in its place until three seconds after the last tap in its lane', () => {
  let board = advanceFreezableBoard(tap(createFreezableBoard(before), 1000), after, 1000);
  expect(board.layout).toEqual(before);
  board = advanceFreezableBoard(tap(board, 3500), after, 3500);
  board = advanceFreezableBoard(board, after, 6499);
  expect(board.layout).toEqual(before);
  expect(nextThawAt(board, 6499)).toBe(6500);
  board = advanceFreezableBoard(board, after, 6500);
  expect(board.layout).toEqual(after);
  expect(nextThawAt(board, 6500)).toBeNull();
});

test('a lane that is tapped every second moves after ten', () => {
  let board = createFreezableBoard(before);
  for (let now = 0; now < 10_000; now += 1000) {
    board = advanceFreezableBoard(tap(board, now), after, now);
    expect(board.layout).toEqual(before);
  }
  expect(advanceFreezableBoard(board, after, 10_000).layout).toEqual(after);
});

test('a ticket that another board took stays as long, and a second one does not shorten that', () => {
  let board = advanceFreezableBoard(createFreezableBoard(before), after, 1000);
  expect(board.layout).toEqual(before);
  board = advanceFreezableBoard(board, layout({ new: ['c'], kitchen: ['a', 'b', 'k'] }), 3500);
  expect(nextThawAt(board, 3500)).toBe(6500);
  expect(advanceFreezableBoard(board, layout({ new: ['c'], kitchen: ['a', 'b', 'k'] }), 6500).layout.new).toEqual([
    'c',
  ]);
});

test('under a finger no lane moves, and after it only the touched lane stays', () => {
  const shown = layout({ new: ['a'], kitchen: ['k', 'l'] });
  const wanted = layout({ new: ['a'], kitchen: ['l', 'k'] });
  let board = advanceFreezableBoard(boardAfterPress(createFreezableBoard(shown), 0), wanted, 5000);
  expect(board.layout).toEqual(shown);
  expect(isColumnFrozen(board, 'ready', 5000)).toBe(true);
  board = advanceFreezableBoard(boardAfterRelease(board, ['new'], 6000), wanted, 6000);
  expect(board.layout).toEqual(wanted);
  expect(boardStages.filter((stage) => isColumnFrozen(board, stage, 6000))).toEqual(['new']);
  // Of two fingers the second one is still there.
  expect(isColumnFrozen(boardAfterRelease(boardAfterPress(board, 7000), ['new'], 6990), 'kitchen', 7001)).toBe(true);
  // A finger whose end is never heard of.
  const lost = advanceFreezableBoard(boardAfterPress(createFreezableBoard(shown), 0), wanted, 10_000);
  expect(lost.layout).toEqual(wanted);
  expect(nextThawAt(advanceFreezableBoard(lost, layout({ new: ['a'], kitchen: ['k'] }), 11_000), 11_000)).toBe(14_000);
});

test('a lane that is no longer on the screen is let go', () => {
  const board = advanceFreezableBoard(tap(createFreezableBoard(before), 0), after, 100);
  expect(advanceFreezableBoard(boardWithoutFrozenLanes(board), after, 200).layout).toEqual(after);
});

test('a new promise moves the ticket only after the finger has left its lane', () => {
  const shown = layout({ kitchen: ['k', 'l'] });
  const wanted = layout({ kitchen: ['l', 'k'] });
  const board = advanceFreezableBoard(tap(createFreezableBoard(shown), 0, ['kitchen']), wanted, 100);
  expect(board.layout).toEqual(shown);
  expect(advanceFreezableBoard(board, wanted, 3000).layout).toEqual(wanted);
});

test('a lane keeps its width while it or another is held', () => {
  const wanted = layout({ new: ['b', 'c'], kitchen: ['a', 'k', 'm', 'n'] });
  const board = advanceFreezableBoard(tap(createFreezableBoard(before), 0), wanted, 100);
  expect(board.layout.kitchen).toEqual(['k', 'm', 'n']);
  expect(board.shares).toEqual({ new: 3, kitchen: 1, ready: 0 });
  expect(advanceFreezableBoard(board, wanted, 3100).shares).toEqual({ new: 1, kitchen: 2, ready: 0 });
});

test('nothing is new when nothing changes', () => {
  const board = advanceFreezableBoard(createFreezableBoard(before), after, 0);
  expect(advanceFreezableBoard(board, after, 100)).toBe(board);
});

test('whatever happens, no ticket is lost or shown twice, and ten seconds after the last change all is as it should be', () => {
  const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
  const step = fc.record({
    wait: fc.integer({ min: 0, max: 4000 }),
    stages: fc.array(fc.constantFrom(...boardStages), { minLength: ids.length, maxLength: ids.length }),
    does: fc.constantFrom('press', 'lift', 'nothing'),
    lane: fc.constantFrom(...boardStages),
  });
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      let now = 0;
      let wanted = layout({ new: ids });
      let board = createFreezableBoard(wanted);
      for (const { wait, stages, does, lane } of steps) {
        now += wait;
        if (does === 'press') board = boardAfterPress(board, now);
        if (does === 'lift') board = boardAfterRelease(board, [lane], now);
        wanted = layout({});
        for (const stage of boardStages)
          wanted = { ...wanted, [stage]: ids.filter((_, place) => stages[place] === stage) };
        board = advanceFreezableBoard(board, wanted, now);
        expect(boardStages.flatMap((stage) => board.layout[stage]).toSorted()).toEqual(ids);
      }
      expect(advanceFreezableBoard(board, wanted, now + 10_000).layout).toEqual(wanted);
    }),
  );
});
