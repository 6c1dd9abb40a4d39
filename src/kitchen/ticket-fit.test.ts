import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type TicketBox,
  listCutHeight,
  type ColumnFitInput,
  lineBottoms,
  commonListHeight,
  displacedTickets,
} from '#kitchen/ticket-fit.ts';

const one = (...lists: number[]) => lists.map((list) => ({ fixed: 100, list }));
const fit = (input: Partial<ColumnFitInput>): number =>
  commonListHeight({ rows: [], isAll: true, room: 600, gap: 10, least: 150, ...input });

test('while there is room every list is whole', () => {
  expect(fit({ rows: [one(190, 40, 120), one(150)] })).toBe(Infinity);
  expect(fit({ rows: [one(500)] })).toBe(Infinity);
});

test('a list that is too long for the room gets all of it', () => {
  expect(fit({ rows: [one(700)] })).toBe(500);
});

test('as many rows are whole as with the shortest lists, and the rest of the room is theirs, the same for all', () => {
  expect(fit({ rows: [one(400, 300), one(400)] })).toBe(195);
  // The third row is below the screen in any case.
  expect(fit({ rows: [one(180), one(170), one(150)], isAll: false })).toBe(180);
  expect(fit({ rows: [one(20), one(20), one(400), one(400), one(400)] })).toBe(240);
});

test('lists are never shorter than the least, whatever the room', () => {
  expect(fit({ rows: [one(400)], room: 100 })).toBe(150);
  expect(fit({})).toBe(150);
});

test('what is whole with the shortest lists stays whole, and one more pixel would not fit', () => {
  const size = fc.record({ fixed: fc.integer({ min: 80, max: 300 }), list: fc.integer({ min: 20, max: 800 }) });
  const rows = fc.array(fc.array(size, { minLength: 1, maxLength: 3 }), { maxLength: 6 });
  fc.assert(
    fc.property(rows, fc.integer({ min: 200, max: 1200 }), fc.boolean(), (some, room, isAll) => {
      const height = (count: number, list: number) =>
        some
          .slice(0, count)
          .reduce((sum, row) => sum + Math.max(...row.map((each) => each.fixed + Math.min(each.list, list))) + 10, -10);
      let whole = 0;
      while (whole < some.length && height(whole + 1, 150) <= room) whole += 1;
      const list = fit({ rows: some, room, isAll });
      expect(list).toBeGreaterThanOrEqual(150);
      if (whole === 0) return;
      expect(height(whole, list)).toBeLessThanOrEqual(room);
      const longest = Math.max(...some.slice(0, whole).flatMap((row) => row.map((each) => each.list)));
      expect(list >= longest || height(whole, list + 1) > room).toBe(true);
    }),
  );
});

test('a list is cut after the last dish or line that has room above the words below', () => {
  const list = { rest: 28, line: 20, ends: [20, 40, 60, 80, 100, 120, 180] };
  expect(listCutHeight({ ...list, whole: 180, room: 180 })).toBeNull();
  expect(listCutHeight({ ...list, whole: 180, room: 160 })).toBe(120);
  expect(listCutHeight({ ...list, whole: 180, room: 140 })).toBe(100);
  expect(listCutHeight({ ...list, whole: 200, room: 100, ends: [200] })).toBe(60);
});

test('pieces of text beside each other end in one line, also where they are of different sizes or touch the next', () => {
  const quantity = { top: 0, bottom: 20 };
  const dish = { top: 0, bottom: 20 };
  const station = { top: 3, bottom: 18 };
  const option = { top: 18, bottom: 38 };
  const note = [
    { top: 42, bottom: 60 },
    { top: 62, bottom: 80 },
  ];
  expect(lineBottoms([...note, option, quantity, dish, station])).toEqual([20, 38, 60, 80]);
  expect(lineBottoms([])).toEqual([]);
});

test('a ticket that took the place of another one is known, and one that came where nothing was is not', () => {
  const at = (y: number, change: Partial<TicketBox> = {}): TicketBox => ({
    x: 0,
    y,
    width: 300,
    height: 200,
    ...change,
  });
  const before = new Map([
    ['a', at(0)],
    ['b', at(208)],
    ['c', at(416)],
  ]);
  expect(displacedTickets(new Map(), before)).toEqual([]);
  expect(displacedTickets(before, new Map([...before, ['d', at(624)]]))).toEqual([]);
  expect(
    displacedTickets(
      before,
      new Map([
        ['b', at(0)],
        ['c', at(208)],
        ['d', at(416)],
      ]),
    ),
  ).toEqual(['b', 'c', 'd']);
  expect(
    displacedTickets(
      before,
      new Map([
        ['a', at(0)],
        ['c', at(208)],
      ]),
    ),
  ).toEqual(['c']);
  // A ticket that grew moves the one below it by less than the gap.
  expect(
    displacedTickets(
      before,
      new Map([
        ['a', at(0, { height: 204 })],
        ['b', at(212)],
        ['c', at(416)],
      ]),
    ),
  ).toEqual([]);
  expect(displacedTickets(before, new Map([['a', at(0, { width: 280 })]]))).toEqual(['a']);
});
