import { isUuid } from '#platform/uuid.ts';

/** The names of one kind of channel: the text before the id, and the text after it. */
export interface ChannelNamePattern {
  before: string;
  after: string;
  of(id: string): string;
  idIn(name: string): string | null;
}

export function makeChannelNamePattern(before: string, after = ''): ChannelNamePattern {
  const idIn = (name: string) => {
    if (!name.startsWith(before) || !name.endsWith(after)) return null;
    const id = name.slice(before.length, name.length - after.length);
    // Channel names are case-sensitive, so an id with capitals would name another channel.
    return isUuid(id) && id === id.toLowerCase() ? id : null;
  };
  return { before, after, of: (id) => before + id + after, idIn };
}

/** The rules that a domain registers for a kind of channel. Unregistered names are allowed only for public channels. */
export interface ChannelRule {
  names: ChannelNamePattern;
  /** `staff`: people whose scopes include the id in the name. `anyone`: everybody who knows the id. */
  listeners: 'anyone' | 'staff';
  /** Set if the channel's listeners may not send. */
  isOneWay?: true;
  /** Set if a lost listener must be noticed within seconds. */
  isWatched?: true;
  /** Set if the sockets of the channel's listeners are closed first when the server closes all sockets. */
  closesFirst?: true;
}

export interface ChannelTable {
  /** The rule for a channel name, with the id in it; null: the name is unregistered and must not be authorised. */
  find(name: string): { rule: ChannelRule; id: string } | null;
  /**
   * Whether the name is a registered public channel. An unregistered public channel exists only while somebody listens.
   */
  isPublic(name: string): boolean;
}

export function makeChannelTable(rules: readonly ChannelRule[], publicNames: readonly string[] = []): ChannelTable {
  return {
    isPublic: (name) => publicNames.includes(name),
    find(name) {
      for (const rule of rules) {
        const id = rule.names.idIn(name);
        if (id !== null) return { rule, id };
      }
      return null;
    },
  };
}

/** The kind of a channel, by its name's prefix. The kind decides who may listen and send. */
export type ChannelKind = 'public' | 'private' | 'encrypted' | 'presence' | 'user';

const USER_PREFIX = '#server-to-user-';

export function channelKindOf(name: string): ChannelKind {
  if (name.startsWith('private-encrypted-')) return 'encrypted';
  if (name.startsWith('private-')) return 'private';
  if (name.startsWith('presence-')) return 'presence';
  if (name.startsWith(USER_PREFIX)) return 'user';
  return 'public';
}

export function allowsClientEvents(table: ChannelTable, name: string): boolean {
  const kind = channelKindOf(name);
  return (kind === 'private' || kind === 'presence') && !table.find(name)?.rule.isOneWay;
}

/** The channel of one signed-in user. Only the user's sockets receive its events. */
export function userChannelName(userId: string): string {
  return USER_PREFIX + userId;
}

/** Whether a name follows Pusher's rule: at most 200 letters, digits and `_ - = @ , . ;`. */
export function isValidChannelName(name: string): boolean {
  // Client libraries use channel names as keys of plain objects, in which this key is special.
  if (name === '__proto__') return false;
  if (/^[A-Za-z0-9_\-=@,.;]{1,200}$/.test(name)) return true;
  return name.startsWith(USER_PREFIX) && name.length > USER_PREFIX.length && name.length <= 200 && !/\s/.test(name);
}

/**
 * Whether a socket id has the server's form. It is checked before signing, because the signed text joins id and channel
 * by colons.
 */
export function isValidSocketId(socketId: string): boolean {
  return /^\d{1,20}\.\d{1,20}$/.test(socketId);
}
