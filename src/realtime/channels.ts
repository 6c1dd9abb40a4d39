/** The public channel that every page listens to: changes of stores and menus, never an order. */
export const STORES_CHANNEL = 'stores';

/** Every event of the product, by its name on the wire. */
export const EVENTS = {
  storeUpdated: 'store.updated',
  menuUpdated: 'menu.updated',
  orderPlaced: 'order.placed',
  orderUpdated: 'order.updated',
  printUpdated: 'print.updated',
} as const;

/** One order as a guest may see it; anyone who knows the order's id may listen. */
export function orderChannel(orderId: string): string {
  return `private-orders.${orderId}`;
}

/** Complete orders and prints of one store, for its staff. */
export function storeOrdersChannel(storeId: string): string {
  return `private-stores.${storeId}.orders`;
}

/** The order boards of one store that are switched on. */
export function storeBoardsChannel(storeId: string): string {
  return `presence-stores.${storeId}.boards`;
}

export type ProductChannel =
  | { kind: 'stores' }
  | { kind: 'order'; orderId: string }
  | { kind: 'store_orders'; storeId: string }
  | { kind: 'store_boards'; storeId: string };

const UUID = '([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})';
const ORDER = new RegExp(`^private-orders\\.${UUID}$`);
const STORE_ORDERS = new RegExp(`^private-stores\\.${UUID}\\.orders$`);
const STORE_BOARDS = new RegExp(`^presence-stores\\.${UUID}\\.boards$`);

/** Parses one of the product's channel names; null for any other name, which must not be authorised. */
export function parseChannel(name: string): ProductChannel | null {
  if (name === STORES_CHANNEL) return { kind: 'stores' };
  const orderId = ORDER.exec(name)?.[1];
  if (orderId) return { kind: 'order', orderId };
  const ordersOf = STORE_ORDERS.exec(name)?.[1];
  if (ordersOf) return { kind: 'store_orders', storeId: ordersOf };
  const boardsOf = STORE_BOARDS.exec(name)?.[1];
  if (boardsOf) return { kind: 'store_boards', storeId: boardsOf };
  return null;
}

/** How the protocol treats a channel: its prefix decides who may listen and who may send. */
export type ChannelKind = 'public' | 'private' | 'encrypted' | 'presence' | 'user';

const USER_PREFIX = '#server-to-user-';

export function channelKind(name: string): ChannelKind {
  if (name.startsWith('private-encrypted-')) return 'encrypted';
  if (name.startsWith('private-')) return 'private';
  if (name.startsWith('presence-')) return 'presence';
  if (name.startsWith(USER_PREFIX)) return 'user';
  return 'public';
}

/** Whether its members may send, or only listen: anyone who knows an order's id may listen, and must not be able to pose as the shop. */
export function takesClientEvents(name: string): boolean {
  const kind = channelKind(name);
  return (kind === 'private' || kind === 'presence') && parseChannel(name)?.kind !== 'order';
}

/** The channel that only the sockets of one signed-in user receive. */
export function userChannel(userId: string): string {
  return USER_PREFIX + userId;
}

/** Pusher's rule: at most 200 letters, digits and `_ - = @ , . ;`. */
export function isValidChannelName(name: string): boolean {
  if (/^[A-Za-z0-9_\-=@,.;]{1,200}$/.test(name)) return true;
  return name.startsWith(USER_PREFIX) && name.length > USER_PREFIX.length && name.length <= 200 && !/\s/.test(name);
}

/** The server's own form of socket ids. Checked before signing, because the signed text joins id and channel with colons. */
export function isValidSocketId(socketId: string): boolean {
  return /^\d{1,20}\.\d{1,20}$/.test(socketId);
}
