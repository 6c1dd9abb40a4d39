import { channelNames, type ChannelRule } from '#realtime/channels.ts';

const ofOrder = channelNames('private-orders.');
export const ofStore = channelNames('private-stores.', '.orders');

/** One order as a guest may see it. */
export const orderChannel = ofOrder.of;

/** Complete orders and prints of one store, for its staff. */
export const storeOrdersChannel = ofStore.of;

export const orderChannels: readonly ChannelRule[] = [
  // Anyone who knows an order's id may listen, and must not be able to pose as the shop.
  { names: ofOrder, listeners: 'anyone', isOneWay: true },
  // Orders may be waiting for the boards.
  { names: ofStore, listeners: 'staff', closesFirst: true },
];
