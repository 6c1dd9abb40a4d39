import { makeChannelNamePattern, type ChannelRule } from '#realtime/channels.ts';

const ofOrder = makeChannelNamePattern('private-orders.');
export const storeChannelNamePattern = makeChannelNamePattern('private-stores.', '.orders');

export const orderChannelName = ofOrder.of;

export const storeOrdersChannelName = storeChannelNamePattern.of;

export const orderChannelRules: readonly ChannelRule[] = [
  // Listeners may not send: anyone who knows an order's id may listen, and could otherwise send messages as the shop.
  { names: ofOrder, listeners: 'anyone', isOneWay: true },
  // A stopping server closes these sockets first. Boards then reconnect before other clients, because staff must notice
  // unanswered orders.
  { names: storeChannelNamePattern, listeners: 'staff', closesFirst: true },
];
