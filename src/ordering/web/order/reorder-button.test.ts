import { expect, test } from 'vitest';
import type { Order } from '#ordering/order.ts';
import { aGroup, aMenu, anItem, anOption, aStore } from '#ordering/testing/samples.ts';
import { calendarFile } from '#ordering/web/order/calendar-file.ts';
import { minutesLeftWords, stateIcons } from '#ordering/web/order/order-headline.tsx';
import { canReorderLine, changeSentence, planReorder, sameTimeToday } from '#ordering/web/order/reorder-button.tsx';
import { withoutRepeats } from '#ordering/web/order/usual-orders.tsx';

const now = new Date('2026-11-18T18:00:00Z');
const line = (item_id: string, unit_price: number, options: Order['lines'][number]['options'] = []) => ({
  id: `line-${item_id}`,
  item_id,
  name: item_id,
  kitchen_name: null,
  quantity: 2,
  unit_price,
  options,
  note: '',
  vat_rate: 2000,
  allergens: null,
  total: unit_price * 2,
});
const chosen = (option_id: string) => ({
  option_group_id: 'dip',
  option_id,
  group_name: 'Dip',
  name: option_id,
  quantity: 1,
  price: 0,
});
const dip = aGroup('dip', [anOption('mayo', { price: 0 })], { min_select: 0, max_select: 2 });
const plan = (lines: Order['lines'], items: Parameters<typeof aMenu>[0]) =>
  planReorder({ lines }, aStore(), [aMenu(items)], now);

test('an order of which nothing changed goes into the basket as it was', () => {
  const { lines, changes } = plan(
    [line('soup', 450, [chosen('mayo')])],
    [anItem('soup', { price: 450, option_groups: [dip] })],
  );
  expect(changes).toEqual([]);
  expect(lines).toMatchObject([{ item_id: 'soup', quantity: 2, seen_price: 450, options: [{ option_id: 'mayo' }] }]);
});

test('a new price is flagged, and the basket takes today’s', () => {
  const { lines, changes } = plan([line('soup', 450)], [anItem('soup', { price: 500 })]);
  expect(changes).toMatchObject([{ changedFrom: 450, now: { unit_price: 500 } }]);
  expect(lines).toMatchObject([{ seen_price: 500 }]);
});

test('a lower price is no question, and is told at its line in the basket', () => {
  const { lines, changes } = plan([line('soup', 450)], [anItem('soup', { price: 400 })]);
  expect(changes).toEqual([]);
  expect(lines).toMatchObject([{ seen_price: 450 }]);
});

test('what is gone or sold out is flagged and stays out; a choice that is gone is flagged and left away', () => {
  const { lines, changes } = plan(
    [line('gone', 300), line('out', 300), line('soup', 450, [chosen('relish')])],
    [anItem('out', { price: 300, is_available: false }), anItem('soup', { price: 450, option_groups: [dip] })],
  );
  expect(changes.map((view) => [view.line.item_id, canReorderLine(view)])).toEqual([
    ['gone', false],
    ['out', false],
    ['soup', true],
  ]);
  expect(lines).toMatchObject([{ item_id: 'soup', options: [] }]);
});

test('what has changed is said in one text that names its dish once', () => {
  const { changes } = plan(
    [line('gone', 300), line('out', 300), line('soup', 450, [chosen('relish')])],
    [
      anItem('out', { name: 'out', price: 300, is_available: false }),
      anItem('soup', { price: 500, option_groups: [dip] }),
    ],
  );
  expect(changes.map((view) => changeSentence(view, 'GBP'))).toEqual([
    'gone: No longer on the menu',
    'out is sold out.',
    'Was £4.50, now £5.00 · One of your choices for soup is no longer available.',
  ]);
});

test('today’s price is that of the dishes that can be had, with the fees of the order’s own way', () => {
  const order = { lines: [line('soup', 450), line('gone', 300)], fulfilment_type: 'collection' as const };
  const find = (items: Parameters<typeof aMenu>[0]) => planReorder(order, aStore(), [aMenu(items)], now).total;
  expect(find([anItem('soup', { price: 500 })])).toBe(1000);
  expect(find([])).toBeNull();
});

test.each([
  ['as soon as possible', null, ''],
  ['a time of day still to come', '2026-10-02T18:30:00Z', '2026-11-18T19:30:00.000Z'],
  ['a time of day that has passed', '2026-10-02T16:30:00Z', ''],
])('an order for %s is ordered again for the same time of day', (_, requestedFor, today) => {
  expect(sameTimeToday({ requested_for: requestedFor }, aStore(), now.getTime())).toBe(today);
});

test('of two orders with the same dishes only the newer one is usual', () => {
  const order = (id: string, lines: Order['lines']) => ({ id, lines }) as Order;
  const [soup, chips] = [line('soup', 450), line('chips', 300)];
  const orders = [order('new', [soup, chips]), order('old', [chips, soup]), order('other', [chips])];
  expect(withoutRepeats(orders).map(({ id }) => id)).toEqual(['new', 'other']);
});

test.each([
  ['accepted', 'collection', '17:58:00', 'in 12 to 22 min'],
  ['accepted', 'delivery', '17:58:00', 'in 2 to 22 min'],
  ['out_for_delivery', 'delivery', '17:58:00', 'in 12 to 22 min'],
  ['out_for_delivery', 'delivery', '18:17:00', 'in the next 3 min'],
  ['placed', 'delivery', '17:58:00', null],
  ['accepted', 'collection', '14:00:00', null],
] as const)('the minutes that are left of an order that is %s, a %s, at %s', (status, way, at, words) => {
  const order = { status, requested_for: null, fulfilment_type: way };
  const promise = '2026-11-18T18:14:00Z';
  expect(minutesLeftWords(order, promise, aStore(), new Date(`2026-11-18T${at}Z`))).toBe(words);
});

test('each state of an order has a picture of its own', () => {
  const pictures = Object.values(stateIcons);
  expect(new Set(pictures).size).toBe(pictures.length);
});

test('a calendar file escapes its texts, and folds lines at 75 octets', () => {
  const event = {
    uid: '7',
    from: now,
    to: new Date('2026-11-18T18:10:00Z'),
    location: '',
    url: 'https://shop.example/orders/7',
  };
  const lines = calendarFile({ ...event, summary: 'Fish, chips; ' + 'ł'.repeat(40) }).split('\r\n');
  expect(lines).toContain('DTSTART:20261118T180000Z');
  expect(lines.join('\r\n').replaceAll('\r\n ', '')).toContain(String.raw`SUMMARY:Fish\, chips\;`);
  for (const each of lines) expect(new TextEncoder().encode(each).length).toBeLessThanOrEqual(75);
  expect(calendarFile({ ...event, summary: 'Soup', location: '1 High St\nRugby' })).toContain(
    String.raw`LOCATION:1 High St\nRugby`,
  );
});
