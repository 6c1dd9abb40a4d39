import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import type { RealtimeLog } from '#realtime/server/log.ts';
import { repeatEvery } from '#platform/server/sweep.ts';
import type { MessageBusListener, MessageBus } from '#realtime/server/message-bus.ts';

export interface RedisBusOptions {
  /** A URL (`redis://…`, `rediss://…`), or the path of a Unix socket. */
  url: string;
  log: RealtimeLog;
  prefix?: string;
}

interface Member {
  id: string;
  topic: string;
  isConnected: boolean;
  onMessage: (message: string) => void;
  onConnected: () => void;
  onLost: () => void;
}

/** Each message begins with its sender's UUID, so that senders skip their own messages. */
const ID_LENGTH = 36;
const PROBE_EVERY_MS = 1_000;
const COMMAND_TIMEOUT_MS = 1000;
const retryStrategy = (attempt: number) => Math.min(50 * attempt, 2000);

/**
 * Creates the bus over Redis publish and subscribe. After a lost connection it reconnects; messages sent meanwhile are
 * lost.
 */
export function createRedisBus({ url, log, prefix = 'hatch' }: RedisBusOptions): MessageBus {
  const connections = connectTwice(url);
  const { subscriber, publisher } = connections;
  const nameTopic = (topic: string) => `${prefix}:${topic}`;
  const members = trackMembers(connections, nameTopic, log);
  const publish = publishWhileAnswered(publisher);

  for (const redis of [subscriber, publisher]) {
    logTrouble(redis, log, redis === subscriber ? 'subscribing' : 'publishing');
    redis.on('ready', () => void members.connect());
    redis.on('close', members.lose);
  }
  const stopProbing = repeatEvery(PROBE_EVERY_MS, () => {
    if (!isReady(connections)) return;
    for (const redis of [subscriber, publisher]) void endIfDead(redis, members.lose);
  });
  subscriber.on('message', members.hear);

  return {
    join(topic, onMessage, onConnected, onLost = () => {}): MessageBusListener {
      const member: Member = { id: randomUUID(), topic, isConnected: false, onMessage, onConnected, onLost };
      members.add(member);
      return {
        isConnected: () => member.isConnected,
        async send(message) {
          if (!members.has(member)) throw new Error('The message bus is closed.');
          const subscribers = await publish(nameTopic(topic), member.id + message);
          return subscribers - 1;
        },
        leave: () => members.remove(member),
      };
    },
    async close() {
      stopProbing();
      members.clear();
      subscriber.disconnect();
      publisher.disconnect();
    },
  };
}

function trackMembers(connections: Connections, nameTopic: (topic: string) => string, log: RealtimeLog) {
  const members = new Set<Member>();
  const { subscriber } = connections;

  async function connect(waiting: Member[] = [...members]): Promise<void> {
    if (waiting.length === 0 || !isReady(connections)) return;
    try {
      await subscriber.subscribe(...new Set(waiting.map(({ topic }) => nameTopic(topic))));
    } catch (error) {
      return log.warn({ err: error }, 'the message bus could not subscribe');
    }
    for (const member of waiting) {
      if (!members.has(member) || member.isConnected) continue;
      member.isConnected = true;
      member.onConnected();
    }
  }

  return {
    connect,
    lose() {
      for (const member of members) {
        if (!member.isConnected) continue;
        member.isConnected = false;
        member.onLost();
      }
    },
    hear(name: string, text: string) {
      for (const member of members) {
        if (nameTopic(member.topic) === name && !text.startsWith(member.id)) member.onMessage(text.slice(ID_LENGTH));
      }
    },
    has: (member: Member) => members.has(member),
    add(member: Member) {
      members.add(member);
      void connect([member]);
    },
    async remove(member: Member) {
      members.delete(member);
      const isShared = [...members].some(({ topic }) => topic === member.topic);
      // The command is sent only while connected, because waiting for a lost Redis would keep the process alive.
      if (!isShared && subscriber.status === 'ready') {
        await subscriber.unsubscribe(nameTopic(member.topic)).catch(() => undefined);
      }
    },
    clear: () => members.clear(),
  };
}

/**
 * Publishes a message, and resolves to the number of receivers. If Redis does not answer, further messages are rejected
 * at once until the next connection.
 */
function publishWhileAnswered(publisher: Redis): (name: string, text: string) => Promise<number> {
  let isSilent = false;
  publisher.on('ready', () => (isSilent = false));
  return async (name, text) => {
    if (isSilent) throw new Error('Redis does not answer.');
    try {
      return await publisher.publish(name, text);
    } catch (error) {
      if (publisher.status === 'ready' && !isSilent) {
        isSilent = true;
        publisher.disconnect(true);
      }
      throw error;
    }
  };
}

interface Connections {
  subscriber: Redis;
  publisher: Redis;
}

function isReady({ subscriber, publisher }: Connections): boolean {
  return subscriber.status === 'ready' && publisher.status === 'ready';
}

/** Opens two connections, because a subscribing connection cannot publish. */
function connectTwice(url: string): Connections {
  // ioredis must not renew the subscriptions: `connect` renews them, because a member counts as connected only with an
  // active subscription.
  const subscriber = new Redis(url, { autoResubscribe: false, commandTimeout: COMMAND_TIMEOUT_MS, retryStrategy });
  // The publisher has no queue: if events are lost, clients refetch their data. A queued event could arrive after the
  // refetch, with older data.
  const publisher = new Redis(url, {
    autoResendUnfulfilledCommands: false,
    commandTimeout: COMMAND_TIMEOUT_MS,
    enableOfflineQueue: false,
    retryStrategy,
  });
  return { subscriber, publisher };
}

/** Ends a half-open connection, which would lose events unnoticed. */
async function endIfDead(redis: Redis, lose: () => void): Promise<void> {
  try {
    await redis.ping();
  } catch {
    // The loss is reported first, because closing may take long.
    lose();
    redis.disconnect(true);
  }
}

function logTrouble(redis: Redis, log: RealtimeLog, purpose: string): void {
  let isBroken = false;
  redis.on('error', (error: Error) => {
    if (!isBroken) log.error({ err: error, purpose }, 'the message bus lost Redis');
    isBroken = true;
  });
  redis.on('ready', () => {
    if (isBroken) log.info({ purpose }, 'the message bus has Redis again');
    isBroken = false;
  });
}
