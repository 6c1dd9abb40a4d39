/** Called once when a user has joined or left a channel, however many sockets and instances the user has there. */
export type PresenceListener = (change: 'added' | 'removed', channel: string, userId: string, info: unknown) => void;

/** A user in a channel, as an instance announces the user to other instances. */
export type PresenceEntry = [channel: string, userId: string, info: unknown];

/**
 * The present users of each channel, on all instances. A user is present while this instance has a socket of the user,
 * or while another instance announces the user. A user with two tabs, or on two instances, therefore joins and leaves
 * once.
 */
export interface Presence {
  /**
   * Adds a user's socket. Returns true if it is the user's first socket at this instance; the caller then announces the
   * user to the other instances.
   */
  join(channel: string, userId: string, socketId: string, info: unknown): boolean;
  /** Removes a user's socket. Returns whether it was the user's last socket at this instance. */
  leave(channel: string, userId: string, socketId: string): boolean;
  members(channel: string): Map<string, unknown>;
  localEntries(): PresenceEntry[];
  peerJoined(peer: string, entry: PresenceEntry): void;
  peerLeft(peer: string, channel: string, userId: string): void;
  /** Replaces the users of another instance; the listener gets the differences. */
  replacePeer(peer: string, entries: readonly PresenceEntry[]): void;
  /** The number of users, summed over all channels. */
  size(): number;
}

const SELF = '';

export function createPresence(notify: PresenceListener): Presence {
  const local: Roster = new Map();
  const everywhere: Roster = new Map();

  function appear(channel: string, userId: string, instance: string, info: unknown): void {
    if (hold(everywhere, channel, userId, instance, info)) notify('added', channel, userId, info);
  }

  function vanish(channel: string, userId: string, instance: string): void {
    if (release(everywhere, channel, userId, instance)) notify('removed', channel, userId, null);
  }

  return {
    join(channel, userId, socketId, info) {
      if (!hold(local, channel, userId, socketId, info)) return false;
      appear(channel, userId, SELF, info);
      return true;
    },
    leave(channel, userId, socketId) {
      if (!release(local, channel, userId, socketId)) return false;
      vanish(channel, userId, SELF);
      return true;
    },
    members(channel) {
      const members = new Map<string, unknown>();
      for (const [userId, holders] of everywhere.get(channel) ?? []) members.set(userId, firstInfo(holders));
      return members;
    },
    localEntries: () => listEntries(local, () => true),
    peerJoined: (peer, [channel, userId, info]) => appear(channel, userId, peer, info),
    peerLeft: (peer, channel, userId) => vanish(channel, userId, peer),
    replacePeer(peer, entries) {
      const before = listEntries(everywhere, (holders) => holders.has(peer));
      const kept = new Set(entries.map(keyOf));
      for (const [channel, userId, info] of entries) appear(channel, userId, peer, info);
      for (const entry of before) if (!kept.has(keyOf(entry))) vanish(entry[0], entry[1], peer);
    },
    size() {
      let size = 0;
      for (const users of everywhere.values()) size += users.size;
      return size;
    },
  };
}

type Holders = Map<string, unknown>;
type Roster = Map<string, Map<string, Holders>>;

function hold(roster: Roster, channel: string, userId: string, holder: string, info: unknown): boolean {
  const users = roster.get(channel) ?? new Map<string, Holders>();
  const holders = users.get(userId) ?? new Map<string, unknown>();
  const isFirst = holders.size === 0;
  holders.set(holder, info);
  users.set(userId, holders);
  roster.set(channel, users);
  return isFirst;
}

function release(roster: Roster, channel: string, userId: string, holder: string): boolean {
  const users = roster.get(channel);
  const holders = users?.get(userId);
  if (!users || !holders?.delete(holder) || holders.size > 0) return false;
  users.delete(userId);
  if (users.size === 0) roster.delete(channel);
  return true;
}

function listEntries(roster: Roster, includes: (holders: Holders) => boolean): PresenceEntry[] {
  const entries: PresenceEntry[] = [];
  for (const [channel, users] of roster) {
    for (const [userId, holders] of users) if (includes(holders)) entries.push([channel, userId, firstInfo(holders)]);
  }
  return entries;
}

function firstInfo(holders: Holders): unknown {
  return holders.values().next().value ?? null;
}

function keyOf([channel, userId]: PresenceEntry): string {
  return JSON.stringify([channel, userId]);
}
