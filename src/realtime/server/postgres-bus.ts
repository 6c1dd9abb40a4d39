import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { listenOn } from '#database/listen.ts';
import type { RealtimeLog } from '#realtime/server/log.ts';
import type { BusMember, MessageBus } from '#realtime/server/message-bus.ts';

export interface PostgresBusOptions {
  /** The application's database: a connection string, or the connection that the embedded one returned. */
  database: string | pg.PoolConfig;
  log: RealtimeLog;
}

interface Member {
  id: string;
  topic: string;
  onMessage: (message: string) => void;
  onConnected: () => void;
  onLost: () => void;
}

const channel = 'hatch_bus';
/** A notification has at most 8,000 bytes; a character of a message takes three at most. */
const partLength = 2_400;

/**
 * The bus of several processes over their database's notifications, with one connection of its own. A notification is
 * `<sender> <topic> <message> <part> of <parts> <text>`: `<message>` is a counter, because PostgreSQL sends only one of
 * several equal notifications. The parts of a message arrive one after the other, because they are committed together.
 * It reconnects by itself; messages sent meanwhile are lost.
 */
export function createPostgresBus({ database, log }: PostgresBusOptions): MessageBus & { ready: Promise<void> } {
  const members = new Set<Member>();
  const incoming = gatherParts((sender, topic, message) => {
    for (const member of members) if (member.topic === topic && member.id !== sender) member.onMessage(message);
  });
  let isBroken = false;
  const listener = listenOn({
    database,
    channels: [channel],
    name: 'hatch-bus',
    onNotification: incoming.take,
    onOpen() {
      incoming.forget();
      if (isBroken) log.info({}, 'the message bus has the database again');
      isBroken = false;
      for (const member of members) member.onConnected();
    },
    onLost() {
      for (const member of members) member.onLost();
    },
    onError(error) {
      if (!isBroken) log.error({ err: error }, 'the message bus lost the database');
      isBroken = true;
    },
  });
  const outgoing = gatherPayloads((payloads) =>
    listener.query('select pg_notify($1, payload) from unnest($2::text[]) as payload', [channel, payloads]),
  );
  let sent = 0;

  return {
    /** As the listener's. */
    ready: listener.ready,
    join(topic, onMessage, onConnected, onLost = () => {}): BusMember {
      const member: Member = { id: randomUUID(), topic, onMessage, onConnected, onLost };
      members.add(member);
      if (listener.isOpen()) queueMicrotask(() => members.has(member) && listener.isOpen() && onConnected());
      return {
        isConnected: listener.isOpen,
        async send(message) {
          if (!members.has(member)) throw new Error('The message bus is closed.');
          sent += 1;
          const payloads = payloadsOf(`${member.id} ${topic} ${sent}`, message);
          await outgoing.add(payloads);
          // The listeners are unknown; every one of them has received it.
          return Infinity;
        },
        async leave() {
          members.delete(member);
        },
      };
    },
    async close() {
      members.clear();
      await listener.stop();
    },
  };
}

/** Messages that arrive while others are being sent are sent together afterwards. */
function gatherPayloads(send: (payloads: string[]) => Promise<void>) {
  let waiting: { payloads: string[]; settle: PromiseWithResolvers<void> }[] = [];
  let isSending = false;
  const flush = async () => {
    if (isSending) return;
    isSending = true;
    while (waiting.length > 0) {
      const going = waiting;
      waiting = [];
      try {
        await send(going.flatMap((one) => one.payloads));
        for (const { settle } of going) settle.resolve();
      } catch (error) {
        for (const { settle } of going) settle.reject(error);
      }
    }
    isSending = false;
  };
  return {
    /** Resolves once the database has them. */
    add(payloads: string[]): Promise<void> {
      const settle = Promise.withResolvers<void>();
      waiting.push({ payloads, settle });
      void flush();
      return settle.promise;
    },
  };
}

/** Puts the parts of messages together, and hands each message over once it is complete. */
function gatherParts(hand: (sender: string, topic: string, message: string) => void) {
  /** The parts received of each member's current message. */
  const coming = new Map<string, string[]>();
  return {
    forget: () => coming.clear(),
    take(payload: string) {
      const [, sender = '', topic = '', , part = '', parts = '', text = ''] = envelope.exec(payload) ?? [];
      // Parts are sent in order: a first part begins a new message.
      if (part === '1') coming.set(sender, []);
      const message = coming.get(sender);
      if (!message || message.length + 1 !== Number(part)) return;
      message.push(text);
      if (part !== parts) return;
      coming.delete(sender);
      hand(sender, topic, message.join(''));
    },
  };
}

const envelope = /^(\S+) (\S+) (\d+) (\d+) of (\d+) ([^]*)$/;

/** Splits `message` into as many notifications as it needs, each with its header. */
function payloadsOf(head: string, message: string): string[] {
  const parts = partsOf(message);
  return parts.map((part, at) => `${head} ${at + 1} of ${parts.length} ${part}`);
}

function partsOf(message: string): string[] {
  const parts: string[] = [];
  let at = 0;
  do {
    let end = Math.min(at + partLength, message.length);
    // Half of a surrogate pair is not valid text.
    if (end < message.length && /[\uD800-\uDBFF]/.test(message.charAt(end - 1))) end -= 1;
    parts.push(message.slice(at, end));
    at = end;
  } while (at < message.length);
  return parts;
}
