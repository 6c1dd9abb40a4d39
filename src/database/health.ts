import type { FastifyInstance, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import type { Db } from '#database/schema.ts';
import { withStatementLimit } from '#database/transaction.ts';
import type { Disk } from '#database/disk.ts';
import type { Jobs } from '#database/jobs/jobs.ts';
import { isOwnHost } from '#platform/server/addresses.ts';
import type { Clients } from '#platform/server/client-address.ts';

export interface HealthOf {
  db: Db;
  jobs: Pick<Jobs, 'isWell'>;
  disk: Pick<Disk, 'state'>;
  /** For this machine alone: versions show weaknesses. */
  versions: object;
  clients: Pick<Clients, 'addressOf'>;
  /** Whether everything has started and nothing is stopping. */
  isReady(): boolean;
  now(): Date;
}

/** Milliseconds to wait for the database's answer. */
const wait = 2_000;

/** `read_only`: it answers and takes no changes, as a standby does. */
type DatabaseState = 'ok' | 'read_only' | 'unavailable';

/** `/health`: 200 while orders can be taken, otherwise 503 with the part that fails. `/live`: the process answers, with its time. */
export function serveHealth(http: FastifyInstance, of: HealthOf): void {
  const { db, jobs, disk, isReady, now, versions, clients } = of;
  let asking: Promise<DatabaseState> | null = null;
  // However many callers there are, at most one connection waits for a database that is away.
  const askDatabase = () => (asking ??= stateOf(db).finally(() => (asking = null)));

  http.get('/health', async (request, reply) => {
    const [database, room] = await Promise.all([askDatabase(), disk.state()]);
    const checks = {
      database,
      disk: room,
      jobs: jobs.isWell() ? 'ok' : 'unavailable',
    };
    // A waiting job is done later; an order that cannot be written is lost.
    const isUp = isReady() && database === 'ok' && room !== 'full';
    return reply.status(isUp ? 200 : 503).send({
      status: isUp ? 'ok' : 'unavailable',
      checks,
      ...(isFromHere(request, clients) && { versions }),
    });
  });
  http.get('/live', async (_request, reply) => {
    // Pages go by this time. Node's own header is of the machine's clock, which tests do not move.
    reply.header('date', now().toUTCString());
    return { status: 'ok' };
  });
}

/** Through a proxy on this machine that does not say for whom it calls, a stranger still asks for the shop by its own name. */
function isFromHere(request: FastifyRequest, clients: Pick<Clients, 'addressOf'>): boolean {
  return isOwnHost(clients.addressOf(request.raw)) && isOwnHost(request.hostname);
}

async function stateOf(db: Db): Promise<DatabaseState> {
  const asked = sql<{ isReadOnly: boolean }>`
    select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as "isReadOnly"`;
  try {
    const { rows } = await withStatementLimit(wait, () => asked.execute(db));
    return rows[0]?.isReadOnly ? 'read_only' : 'ok';
  } catch {
    return 'unavailable';
  }
}
