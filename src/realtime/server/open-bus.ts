import type pg from 'pg';
import { createInProcessBus } from '#realtime/server/in-process-bus.ts';
import type { RealtimeLog } from '#realtime/server/log.ts';
import type { MessageBus } from '#realtime/server/message-bus.ts';
import { createPostgresBus } from '#realtime/server/postgres-bus.ts';
import { createTwoWayBus } from '#realtime/server/two-way-bus.ts';

/**
 * The bus between instances: Redis, with the database's notifications while Redis is away or not set up.
 * An embedded database has one instance only. `others`: how many more there are on this database.
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
    // The first word of this instance goes to those whose Redis is another one.
    await notifications.ready.catch(() => {});
    return createTwoWayBus(createRedisBus({ url: config.REDIS_URL, log }), notifications, others);
  }
  return config.DATABASE_URL ? createPostgresBus({ database, log }) : createInProcessBus();
}
