import { expect, test } from 'vitest';
import { orderPlacedEvent, orderUpdatedEvent, guestOrderUpdatedEvent } from '#ordering/events.ts';
import { channelKindOf } from '#realtime/channels.ts';

const order = { id: 'o1', store_id: 's1', status: 'placed' };

test('an order never travels on a public channel', () => {
  for (const { channel } of [orderPlacedEvent(order, 1), orderUpdatedEvent(order, 2), guestOrderUpdatedEvent(order)]) {
    expect(channelKindOf(channel)).toBe('private');
  }
});

test('each event has the channel, the name and the payload of the contract', () => {
  expect([guestOrderUpdatedEvent(order), orderPlacedEvent(order, 1), orderUpdatedEvent(order, 2)]).toEqual([
    { channel: 'private-orders.o1', event: 'order.updated', data: { order } },
    { channel: 'private-stores.s1.orders', event: 'order.placed', data: { order, sequence: 1 } },
    { channel: 'private-stores.s1.orders', event: 'order.updated', data: { order, sequence: 2 } },
  ]);
});
