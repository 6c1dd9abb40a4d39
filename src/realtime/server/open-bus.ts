import type pg from 'pg';
import type { RealtimeLog } from '#realtime/server/log.ts';
import type { MessageBusListener, MessageBus } from '#realtime/server/message-bus.ts';
import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { repeatEvery } from '#platform/server/sweep.ts';
import { listenToDatabase } from '#database/listen.ts';

/**
 * Opens the bus between instances: Redis, with the database's notifications as fallback. With an embedded database
 * there is one instance only, and the bus stays in its process. `others`: the number of other instances on this
 * database.
 */
export async function openMessageBus(
  config: { REDIS_URL?: string | undefined; DATABASE_URL?: string | undefined },
  database: string | pg.PoolConfig,
  log: RealtimeLog,
  others: () => number,
): Promise<MessageBus> {
  if (config.REDIS_URL) {
    const { createRedisBus } = await import('#realtime/server/redis-bus.ts');
    const notifications = createPostgresBus({ database, log });
    // Instances with another Redis are reached only through the database, which is therefore awaited before the first
    // message.
    await notifications.ready.catch(() => {});
    return createRedundantBus(createRedisBus({ url: config.REDIS_URL, log }), notifications, others);
  }
  return config.DATABASE_URL ? hearNamed(createPostgresBus({ database, log })) : createInProcessBus();
}

interface Member {
  topic: string;
  onMessage: (message: string) => void;
}

/** The bus of a single-process application; several servers in that process may share it. */
export function createInProcessBus(): MessageBus {
  const members = new Set<Member>();

  return {
    join(topic, onMessage, onConnected): MessageBusListener {
      const self: Member = { topic, onMessage };
      members.add(self);
      queueMicrotask(() => {
        if (members.has(self)) onConnected();
      });
      return {
        isConnected: () => members.has(self),
        async send(message) {
          if (!members.has(self)) throw new Error('The message bus is closed.');
          let reached = 0;
          for (const member of members) {
            if (member === self || member.topic !== topic) continue;
            reached += 1;
            // Messages arrive asynchronously, as over a network, so that a receiver never runs inside the sender's
            // call.
            setImmediate(() => {
              if (members.has(member)) member.onMessage(message);
            });
          }
          return reached;
        },
        async leave() {
          members.delete(self);
        },
      };
    },
    async close() {
      members.clear();
    },
  };
}

/** The number of message names in the cache. A message that arrives on both buses is recognised by its name. */
const remembered = 5_000;
/**
 * Times in milliseconds. If the first bus (Redis) does not reach a member, the member announces this at the interval
 * `every`. An announcement is valid for `lasts`.
 */
const announcing = { every: 5_000, lasts: 15_000 };
/**
 * The announcement that the first bus no longer reaches the sender. The text must not change, because earlier releases
 * use it.
 */
const notReached = '!deaf';
/**
 * The announcement that the first bus reaches the sender again. The text must not change, because earlier releases use
 * it.
 */
const reachedAgain = '!hears';

const named = /^(!deaf|!hears|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\.\d+) ([^]*)$/;

/** Splits a received text into the message and its name; null: a message of an instance without Redis. */
function readNamed(text: string): { name: string | null; message: string } {
  const [, name = null, message = text] = named.exec(text) ?? [];
  return { name, message };
}

/**
 * Delivers messages without the names that instances with Redis give them, and drops announcements. Names serve to
 * recognise a message that arrives on two buses, but an instance without Redis has only one bus.
 */
function hearNamed<Bus extends MessageBus>(bus: Bus): Bus {
  return {
    ...bus,
    join: (topic, onMessage, ...events) =>
      bus.join(
        topic,
        (text) => {
          const { name, message } = readNamed(text);
          if (name !== notReached && name !== reachedAgain) onMessage(message);
        },
        ...events,
      ),
  };
}

/**
 * Combines two buses into one that survives the loss of either. A message is also sent through `second` if `first` may
 * not reach every member. Each message has a unique name, by which a second arrival is ignored. `known`: the number of
 * other instances on the database, which may use another Redis.
 */
