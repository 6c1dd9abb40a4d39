import type pg from 'pg';
import { createInProcessBus } from '#realtime/server/in-process-bus.ts';
import type { RealtimeLog } from '#realtime/server/log.ts';
import type { MessageBus } from '#realtime/server/message-bus.ts';
import { createPostgresBus } from '#realtime/server/postgres-bus.ts';
import { createTwoWayBus } from '#realtime/server/two-way-bus.ts';

/**
 * The bus between instances: Redis, with the database's notifications while Redis is away or not set up.
 * An embedded database has one instance only.
 */
export async function openBus(
  config: { REDIS_URL?: string | undefined; DATABASE_URL?: string | undefined },
  database: string | pg.PoolConfig,
  log: RealtimeLog,
): Promise<MessageBus> {
  if (config.REDIS_URL) {
    // A shop without Redis does without its client in memory, too.
    const { createRedisBus } = await import('#realtime/server/redis-bus.ts');
    return createTwoWayBus(createRedisBus({ url: config.REDIS_URL, log }), createPostgresBus({ database, log }));
  }
  return config.DATABASE_URL ? createPostgresBus({ database, log }) : createInProcessBus();
}
