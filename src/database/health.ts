import type { FastifyInstance, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import type { Db } from '#database/schema.ts';
import { inTransaction, withStatementTimeout } from '#database/transaction.ts';
import type { Jobs } from '#database/jobs/jobs.ts';
import { isOwnHost } from '#platform/server/addresses.ts';
import type { ClientAddressReader } from '#platform/server/client-address.ts';
import { stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';

export interface HealthSources {
  db: Db;
  jobs: Pick<Jobs, 'isWell'>;
  disk: Pick<DiskMonitor, 'state'>;
  /**
   * The versions of Hatch and its database. Only callers on this machine get them, because versions reveal weaknesses.
   */
  versions: object;
  clients: Pick<ClientAddressReader, 'addressOf'>;
  /** Whether everything has started and nothing is stopping. */
  isReady(): boolean;
  now(): Date;
}

/** Milliseconds to wait for the database's answer. */
const wait = 2_000;

/** The state of the database. `read_only`: the database answers and refuses changes, as a standby does. */
type DatabaseState = 'ok' | 'read_only' | 'unavailable';

/**
 * Serves `/health`: 200 while orders can be taken, otherwise 503. Both answers have the result of each check. Serves
 * `/live`: always 200, with the shop's time.
 */
export function serveHealth(http: FastifyInstance, of: HealthSources): void {
  const { db, jobs, disk, isReady, now, versions, clients } = of;
  let asking: Promise<DatabaseState> | null = null;
  // Concurrent requests share one query, and so one connection.
  const askDatabase = () => (asking ??= stateOf(db).finally(() => (asking = null)));

  http.get('/health', async (request, reply) => {
    const [database, room] = await Promise.all([askDatabase(), disk.state()]);
    const checks = {
      database,
      disk: room,
      jobs: jobs.isWell() ? 'ok' : 'unavailable',
    };
    // A failing job queue does not count: its jobs are done later, but an order that cannot be written is lost.
    const isUp = isReady() && database === 'ok' && room !== 'full';
    return reply.status(isUp ? 200 : 503).send({
      status: isUp ? 'ok' : 'unavailable',
      checks,
      ...(isFromHere(request, clients) && { versions }),
    });
  });
  http.get('/live', async (_request, reply) => {
    // The `date` header has the shop's time. Pages read this header, and tests can change the shop's time. Node's own
    // header would have the machine's time.
    reply.header('date', now().toUTCString());
    return { status: 'ok' };
  });
}

/**
 * Whether a request is from this machine, by its address and its `Host`. The address is not enough: a request that a
 * local proxy forwards has this machine's address, but the shop's `Host`.
 */
function isFromHere(request: FastifyRequest, clients: Pick<ClientAddressReader, 'addressOf'>): boolean {
  return isOwnHost(clients.addressOf(request.raw)) && isOwnHost(request.hostname);
}

async function stateOf(db: Db): Promise<DatabaseState> {
  const asked = sql<{ isReadOnly: boolean }>`
    select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as "isReadOnly"`;
  try {
    const { rows } = await withStatementTimeout(wait, () => asked.execute(db));
    return rows[0]?.isReadOnly ? 'read_only' : 'ok';
  } catch {
    return 'unavailable';
  }
}

/** The state of the disk. `low`: the owner should free space. `full`: nothing can be written. */
export type DiskState = 'ok' | 'low' | 'full';

export interface DiskSpace {
  free: number;
  all: number;
}

export interface DiskMonitor {
  state(): Promise<DiskState>;
  room(): Promise<DiskSpace>;
  /** Records that the database reported a full disk. The state is `full` until a write succeeds. */
  noteFull(): void;
}

export interface DiskOptions {
  dataDir: string;
  /**
   * Whether the database is in the data folder. The disk of an external database is known to be full only by write
   * errors.
   */
  hasDatabase: boolean;
  db: Db;
}

/** The disk is low if its free space is less than `bytes`, or less than the share `part` of its size. */
const low = { bytes: 1_000_000_000, part: 0.05 };
/** PostgreSQL allocates its write-ahead log in segments of this many bytes. */
const journalPiece = 16 * 1024 * 1024;
/** Milliseconds. `every`: how long the result of a test write is cached. `timeout`: the limit for a test write. */
const probe = { every: 2_000, timeout: 2_000 };

export function createDiskMonitor({ dataDir, hasDatabase, db }: DiskOptions): DiskMonitor {
  let isSuspect = false;
  let asked: { at: number; answer: Promise<boolean> } | null = null;

  const isWritable = () => {
    if (asked && performance.now() - asked.at < probe.every) return asked.answer;
    const answer = withStatementTimeout(probe.timeout, () => tryToWrite(db)).then(
      () => {
        isSuspect = false;
        return true;
      },
      () => false,
    );
    asked = { at: performance.now(), answer };
    return answer;
  };
  const room = () => diskSpaceOf(dataDir);
  return {
    room,
    async state() {
      if (isSuspect && !(await isWritable())) return 'full';
      const { free, all } = await room();
      if (hasDatabase && free < journalPiece) return 'full';
      return isDiskLow({ free, all }) ? 'low' : 'ok';
    },
    noteFull() {
      isSuspect = true;
    },
  };
}

export function isDiskLow({ free, all }: DiskSpace, times = 1): boolean {
  return free < times * low.bytes || free < times * low.part * all;
}

export async function diskSpaceOf(folder: string): Promise<DiskSpace> {
  const { bavail, blocks, bsize } = await statfs(await nearestExistingFolder(folder));
  return { free: bavail * bsize, all: blocks * bsize };
}

/** The folder itself, or its nearest existing parent if nothing has created the folder yet. */
export async function nearestExistingFolder(folder: string): Promise<string> {
  const isThere = await stat(folder).then(
    () => true,
    () => false,
  );
  return isThere || dirname(folder) === folder ? folder : nearestExistingFolder(dirname(folder));
}

/** Writes to a table that is dropped at the commit, and to the write-ahead log, as orders do. */
async function tryToWrite(db: Db): Promise<void> {
  await inTransaction(db, async (tx) => {
    await sql`create temporary table room (filler text) on commit drop`.execute(tx);
    await sql`insert into room select repeat(md5(n::text), 32) from generate_series(1, 256) as n`.execute(tx);
    await sql`select pg_logical_emit_message(true, 'room', repeat(' ', 65536))`.execute(tx);
  });
}
