import { expect, test } from 'vitest';
import { anItem, aMenu } from '#ordering/testing/samples.ts';
import { slowestDishMinutes } from '#ordering/web/use-soonest.ts';

const line = (item_id: string) => ({
  key: item_id,
  item_id,
  quantity: 1,
  note: '',
  options: [],
  seen_price: 0,
  name: '',
});
const menus = [aMenu([anItem('feast', { prep_minutes: 45 }), anItem('cake', { prep_minutes: 5 }), anItem('cola')])];

test.each([
  [[], 0],
  [['cola'], 0],
  [['cola', 'feast', 'cake'], 45],
  [['cake', 'no longer on the menu'], 5],
])('the slowest dish of %j takes %d minutes', (ids, minutes) => {
  expect(slowestDishMinutes(menus, ids.map(line))).toBe(minutes);
});
