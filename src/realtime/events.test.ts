import { expect, test } from 'vitest';
import { channelKind } from '#realtime/channels.ts';
import {
  menuUpdated,
  orderPlaced,
  orderUpdated,
  orderUpdatedForGuest,
  printUpdated,
  storeUpdated,
} from '#realtime/events.ts';

const order = { id: 'o1', store_id: 's1', status: 'placed' };

test('an order never travels on a public channel', () => {
  for (const { channel } of [orderPlaced(order, 1), orderUpdated(order, 2), orderUpdatedForGuest(order)]) {
    expect(channelKind(channel)).toBe('private');
  }
});

test('each event has the channel, the name and the payload of the contract', () => {
  expect([
    storeUpdated({ id: 's1' }),
    menuUpdated('s1', 7),
    orderUpdatedForGuest(order),
    orderPlaced(order, 1),
    orderUpdated(order, 2),
    printUpdated('s1', { id: 'p1' }, 3),
  ]).toEqual([
    { channel: 'stores', event: 'store.updated', data: { store: { id: 's1' } } },
    { channel: 'stores', event: 'menu.updated', data: { store_id: 's1', version: 7 } },
    { channel: 'private-orders.o1', event: 'order.updated', data: { order } },
    { channel: 'private-stores.s1.orders', event: 'order.placed', data: { order, sequence: 1 } },
    { channel: 'private-stores.s1.orders', event: 'order.updated', data: { order, sequence: 2 } },
    { channel: 'private-stores.s1.orders', event: 'print.updated', data: { print: { id: 'p1' }, sequence: 3 } },
  ]);
});
