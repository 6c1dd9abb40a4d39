import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createInProcessBus, createPostgresBus, createRedundantBus } from '#realtime/server/open-bus.ts';
import type { MessageBus } from '#realtime/server/message-bus.ts';
import { createRedisBus } from '#realtime/server/redis-bus.ts';
import { silentLog } from '#realtime/testing/server.ts';
import { usesProgram } from '#testing/stand-ins.ts';
import { createTestDatabase } from '#testing/test-database.ts';

/** A Redis for one test, on a Unix socket in its own folder. */
export interface TestRedis {
  url: string;
  start(): Promise<void>;
  /** Kills the Redis; `start` restarts it at the same URL as before. */
  kill(): Promise<void>;
  /** Stops it from answering, with all connections open, until the returned function is called. */
  freeze(): () => void;
  remove(): Promise<void>;
}

/** The stand-in everywhere, and the real Redis (`apt-get install redis-server`) where tests use it. */
export const redisKinds = [
  { name: 'a stand-in for Redis', create: createStandInRedis },
  ...(usesProgram('redis-server') ? [{ name: 'redis-server', create: createRealRedis }] : []),
];

/** A place where a bus runs; `open` gives one process's end of it. */
export interface BusPlace {
  open(): MessageBus;
  remove(): Promise<void>;
}

export const busKinds = [
  {
    name: 'one process',
    async create(): Promise<BusPlace> {
      const bus = createInProcessBus();
      return { open: () => bus, remove: () => bus.close() };
    },
  },
  ...redisKinds.map(({ name, create }) => ({
    name,
    async create(): Promise<BusPlace> {
      const redis = await create();
      await redis.start();
      return { open: () => createRedisBus({ url: redis.url, log: silentLog }), remove: redis.remove };
    },
  })),
  {
    name: 'PostgreSQL',
    async create(): Promise<BusPlace> {
      const { config, drop } = await createTestDatabase();
      return { open: () => createPostgresBus({ database: config, log: silentLog }), remove: drop };
    },
  },
  ...redisKinds.map(({ name, create }) => ({
    name: `${name}, with PostgreSQL beside it`,
    async create(): Promise<BusPlace> {
      const redis = await create();
      await redis.start();
      const { config, drop } = await createTestDatabase();
      return {
        open: () =>
          createRedundantBus(
            createRedisBus({ url: redis.url, log: silentLog }),
            createPostgresBus({ database: config, log: silentLog }),
          ),
        async remove() {
          await redis.remove();
          await drop();
        },
      };
    },
  })),
];

async function createRealRedis(): Promise<TestRedis> {
  const folder = await mkdtemp(join(tmpdir(), 'hatch-redis-'));
  const url = join(folder, 'redis.sock');
  let child: ChildProcess | null = null;

  async function kill(): Promise<void> {
    if (!child) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    child = null;
    await ended;
  }

  return {
    url,
    kill,
    freeze() {
      const frozen = child;
      frozen?.kill('SIGSTOP');
      return () => void frozen?.kill('SIGCONT');
    },
    async start() {
      const settings = ['--port', '0', '--unixsocket', url, '--save', '', '--appendonly', 'no', '--dir', folder];
      const started = spawn('redis-server', settings, { stdio: ['ignore', 'pipe', 'ignore'] });
      child = started;
      for await (const line of started.stdout) if (String(line).includes('eady to accept connections')) break;
      started.stdout.resume();
    },
    async remove() {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Speaks the part of Redis that the bus uses (RESP2, publish and subscribe), for machines without the real one: the bus
 * is tested everywhere, and against the real Redis wherever it is installed.
 */
async function createStandInRedis(): Promise<TestRedis> {
  const folder = await mkdtemp(join(tmpdir(), 'hatch-redis-'));
  const url = join(folder, 'redis.sock');
  const subscriptions = new Map<Socket, Set<string>>();
  let server: Server | null = null;
  let isFrozen = false;

  function obey(socket: Socket, [name = '', ...words]: string[]): string {
    const topics = subscriptions.get(socket) ?? new Set();
    switch (name.toLowerCase()) {
      case 'hello':
        return '-NOPROTO unsupported protocol version\r\n';
      case 'info':
        return bulk('redis_version:7.0.0\r\nloading:0\r\n');
      case 'ping':
        return topics.size > 0 ? `*2\r\n${bulk('pong')}${bulk('')}` : '+PONG\r\n';
      case 'subscribe':
        return words.map((topic) => `*3\r\n${bulk('subscribe')}${bulk(topic)}:${topics.add(topic).size}\r\n`).join('');
      case 'unsubscribe':
        for (const topic of words) topics.delete(topic);
        return words.map((topic) => `*3\r\n${bulk('unsubscribe')}${bulk(topic)}:${topics.size}\r\n`).join('');
      case 'publish': {
        const [topic = '', text = ''] = words;
        const hearing = [...subscriptions].filter(([, heard]) => heard.has(topic));
        for (const [listener] of hearing) {
          listener.write(`*3\r\n${bulk('message')}${bulk(topic)}${bulk(text)}`, 'latin1');
        }
        return `:${hearing.length}\r\n`;
      }
      default:
        return '+OK\r\n';
    }
  }

  async function kill(): Promise<void> {
    for (const socket of subscriptions.keys()) socket.destroy();
    if (!server) return;
    server.close();
    await once(server, 'close');
    server = null;
  }

  return {
    url,
    kill,
    freeze() {
      isFrozen = true;
      return () => (isFrozen = false);
    },
    async start() {
      server = createServer((socket) => {
        subscriptions.set(socket, new Set());
        socket.on('close', () => subscriptions.delete(socket));
        socket.on('error', () => socket.destroy());
        let text = '';
        socket.setEncoding('latin1').on('data', (chunk) => {
          if (isFrozen) return;
          text += String(chunk);
          for (;;) {
            const command = readCommand(text);
            if (!command) return;
            text = text.slice(command.length);
            socket.write(obey(socket, command.words), 'latin1');
          }
        });
      });
      server.listen(url);
      await once(server, 'listening');
    },
    async remove() {
      await kill();
      await wait(1);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Latin-1 everywhere, so that a character is a byte and lengths are right. */
function bulk(text: string): string {
  return `$${text.length}\r\n${text}\r\n`;
}

/** The first complete command of the text, `*2 $4 PING $1 x` in RESP; null while it is incomplete. */
function readCommand(text: string): { words: string[]; length: number } | null {
  const head = /^\*(\d+)\r\n/.exec(text);
  if (!head) return null;
  const words: string[] = [];
  let at = head[0].length;
  for (let left = Number(head[1]); left > 0; left -= 1) {
    const size = /^\$(\d+)\r\n/.exec(text.slice(at, at + 20));
    if (!size) return null;
    const start = at + size[0].length;
    at = start + Number(size[1]) + 2;
    if (text.length < at) return null;
    words.push(text.slice(start, at - 2));
  }
  return { words, length: at };
}
