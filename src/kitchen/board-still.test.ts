import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type BoardStage, boardStages } from '#kitchen/board-columns.ts';
import type { BoardLayout } from '#kitchen/board-layout.ts';
import { isStill, letGo, lift, movesAt, press, settle, startBoard, type StillBoard } from '#kitchen/board-still.ts';

const layout = (part: Partial<BoardLayout>): BoardLayout => ({
  new: [],
  kitchen: [],
  ready: [],
  later: [],
  done: [],
  lost: [],
  ...part,
});
const before = layout({ new: ['a', 'b', 'c'], kitchen: ['k'] });
const after = layout({ new: ['b', 'c'], kitchen: ['a', 'k'] });
const tap = (board: StillBoard, now: number, stages: readonly BoardStage[] = ['new']): StillBoard =>
  lift(press(board, now), stages, now);

test('an accepted ticket stays in its place until three seconds after the last tap in its lane', () => {
  let board = settle(tap(startBoard(before), 1000), after, 1000);
  expect(board.layout).toEqual(before);
  board = settle(tap(board, 3500), after, 3500);
  board = settle(board, after, 6499);
  expect(board.layout).toEqual(before);
  expect(movesAt(board, 6499)).toBe(6500);
  board = settle(board, after, 6500);
  expect(board.layout).toEqual(after);
  expect(movesAt(board, 6500)).toBeNull();
});

test('a lane that is tapped every second moves after ten', () => {
  let board = startBoard(before);
  for (let now = 0; now < 10_000; now += 1000) {
    board = settle(tap(board, now), after, now);
    expect(board.layout).toEqual(before);
  }
  expect(settle(board, after, 10_000).layout).toEqual(after);
});

test('a ticket that another board took stays as long, and a second one does not shorten that', () => {
  let board = settle(startBoard(before), after, 1000);
  expect(board.layout).toEqual(before);
  board = settle(board, layout({ new: ['c'], kitchen: ['a', 'b', 'k'] }), 3500);
  expect(movesAt(board, 3500)).toBe(6500);
  expect(settle(board, layout({ new: ['c'], kitchen: ['a', 'b', 'k'] }), 6500).layout.new).toEqual(['c']);
});

test('under a finger no lane moves, and after it only the touched lane stays', () => {
  const shown = layout({ new: ['a'], kitchen: ['k', 'l'] });
  const wanted = layout({ new: ['a'], kitchen: ['l', 'k'] });
  let board = settle(press(startBoard(shown), 0), wanted, 5000);
  expect(board.layout).toEqual(shown);
  expect(isStill(board, 'ready', 5000)).toBe(true);
  board = settle(lift(board, ['new'], 6000), wanted, 6000);
  expect(board.layout).toEqual(wanted);
  expect(boardStages.filter((stage) => isStill(board, stage, 6000))).toEqual(['new']);
  // Of two fingers the second one is still there.
  expect(isStill(lift(press(board, 7000), ['new'], 6990), 'kitchen', 7001)).toBe(true);
  // A finger whose end is never heard of.
  const lost = settle(press(startBoard(shown), 0), wanted, 10_000);
  expect(lost.layout).toEqual(wanted);
  expect(movesAt(settle(lost, layout({ new: ['a'], kitchen: ['k'] }), 11_000), 11_000)).toBe(14_000);
});

test('a lane that is no longer on the screen is let go', () => {
  const board = settle(tap(startBoard(before), 0), after, 100);
  expect(settle(letGo(board), after, 200).layout).toEqual(after);
});

test('a new promise moves the ticket only after the finger has left its lane', () => {
  const shown = layout({ kitchen: ['k', 'l'] });
  const wanted = layout({ kitchen: ['l', 'k'] });
  const board = settle(tap(startBoard(shown), 0, ['kitchen']), wanted, 100);
  expect(board.layout).toEqual(shown);
  expect(settle(board, wanted, 3000).layout).toEqual(wanted);
});

test('a lane keeps its width while it or another is held', () => {
  const wanted = layout({ new: ['b', 'c'], kitchen: ['a', 'k', 'm', 'n'] });
  const board = settle(tap(startBoard(before), 0), wanted, 100);
  expect(board.layout.kitchen).toEqual(['k', 'm', 'n']);
  expect(board.shares).toEqual({ new: 3, kitchen: 1, ready: 0 });
  expect(settle(board, wanted, 3100).shares).toEqual({ new: 1, kitchen: 2, ready: 0 });
});

test('nothing is new when nothing changes', () => {
  const board = settle(startBoard(before), after, 0);
  expect(settle(board, after, 100)).toBe(board);
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
      let board = startBoard(wanted);
      for (const { wait, stages, does, lane } of steps) {
        now += wait;
        if (does === 'press') board = press(board, now);
        if (does === 'lift') board = lift(board, [lane], now);
        wanted = layout({});
        for (const stage of boardStages)
          wanted = { ...wanted, [stage]: ids.filter((_, place) => stages[place] === stage) };
        board = settle(board, wanted, now);
        expect(boardStages.flatMap((stage) => board.layout[stage]).toSorted()).toEqual(ids);
      }
      expect(settle(board, wanted, now + 10_000).layout).toEqual(wanted);
    }),
  );
});
