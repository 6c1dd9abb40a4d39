import { makeChannelNames, type ChannelRule } from '#realtime/channels.ts';

const ofOrder = makeChannelNames('private-orders.');
export const storeChannelName = makeChannelNames('private-stores.', '.orders');

export const orderChannel = ofOrder.of;

export const storeOrdersChannel = storeChannelName.of;

export const orderChannelRules: readonly ChannelRule[] = [
  // Anyone who knows an order's id may listen, so listeners may not send, because they could pose as the shop.
  { names: ofOrder, listeners: 'anyone', isOneWay: true },
  // A restart closes the boards' sockets first, because orders may be waiting for them.
  { names: storeChannelName, listeners: 'staff', closesFirst: true },
];
