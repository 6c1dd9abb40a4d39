import { createHash, randomUUID } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import type { Db } from '#database/schema.ts';
import { inTransaction } from '#database/transaction.ts';
import { ConfigError } from '#platform/errors.ts';
import { isLoopbackUrl } from '#platform/server/addresses.ts';
import { repeatEvery } from '#platform/server/sweep.ts';

export interface Instances {
  others(): number;
  stop(): Promise<void>;
}

export interface InstanceSettings {
  /** The store that `/` shows; null: there is none yet. */
  storeId: string | null;
  publicUrl: string;
  REDIS_URL?: string | undefined;
}

interface Instance {
  store_id: string | null;
  address: string | null;
  redis: string;
  /** Seconds since the instance's last heartbeat. */
  silent: number;
}

export const singleInstance: Instances = { others: () => 0, stop: async () => {} };

/** Milliseconds between two heartbeats. */
const beatEvery = 15_000;
/** The time without a heartbeat after which an instance counts as ended. */
const liveFor = sql`interval '1 minute'`;

/**
 * Joins the instances on this database until `stop`. Throws ConfigError if a live instance shows another store or has
 * another public address. If a live instance uses another Redis, that is only logged.
 */
export async function joinInstances(
  db: Db,
  settings: InstanceSettings,
  log: Pick<FastifyBaseLogger, 'warn'>,
): Promise<Instances> {
  const id = randomUUID();
  const own = {
    store_id: settings.storeId,
    address: addressOf(settings.publicUrl),
    redis: redisMark(settings.REDIS_URL),
  };
  let others: Instance[] = [];
  let isSplit = false;
  const take = (found: Instance[]) => {
    others = found;
    const wasSplit = isSplit;
    isSplit = others.some(({ redis }) => redis !== own.redis);
    if (isSplit && !wasSplit) {
      log.warn(
        { instances: others.length + 1 },
        "the instances on this database disagree about REDIS_URL: the database's notifications carry events until they have the same",
      );
    }
  };
  // Heartbeats are timed by the database's clock, which all instances share.
  const beat = async (to: Db) => {
    await sql`insert into instances (id, store_id, address, redis, heard_at)
      values (${id}, ${own.store_id}, ${own.address}, ${own.redis}, now())
      on conflict (id) do update set heard_at = now()`.execute(to);
    const { rows } = await sql<Instance>`
      select store_id, address, redis, extract(epoch from now() - heard_at)::int as silent from instances
      where id <> ${id} and heard_at > now() - ${liveFor} order by heard_at desc`.execute(to);
    return rows;
  };
  await inTransaction(db, async (tx) => {
    // The lock makes concurrent starts run one after the other, so that the later one finds the row of the earlier one.
    await sql`lock table instances in exclusive mode`.execute(tx);
    await sql`delete from instances where heard_at < now() - interval '1 day'`.execute(tx);
    const found = await beat(tx);
    for (const other of found) refuseOther(own, other);
    take(found);
  });
  // After a failed heartbeat `others` keeps the count of the last successful heartbeat.
  let beating = Promise.resolve();
  const stopBeating = repeatEvery(beatEvery, () => {
    beating = beat(db).then(take, () => {});
  });
  return {
    others: () => others.length,
    async stop() {
      stopBeating();
      await beating;
      await db.deleteFrom('instances').where('id', '=', id).execute();
    },
  };
}

function refuseOther(own: Omit<Instance, 'silent'>, { store_id, address, silent }: Instance): void {
  const ending = `Its links would lead to this one. Stop it first, or give both the same; one that died counts for a minute (heard of ${silent} s ago).`;
  if (address !== null && own.address !== null && address !== own.address) {
    throw new ConfigError(
      `Another instance on this database has the APP_URL ${address}, and this one ${own.address}. ${ending}`,
    );
  }
  if (store_id !== null && own.store_id !== null && store_id !== own.store_id) {
    throw new ConfigError(`Another instance on this database has another STORE_NAME (${store_id}). ${ending}`);
  }
}

/** The host of the shop's public address; null: the address is this machine's own, as in a trial of Hatch. */
function addressOf(publicUrl: string): string | null {
  const url = new URL(publicUrl);
  return isLoopbackUrl(url) ? null : url.host;
}

/** A digest of the Redis address without its password, by which instances compare their addresses. */
function redisMark(text: string | undefined): string {
  if (text === undefined) return '';
  // An address may have no scheme: `host:6379`.
  const url = URL.parse(/^\/|:\/\//.test(text) ? text : `redis://${text}`);
  const place = url === null ? text : `${url.host}${url.pathname}`;
  return createHash('sha256').update(place).digest('hex').slice(0, 16);
}
