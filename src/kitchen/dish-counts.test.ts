import { expect, test } from 'vitest';
import { countOpenDishes } from '#kitchen/dish-counts.ts';
import type { Line, Order } from '#ordering/order.ts';
import { sampleLine } from '#printing/testing/sample-receipts.ts';

const line = (name: string, quantity: number, rest: Partial<Line> = {}): Line => ({
  ...sampleLine({ name, quantity }),
  id: name,
  options: [],
  ...rest,
});
const order = (status: Order['status'], ...lines: Line[]) => ({ status, lines });
const choice = (name: string, quantity: number, rest: object = {}) => ({
  option_group_id: 'group',
  option_id: name,
  group_name: 'Group',
  name,
  quantity,
  price: 0,
  ...rest,
});
const count = (name: string, toCook: number, unanswered = 0) => ({ name, toCook, unanswered });

test('dishes and choices of all open orders are counted by station, the most first', () => {
  const counts = countOpenDishes([
    order(
      'accepted',
      line('Chips', 12, { station: 'Fryer' }),
      line('Burger', 3, { station: 'grill', options: [choice('Patty', 2)] }),
    ),
    order('accepted', line('Naan', 6), line('Chips', 2, { station: ' fryer ' })),
    order('placed', line('Chips', 1, { station: 'Fryer' }), line('Wings', 9, { station: 'Fryer' })),
    order(
      'accepted',
      line('Beef burger', 1, { kitchen_name: 'Burger', station: 'Grill', options: [choice('Patty', 3)] }),
    ),
  ]);
  expect(counts).toEqual([
    { station: 'Fryer', dishes: [count('Chips', 14, 1), count('Wings', 0, 9)], choices: [] },
    { station: 'grill', dishes: [count('Burger', 4)], choices: [count('Patty', 9)] },
    { station: '', dishes: [count('Naan', 6)], choices: [] },
  ]);
});

test('ticked lines and orders that left the kitchen are not counted', () => {
  const done_at = '2026-11-20T18:00:00.000Z';
  const ticked = order('accepted', line('Chips', 2, { done_at, options: [choice('Large', 1)] }), line('Naan', 1));
  const others = (['packed', 'collected', 'cancelled', 'rejected', 'pending_payment'] as const).map((status) =>
    order(status, line('Naan', 5)),
  );
  expect(countOpenDishes([ticked, ...others])).toEqual([{ station: '', dishes: [count('Naan', 1)], choices: [] }]);
  expect(countOpenDishes(others)).toEqual([]);
});

test('a deal counts as its dishes, each at its station, and as itself if it has a station', () => {
  const options = [
    choice('Garlic naan', 1, { item_id: 'naan', kitchen_name: 'Naan', station: 'Tandoor' }),
    choice('Cola', 2, { item_id: 'cola', kitchen_name: null, station: null }),
  ];
  const dishes = [
    { station: 'Tandoor', dishes: [count('Naan', 2)], choices: [] },
    { station: '', dishes: [count('Cola', 4)], choices: [] },
  ];
  expect(countOpenDishes([order('accepted', line('Deal', 2, { station: null, options }))])).toEqual(dishes);
  expect(countOpenDishes([order('accepted', line('Deal', 2, { station: 'Pass', options }))])).toEqual([
    { station: 'Pass', dishes: [count('Deal', 2)], choices: [] },
    ...dishes,
  ]);
});
