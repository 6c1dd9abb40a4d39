import { expect, test } from 'vitest';
import { treeKeyCommand } from '#menu/web/editor/tree/menu-tree.tsx';
import type { TreeRow } from '#menu/web/editor/tree/tree-rows.ts';

// The keys look at no more of a line than this.
const row = (key: string, more: Partial<TreeRow> = {}) =>
  ({ key, kind: 'item', children: 0, isExpanded: false, parentKey: null, ...more }) as TreeRow;
const open = row('a', { kind: 'category', children: 2, isExpanded: true });
const first = row('a/1', { parentKey: 'a' });
const closed = row('b', { kind: 'category', children: 1 });
const rows = [open, first, closed];

test.each([
  ['ArrowDown', open, { focus: 'a/1' }],
  ['ArrowDown', closed, { focus: undefined }],
  ['ArrowUp', closed, { focus: 'a/1' }],
  ['Home', closed, { focus: 'a' }],
  ['End', open, { focus: 'b' }],
  ['ArrowRight', closed, { expand: true }],
  ['ArrowRight', open, { focus: 'a/1' }],
  ['ArrowLeft', open, { expand: false }],
  ['ArrowLeft', first, { focus: 'a' }],
  ['Enter', first, { run: 'open' }],
  ['F2', first, { run: 'rename' }],
  ['Delete', first, { run: 'remove' }],
  [' ', first, { run: 'select' }],
  [' ', open, { focus: undefined }],
  ['x', first, null],
] as const)('%j on a line: %#', (key, line, command) => {
  expect(treeKeyCommand({ key, altKey: false }, line, rows)).toEqual(command);
});

test('with Alt an arrow moves the thing itself, and nothing else does', () => {
  expect(treeKeyCommand({ key: 'ArrowUp', altKey: true }, first, rows)).toEqual({ step: -1 });
  expect(treeKeyCommand({ key: 'ArrowDown', altKey: true }, first, rows)).toEqual({ step: 1 });
  expect(treeKeyCommand({ key: 'Delete', altKey: true }, first, rows)).toBeNull();
});
