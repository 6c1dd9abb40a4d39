import { expect, test } from 'vitest';
import { aGroup, anItem, anOption, aMenu } from '#ordering/testing/samples.ts';
import { slowestDishMinutes } from '#ordering/web/use-soonest-time.ts';

const line = (item_id: string) => ({
  key: item_id,
  item_id,
  quantity: 1,
  note: '',
  options: [],
  seen_price: 0,
  name: '',
});
const korma = anOption('korma', { item_id: 'curry', prep_minutes: 60 });
const deal = anItem('deal', { option_groups: [aGroup('mains', [korma, anOption('rice')])] });
const menus = [
  aMenu([deal, anItem('feast', { prep_minutes: 45 }), anItem('cake', { prep_minutes: 5 }), anItem('cola')]),
];

test.each([
  [[], 0],
  [['cola'], 0],
  [['cola', 'feast', 'cake'], 45],
  [['cake', 'no longer on the menu'], 5],
])('the slowest dish of %j takes %d minutes', (ids, minutes) => {
  expect(slowestDishMinutes(menus, ids.map(line))).toBe(minutes);
});

test.each([
  ['rice', 0],
  ['korma', 60],
])('a deal with %s takes the %d minutes of its dishes', (option_id, minutes) => {
  const options = [{ option_group_id: 'mains', option_id, quantity: 1 }];
  expect(slowestDishMinutes(menus, [{ ...line('deal'), options }])).toBe(minutes);
});
