import { expect, test } from 'vitest';
import { printUpdatedEvent } from '#printing/events.ts';
import { menuUpdatedEvent, storeDeletedEvent, storeUpdatedEvent } from '#shop/events.ts';

test('each event has the channel, the name and the payload of the contract', () => {
  expect([
    storeUpdatedEvent({ id: 's1' }),
    storeDeletedEvent({ id: 's1' }),
    menuUpdatedEvent('s1', 7),
    printUpdatedEvent('s1', { id: 'p1' }, 3),
  ]).toEqual([
    { channel: 'stores', event: 'store.updated', data: { store: { id: 's1' } } },
    { channel: 'stores', event: 'store.updated', data: { store: { id: 's1' }, is_deleted: true } },
    { channel: 'stores', event: 'menu.updated', data: { store_id: 's1', version: 7 } },
    { channel: 'private-stores.s1.orders', event: 'print.updated', data: { print: { id: 'p1' }, sequence: 3 } },
  ]);
});
