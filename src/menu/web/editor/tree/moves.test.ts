import { expect, test } from 'vitest';
import { applyOperations } from '#menu/operations/apply-operation.ts';
import { link, unlink } from '#menu/operations/menu-operation.ts';
import { childrenOf } from '#menu/operations/menu-part.ts';
import { type Move, movesOf, parentKind } from '#menu/web/editor/tree/moves.ts';
import { sampleParts } from '#menu/testing/sample-parts.ts';

const parts = sampleParts();
const after = (move: Move) => {
  const changed = applyOperations(parts, movesOf(parts, move));
  const list = (id: string) => childrenOf(changed, parentKind[move.kind], id).join(' ');
  return move.from === move.to ? list(move.to) : [list(move.from), list(move.to)];
};

test.each<[Move, string | string[]]>([
  [{ kind: 'item', id: 'pizza', from: 'mains', to: 'mains', at: 0 }, 'pizza soup'],
  [{ kind: 'item', id: 'pizza', from: 'mains', to: 'starters', at: 0 }, ['soup', 'pizza']],
  [{ kind: 'category', id: 'mains', from: 'm1', to: 'm1', at: 0 }, 'mains starters'],
  [{ kind: 'category', id: 'mains', from: 'm1', to: 'm2', at: 0 }, ['starters', 'mains']],
  [{ kind: 'group', id: 'size', from: 'pizza', to: 'pizza', at: 1 }, 'topping size'],
  [{ kind: 'group', id: 'size', from: 'pizza', to: 'soup', at: 0 }, ['topping', 'size']],
  [{ kind: 'option', id: 'large', from: 'size', to: 'topping', at: 0 }, ['small', 'large olives']],
  [{ kind: 'option', id: 'large', from: 'size', to: 'topping', at: 1 }, ['small', 'olives large']],
])('%o', (move, wanted) => {
  expect(after(move)).toEqual(wanted);
});

test('a thing that is dropped at its own place does not move', () => {
  expect(movesOf(parts, { kind: 'item', id: 'pizza', from: 'mains', to: 'mains', at: 1 })).toEqual([]);
});

test('an item that is already in the other category is only removed from the first', () => {
  const both = applyOperations(parts, [link('category', 'starters', ['pizza'])]);
  const moves = movesOf(both, { kind: 'item', id: 'pizza', from: 'mains', to: 'starters', at: 0 });
  expect(moves).toEqual([unlink('category', 'mains', ['pizza'])]);
});
