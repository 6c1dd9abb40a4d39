import { expect, test } from 'vitest';
import {
  channelKindOf,
  makeChannelTable,
  isValidChannelName,
  allowsClientEvents,
  userChannelName,
} from '#realtime/channels.ts';
import { boardChannels, storeBoardsChannel } from '#kitchen/channels.ts';
import { orderChannelName, orderChannelRules, storeOrdersChannelName } from '#ordering/channels.ts';

const ID = '0198c0de-7b1a-7c3d-8e4f-0123456789ab';

const table = makeChannelTable([...orderChannelRules, ...boardChannels]);

test('who follows an order cannot send to others who do; boards can', () => {
  const sending = [orderChannelName(ID), storeOrdersChannelName(ID), storeBoardsChannel(ID), 'private-other', 'stores'];
  expect(sending.filter((name) => allowsClientEvents(table, name))).toEqual([
    storeOrdersChannelName(ID),
    storeBoardsChannel(ID),
    'private-other',
  ]);
});

test('every name that is built is read back', () => {
  const found = [orderChannelName(ID), storeOrdersChannelName(ID), storeBoardsChannel(ID)].map((name) =>
    table.find(name),
  );
  expect(found).toEqual([...orderChannelRules, ...boardChannels].map((rule) => ({ rule, id: ID })));
});

test.each([
  'stores',
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
  expect(table.find(name)).toBeNull();
});

test.each([
  ['stores', 'public'],
  ['privateer', 'public'],
  ['private-a', 'private'],
  ['private-encrypted-a', 'encrypted'],
  ['presence-a', 'presence'],
  [userChannelName('anna'), 'user'],
])('%s is a %s channel', (name, kind) => {
  expect(channelKindOf(name)).toBe(kind);
});

test.each([
  [orderChannelName(ID), true],
  [storeBoardsChannel(ID), true],
  ['a'.repeat(200), true],
  ['_-=@,.;', true],
  [userChannelName('anna@example.com'), true],
  ['', false],
  ['a'.repeat(201), false],
  ['white space', false],
  ['new\nline', false],
  ['stores\n', false],
  ['slash/es', false],
  ['ümlaut', false],
  ['#presence-a', false],
  [userChannelName(''), false],
  [userChannelName('two words'), false],
])('the name %j is allowed: %s', (name, allowed) => {
  expect(isValidChannelName(name)).toBe(allowed);
});
