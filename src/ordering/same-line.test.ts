import { expect, test } from 'vitest';
import { isSameLine, addOrMergeLine } from '#ordering/same-line.ts';

const option = (id: string, quantity = 1) => ({ option_group_id: 'toppings', option_id: id, quantity });
const pizza = { item_id: 'pizza', quantity: 1, note: '', options: [option('ham'), option('olives')] };

test.each([
  ['nothing differs', {}, true],
  ['there are more of it', { quantity: 4 }, true],
  ['its options were chosen in another order', { options: [option('olives'), option('ham')] }, true],
  ['it is another dish', { item_id: 'soup' }, false],
  ['its note differs', { note: 'well done' }, false],
  ['an option is missing', { options: [option('ham')] }, false],
  ['there is more of an option', { options: [option('ham', 2), option('olives')] }, false],
  [
    'an option is of another group',
    { options: [{ ...option('ham'), option_group_id: 'sides' }, option('olives')] },
    false,
  ],
])('where %s', (_, difference, isSame) => {
  expect(isSameLine(pizza, { ...pizza, ...difference })).toBe(isSame);
});

const newKey = () => 'new';

test('more of the same joins its line, which keeps its place and key, and takes what is known now', () => {
  const lines = [
    { ...pizza, seen: 900, key: 'first' },
    { ...pizza, item_id: 'soup', seen: 400, key: 'second' },
  ];
  expect(addOrMergeLine(lines, { ...pizza, quantity: 2, seen: 950 }, newKey)).toEqual([
    { ...pizza, quantity: 3, seen: 950, key: 'first' },
    lines[1],
  ]);
});

test('another dish comes last', () => {
  const added = { ...pizza, item_id: 'soup' };
  expect(addOrMergeLine([{ ...pizza, key: 'first' }], added, newKey)).toEqual([
    { ...pizza, key: 'first' },
    { ...added, key: 'new' },
  ]);
});

test('a line holds 99 at most', () => {
  const [line] = addOrMergeLine([{ ...pizza, quantity: 98, key: 'first' }], { ...pizza, quantity: 5 }, newKey);
  expect(line?.quantity).toBe(99);
});
