import { expect, test } from 'vitest';
import { isOnStationBoard, sortOwnStationFirst } from '#kitchen/web/board/use-station.ts';
import { sampleOrder } from '#printing/testing/sample-order.ts';
import { sampleLine } from '#printing/testing/sample-receipts.ts';
import type { Order } from '#ordering/order.ts';

const orderOf = (status: Order['status'], ...stations: (string | null)[]) =>
  sampleOrder({
    status,
    lines: stations.map((station, n) => ({ ...sampleLine({ name: 'Dish' }), id: `line-${n}`, station })),
  });

test.each([
  ['its own dish', orderOf('accepted', 'Grill'), 'Grill', true],
  ['written otherwise', orderOf('accepted', ' GRILL '), 'grill', true],
  ['one of several dishes', orderOf('packed', 'Cold', 'Grill'), 'Grill', true],
  ['only dishes of others', orderOf('accepted', 'Cold'), 'Grill', false],
  ['a dish without a station', orderOf('accepted', 'Cold', null), 'Grill', true],
  ['an order that nobody has answered', orderOf('placed', 'Cold'), 'Grill', true],
  ['one that was lost', { ...orderOf('rejected', 'Cold'), reject_reason: 'not_answered' } as Order, 'Grill', true],
  ['the whole kitchen', orderOf('accepted', 'Cold'), '', true],
])('%s', (_name, order, station, isShown) => {
  expect(isOnStationBoard(order, station)).toBe(isShown);
});

test('a deal is on the boards of its dishes, and on every board if one of them has no station', () => {
  const [line] = orderOf('accepted', null).lines;
  const dish = (station: string | null) => ({
    option_group_id: 'g',
    option_id: 'o',
    group_name: '',
    name: '',
    quantity: 1,
    price: 0,
    item_id: 'i',
    station,
  });
  const dealOf = (...stations: (string | null)[]) =>
    sampleOrder({ status: 'accepted', lines: line ? [{ ...line, options: stations.map(dish) }] : [] });
  const shown = (order: Order) => ['Curry', 'bar', 'Grill'].map((station) => isOnStationBoard(order, station));
  expect(shown(dealOf('Curry', 'Bar'))).toEqual([true, true, false]);
  expect(shown(dealOf('Curry', null))).toEqual([true, true, true]);
});

test('a ticket begins with the dishes of the station, and keeps the others', () => {
  const stations = (station: string) =>
    sortOwnStationFirst(orderOf('accepted', 'Cold', 'Grill', null, 'Bar').lines, station).map((each) => each.station);
  expect(stations('Grill')).toEqual(['Grill', null, 'Cold', 'Bar']);
  expect(stations('')).toEqual(['Cold', 'Grill', null, 'Bar']);
});
