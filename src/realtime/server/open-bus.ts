import type pg from 'pg';
import type { RealtimeLog } from '#realtime/server/log.ts';
import type { BusMember, MessageBus } from '#realtime/server/message-bus.ts';
import { createPostgresBus } from '#realtime/server/postgres-bus.ts';
import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { repeat } from '#platform/server/sweep.ts';

/**
 * The bus between instances: Redis, with the database's notifications as the fallback. An embedded database has one
 * instance only. `others`: how many more there are on this database.
 */
export async function openBus(
  config: { REDIS_URL?: string | undefined; DATABASE_URL?: string | undefined },
  database: string | pg.PoolConfig,
  log: RealtimeLog,
  others: () => number,
): Promise<MessageBus> {
  if (config.REDIS_URL) {
    // A shop without Redis does without its client in memory, too.
    const { createRedisBus } = await import('#realtime/server/redis-bus.ts');
    const notifications = createPostgresBus({ database, log });
    // The first word of this instance goes to instances whose Redis is another one.
    await notifications.ready.catch(() => {});
    return createTwoWayBus(createRedisBus({ url: config.REDIS_URL, log }), notifications, others);
  }
  return config.DATABASE_URL ? hearNamed(createPostgresBus({ database, log })) : createInProcessBus();
}

interface Member {
  topic: string;
  onMessage: (message: string) => void;
}

/** The bus of an application that runs as one process; several servers in that process may share it. */
export function createInProcessBus(): MessageBus {
  const members = new Set<Member>();

  return {
    join(topic, onMessage, onConnected): BusMember {
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
            // Asynchronously, as over a network: a receiver never runs inside the sender's call.
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

/** The number of remembered messages, so that a message received on both buses is handled once. */
const remembered = 5_000;
/** Milliseconds between two announcements of members that `first` does not reach, and for which an announcement is valid. */
const announcing = { every: 5_000, lasts: 15_000 };
/** Whether `first` reaches a member, said by itself; instances of earlier releases know these texts. */
const notReached = '!deaf';
const reachedAgain = '!hears';

const named = /^(!deaf|!hears|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\.\d+) ([^]*)$/;

/** An instance without Redis sends messages without a name. */
function readNamed(text: string): { name: string | null; message: string } {
  const [, name = null, message = text] = named.exec(text) ?? [];
  return { name, message };
}

/** The bus of an instance without Redis, on which instances with one send as well: their messages have names. */
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
 * A bus that works while one of two is down: messages that `first` does not bring to everyone are sent by `second` as
 * well. Each message begins with a unique name, so that nobody handles it twice. `known`: the least number of other
 * instances, including silent ones whose `first` is another one.
 */
export function createTwoWayBus(first: MessageBus, second: MessageBus, known = () => 0): MessageBus {
  return {
    join(topic, onMessage, onConnected): BusMember {
      const self = randomUUID();
      const heard = new LRUCache<string, true>({ max: remembered });
      /** The members that said `first` does not reach them, and until when that is valid. */
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
        // The other bus was connected the whole time.
        if (isOpen) return;
        isOpen = true;
        onConnected();
      };
      // `first` may count this member as reached long after it stopped receiving.
      let endAnnouncing: (() => void) | undefined;
      const announce = (what: string) => void two.send(`${what} ${self}`).catch(() => {});
      const lose = () => {
        isOpen = two.isConnected();
        announce(notReached);
        endAnnouncing ??= repeat(announcing.every, () => announce(notReached));
        // Messages on the way were lost: listeners have to refetch.
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
      const one: BusMember = first.join(topic, hear, find, lose);
      const two: BusMember = second.join(topic, hear, open, () => (isOpen = one.isConnected()));
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