export function createRedundantBus(first: MessageBus, second: MessageBus, known = () => 0): MessageBus {
  return {
    join(topic, onMessage, onConnected): MessageBusListener {
      const self = randomUUID();
      const heard = new LRUCache<string, true>({ max: remembered });
      /** The members that `first` does not reach, each with the expiry of its announcement. */
      const unreached = new Map<string, number>();
      let sent = 0;
      let isOpen = false;
      const hear = (text: string) => {
        const { name, message } = readNamed(text);
        if (name === notReached) return void unreached.set(message, performance.now() + announcing.lasts);
        if (name === reachedAgain) return void unreached.delete(message);
        if (name !== null && heard.has(name)) return;
        if (name !== null) heard.set(name, true);
        onMessage(message);
      };
      const open = () => {
        // If the other bus was connected the whole time, nothing was lost, and listeners need not refetch.
        if (isOpen) return;
        isOpen = true;
        onConnected();
      };
      // After this member lost `first`, the bus `first` may still count it as a receiver for a long time. So the member
      // announces the loss itself.
      let endAnnouncing: (() => void) | undefined;
      const announce = (what: string) => void two.send(`${what} ${self}`).catch(() => {});
      const lose = () => {
        isOpen = two.isConnected();
        announce(notReached);
        endAnnouncing ??= repeatEvery(announcing.every, () => announce(notReached));
        // Messages may have been lost, so listeners must refetch.
        if (isOpen) onConnected();
      };
      const find = () => {
        if (endAnnouncing) announce(reachedAgain);
        endAnnouncing?.();
        endAnnouncing = undefined;
        open();
      };
      const hasUnreached = () => {
        for (const [id, until] of unreached) if (until < performance.now()) unreached.delete(id);
        return unreached.size > 0;
      };
      const one: MessageBusListener = first.join(topic, hear, find, lose);
      const two: MessageBusListener = second.join(topic, hear, open, () => (isOpen = one.isConnected()));
      return {
        isConnected: () => one.isConnected() || two.isConnected(),
        async send(message, others = 0) {
          sent += 1;
          const text = `${self}.${sent} ${message}`;
          if (one.isConnected()) {
            const reached = await one.send(text).catch(() => -1);
            if (reached >= Math.max(others, known()) && !hasUnreached()) return reached;
          }
          return two.send(text);
        },
        leave: async () => {
          endAnnouncing?.();
          await Promise.all([one.leave(), two.leave()]);
        },
      };
    },
    async close() {
      await Promise.all([first.close(), second.close()]);
    },
  };
}

export interface PostgresBusOptions {
  /** The application's database: a connection string, or the embedded database's connection. */
  database: string | pg.PoolConfig;
  log: RealtimeLog;
}

interface PostgresBusMember {
  id: string;
  topic: string;
  onMessage: (message: string) => void;
  onConnected: () => void;
  onLost: () => void;
}

const channel = 'hatch_bus';
/** The length of a part in characters. A notification has at most 8,000 bytes, and a character takes at most three. */
const partLength = 2_400;

/**
 * Creates the bus over the database's notifications, on a separate connection. A payload is `<sender> <topic> <message>
 * <part> of <parts> <text>`; `<message>` is a counter, because PostgreSQL merges equal notifications. Parts are
 * committed together and arrive in order. After a lost connection the bus reconnects; messages sent meanwhile are lost.
 */
export function createPostgresBus({ database, log }: PostgresBusOptions): MessageBus & { ready: Promise<void> } {
  const members = new Set<PostgresBusMember>();
  const incoming = gatherParts((sender, topic, message) => {
    for (const member of members) if (member.topic === topic && member.id !== sender) member.onMessage(message);
  });
  let isBroken = false;
  const listener = listenToDatabase({
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
    /** Settles with the listener's first connection attempt. */
    ready: listener.ready,
    join(topic, onMessage, onConnected, onLost = () => {}): MessageBusListener {
      const member: PostgresBusMember = { id: randomUUID(), topic, onMessage, onConnected, onLost };
      members.add(member);
      if (listener.isOpen()) queueMicrotask(() => members.has(member) && listener.isOpen() && onConnected());
      return {
        isConnected: listener.isOpen,
        async send(message) {
          if (!members.has(member)) throw new Error('The message bus is closed.');
          sent += 1;
          const payloads = payloadsOf(`${member.id} ${topic} ${sent}`, message);
          await outgoing.add(payloads);
          // PostgreSQL does not count receivers, but every listener gets the message.
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

/** Sends payloads in batches; payloads that arrive during a send form the next batch. */
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
    /** Resolves once the database has the payloads. */
    add(payloads: string[]): Promise<void> {
      const settle = Promise.withResolvers<void>();
      waiting.push({ payloads, settle });
      void flush();
      return settle.promise;
    },
  };
}

/** Joins the parts of messages, and calls `hand` with each complete message. */
function gatherParts(hand: (sender: string, topic: string, message: string) => void) {
  /** The received parts of each member's current message. */
  const coming = new Map<string, string[]>();
  return {
    forget: () => coming.clear(),
    take(payload: string) {
      const [, sender = '', topic = '', , part = '', parts = '', text = ''] = envelope.exec(payload) ?? [];
      // Parts are sent in order, so a first part begins a new message.
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

function payloadsOf(head: string, message: string): string[] {
  const parts = partsOf(message);
  return parts.map((part, at) => `${head} ${at + 1} of ${parts.length} ${part}`);
}

function partsOf(message: string): string[] {
  const parts: string[] = [];
  let at = 0;
  do {
    let end = Math.min(at + partLength, message.length);
    // The cut moves back by one if it would split a surrogate pair, because half a pair is invalid text.
    if (end < message.length && /[\uD800-\uDBFF]/.test(message.charAt(end - 1))) end -= 1;
    parts.push(message.slice(at, end));
    at = end;
  } while (at < message.length);
  return parts;
}
