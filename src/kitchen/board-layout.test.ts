import { expect, test } from 'vitest';
import { boardStages } from '#kitchen/board-columns.ts';
import { type BoardLayout, heldLayout, laneShares, sameLayout } from '#kitchen/board-layout.ts';

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
  expect(heldLayout(shown, layout({ new: ['b'], kitchen: ['a', 'c'] }), everywhere)).toEqual(shown);
});

test('a new ticket joins at the end, and the done list at its head', () => {
  const shown = layout({ new: ['b'], done: ['x'] });
  const held = heldLayout(shown, layout({ new: ['a', 'b'], done: ['y', 'x'] }), everywhere);
  expect(held).toEqual(layout({ new: ['b', 'a'], done: ['y', 'x'] }));
});

test('a column that is not held moves at once, without the tickets that stay in one that is', () => {
  const shown = layout({ new: ['a', 'b'], kitchen: ['c', 'd'] });
  const held = heldLayout(shown, layout({ new: ['b'], kitchen: ['d', 'a', 'c'] }), ['new']);
  expect(held).toEqual(layout({ new: ['a', 'b'], kitchen: ['d', 'c'] }));
});

test('layouts are the same when every column is', () => {
  expect(sameLayout(layout({ new: ['a'] }), layout({ new: ['a'] }))).toBe(true);
  expect(sameLayout(layout({ new: ['a', 'b'] }), layout({ new: ['b', 'a'] }))).toBe(false);
  expect(sameLayout(layout({ new: ['a'] }), layout({ new: ['a'], later: ['b'] }))).toBe(false);
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

test('a board without orders shares its width evenly', () => {
  expect(laneShares(layout({ later: ['a'], done: ['b'] }))).toEqual({ new: 1, kitchen: 1, ready: 1 });
});
