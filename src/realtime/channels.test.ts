import { expect, test } from 'vitest';
import {
  channelKind,
  isValidChannelName,
  orderChannel,
  parseChannel,
  storeBoardsChannel,
  storeOrdersChannel,
  STORES_CHANNEL,
  userChannel,
} from '#realtime/channels.ts';

const ID = '0198c0de-7b1a-7c3d-8e4f-0123456789ab';

test('every name that is built is read back', () => {
  expect(parseChannel(STORES_CHANNEL)).toEqual({ kind: 'stores' });
  expect(parseChannel(orderChannel(ID))).toEqual({ kind: 'order', orderId: ID });
  expect(parseChannel(storeOrdersChannel(ID))).toEqual({ kind: 'store_orders', storeId: ID });
  expect(parseChannel(storeBoardsChannel(ID))).toEqual({ kind: 'store_boards', storeId: ID });
});

test.each([
  'orders',
  'stores.1',
  'private-orders.',
  'private-orders.1',
  `private-orders.${ID}.more`,
  `private-orders.${ID}\n`,
  `orders.${ID}`,
  `private-stores.${ID}`,
  `private-stores.${ID}.boards`,
  `presence-stores.${ID}.orders`,
  `private-encrypted-orders.${ID}`,
  `#server-to-user-${ID}`,
])('%j is none of the channels of the product', (name) => {
  expect(parseChannel(name)).toBeNull();
});

test.each([
  ['stores', 'public'],
  ['privateer', 'public'],
  ['private-a', 'private'],
  ['private-encrypted-a', 'encrypted'],
  ['presence-a', 'presence'],
  [userChannel('anna'), 'user'],
])('%s is a %s channel', (name, kind) => {
  expect(channelKind(name)).toBe(kind);
});

test.each([
  [orderChannel(ID), true],
  [storeBoardsChannel(ID), true],
  ['a'.repeat(200), true],
  ['_-=@,.;', true],
  [userChannel('anna@example.com'), true],
  ['', false],
  ['a'.repeat(201), false],
  ['white space', false],
  ['new\nline', false],
  ['stores\n', false],
  ['slash/es', false],
  ['ümlaut', false],
  ['#presence-a', false],
  [userChannel(''), false],
  [userChannel('two words'), false],
])('the name %j is allowed: %s', (name, allowed) => {
  expect(isValidChannelName(name)).toBe(allowed);
});
