import type { ClientSocket } from '#realtime/server/connection.ts';
import { channelKindOf, type ChannelTable } from '#realtime/channels.ts';
import { z } from 'zod';

/** This instance's sockets by channel. A channel without listeners has no entry. */
export interface Hub {
  readonly connections: Map<string, ClientSocket>;
  /** The sockets that listen to a watched channel; they are pinged and checked more often than others. */
  readonly watched: ReadonlySet<ClientSocket>;
  add(connection: ClientSocket): void;
  remove(connection: ClientSocket): void;
  listen(connection: ClientSocket, channel: string, userId: string | null): void;
  unlisten(connection: ClientSocket, channel: string): void;
  /** Writes a frame to every listener, except `exceptSocketId`. */
  deliver(channel: string, frame: string, exceptSocketId?: string): void;
  countListeners(filter: ChannelFilter): Map<string, number>;
  channelCount(): number;
  hasListeners(channel: string): boolean;
  foreignCount(): number;
  addressCount(address: string): number;
}

export function createHub(table: ChannelTable): Hub {
  const connections = new Map<string, ClientSocket>();
  const watched = new Set<ClientSocket>();
  const isForeign = (channel: string) => channelKindOf(channel) === 'public' && !table.isPublic(channel);
  let foreign = 0;
  const isWatched = (channel: string) => table.find(channel)?.rule.isWatched === true;
  const listeners = new Map<string, Set<ClientSocket>>();
  const addresses = new Map<string, number>();

  function unlisten(connection: ClientSocket, channel: string): void {
    if (connection.channels.delete(channel) && isForeign(channel)) connection.foreignChannels -= 1;
    connection.signedInBy.delete(channel);
    if (isWatched(channel) && ![...connection.channels.keys()].some(isWatched)) watched.delete(connection);
    const set = listeners.get(channel);
    if (!set?.delete(connection) || set.size > 0) return;
    listeners.delete(channel);
    if (isForeign(channel)) foreign -= 1;
  }

  function countAddress(address: string, by: 1 | -1): void {
    const count = (addresses.get(address) ?? 0) + by;
    if (count > 0) addresses.set(address, count);
    else addresses.delete(address);
  }

  return {
    connections,
    watched,
    unlisten,
    add(connection) {
      connections.set(connection.id, connection);
      countAddress(connection.address, 1);
    },
    remove(connection) {
      if (!connections.delete(connection.id)) return;
      countAddress(connection.address, -1);
      for (const channel of connection.channels.keys()) unlisten(connection, channel);
    },
    listen(connection, channel, userId) {
      connection.channels.set(channel, userId);
      if (isWatched(channel)) watched.add(connection);
      const set = listeners.get(channel);
      if (isForeign(channel)) connection.foreignChannels += 1;
      if (set) return void set.add(connection);
      listeners.set(channel, new Set([connection]));
      if (isForeign(channel)) foreign += 1;
    },
    deliver(channel, frame, exceptSocketId) {
      const set = listeners.get(channel);
      if (!set) return;
      const bytes = Buffer.from(frame);
      for (const connection of set) {
        if (connection.id !== exceptSocketId) connection.send(bytes);
      }
    },
    countListeners({ prefix, exact }) {
      const counts = new Map<string, number>();
      for (const [channel, set] of listeners) {
        if (exact ? channel === prefix : channel.startsWith(prefix)) counts.set(channel, set.size);
      }
      return counts;
    },
    channelCount: () => listeners.size,
    hasListeners: (channel) => listeners.has(channel),
    foreignCount: () => foreign,
    addressCount: (address) => addresses.get(address) ?? 0,
  };
}

/** A filter of channels: names that start with `prefix`; if `exact`, only the channel with that name. */
export const ChannelFilter = z.object({ prefix: z.string(), exact: z.boolean() });
export type ChannelFilter = z.infer<typeof ChannelFilter>;

const Entry = z.tuple([z.string(), z.string(), z.unknown()]);
/**
 * Messages between instances. `version` is the number of the sender's last announcement, so that receivers notice
 * missing announcements. In a roster, `ask` requests the rosters of the receivers.
 */
export const InstanceNotice = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('roster'),
    from: z.string(),
    version: z.int(),
    entries: z.array(Entry),
    ask: z.boolean(),
  }),
  z.object({ kind: z.literal('join'), from: z.string(), version: z.int(), entry: Entry }),
  z.object({ kind: z.literal('leave'), from: z.string(), version: z.int(), channel: z.string(), user: z.string() }),
  z.object({ kind: z.literal('beat'), from: z.string(), version: z.int() }),
  z.object({ kind: z.literal('resend'), from: z.string(), to: z.string() }),
  z.object({ kind: z.literal('gap'), from: z.string() }),
  z.object({ kind: z.literal('bye'), from: z.string() }),
  z.object({ kind: z.literal('ask'), from: z.string(), id: z.string(), filter: ChannelFilter }),
  z.object({
    kind: z.literal('answer'),
    from: z.string(),
    id: z.string(),
    counts: z.array(z.tuple([z.string(), z.int()])),
  }),
  z.object({ kind: z.literal('disconnect'), from: z.string(), user: z.string(), code: z.int() }),
]);
export type InstanceNotice = z.infer<typeof InstanceNotice>;
