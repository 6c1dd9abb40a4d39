import { makeChannelNames, type ChannelRule } from '#realtime/channels.ts';

const ofOrder = makeChannelNames('private-orders.');
export const storeChannelName = makeChannelNames('private-stores.', '.orders');

export const orderChannel = ofOrder.of;

export const storeOrdersChannel = storeChannelName.of;

export const orderChannelRules: readonly ChannelRule[] = [
  // Listeners may not send: anyone who knows an order's id may listen, and could otherwise send messages as the shop.
  { names: ofOrder, listeners: 'anyone', isOneWay: true },
  // A stopping server closes these sockets first. Boards then reconnect before other clients, because staff must notice
  // unanswered orders.
  { names: storeChannelName, listeners: 'staff', closesFirst: true },
];
