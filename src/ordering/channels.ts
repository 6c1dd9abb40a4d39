import { makeChannelNames, type ChannelRule } from '#realtime/channels.ts';

const ofOrder = makeChannelNames('private-orders.');
export const storeChannelName = makeChannelNames('private-stores.', '.orders');

/** The name of the channel of one order, which carries the guest's view of it. */
export const orderChannel = ofOrder.of;

/** The name of the channel of a store's complete orders and prints, for its staff. */
export const storeOrdersChannel = storeChannelName.of;

export const orderChannelRules: readonly ChannelRule[] = [
  // Anyone who knows an order's id may listen, so listeners may not send: they could pose as the shop.
  { names: ofOrder, listeners: 'anyone', isOneWay: true },
  // A restart closes the boards' sockets first, because orders may be waiting for them.
  { names: storeChannelName, listeners: 'staff', closesFirst: true },
];
