import { expect, test } from 'vitest';
import { applyOperations } from '#menu/operations/apply-operation.ts';
import { change, link, type MenuOperation, remove, reorder, unlink } from '#menu/operations/menu-operation.ts';
import { childrenOf, findPart } from '#menu/operations/menu-part.ts';
import { sampleParts } from '#menu/testing/sample-parts.ts';

const parts = sampleParts();

test.each<[string, MenuOperation]>([
  ['a removed option', remove('option', 'olives')],
  ['a removed group', remove('group', 'topping')],
  ['a removed category', remove('category', 'mains')],
  ['a changed dish', change('item', 'pizza', { price: 1 })],
  ['a linked dish', link('category', 'mains', ['loose'])],
  ['a group taken out', unlink('item', 'pizza', ['size'])],
])('what %s does not concern stays the very same, so that its line is not drawn again', (_, operation) => {
  const after = applyOperations(parts, [operation]);
  expect(after).not.toEqual(parts);
  expect(findPart(after, 'item', 'soup')).toBe(findPart(parts, 'item', 'soup'));
  expect(findPart(after, 'category', 'starters')).toBe(findPart(parts, 'category', 'starters'));
  expect(findPart(after, 'menu', 'm1')).toBe(findPart(parts, 'menu', 'm1'));
  expect(findPart(after, 'option', 'small')).toBe(findPart(parts, 'option', 'small'));
});

test('an order that was made for another list loses no entry of the current one', () => {
  const today = applyOperations(parts, [link('category', 'mains', ['loose'])]);
  const after = applyOperations(today, [reorder('category', 'mains', ['pizza', 'gone', 'soup'])]);
  expect(childrenOf(after, 'category', 'mains')).toEqual(['pizza', 'loose', 'soup']);
});

test('operations on parts that no longer exist are ignored', () => {
  const gone: MenuOperation[] = [
    change('item', 'gone', { price: 1 }),
    remove('category', 'gone'),
    link('group', 'gone', ['small']),
    unlink('item', 'gone', ['size']),
    reorder('item', 'gone', []),
  ];
  expect(applyOperations(parts, gone)).toEqual(parts);
});
