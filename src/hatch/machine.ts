import { openInstallationKeys } from '#platform/server/secrets/installation-keys.ts';
import { formatDeviceCode } from '#accounts/devices.ts';
import { isOwnerNeeded, setupCode } from '#accounts/server/set-up-shop.ts';
import type { Config } from '#config.ts';
import { connect } from '#database/connect.ts';
import { knownMigrations, readDatabaseFacts, type DatabaseFacts } from '#database/data-version.ts';
import { readFolderLockHolder } from '#database/embedded/lock.ts';
import { isProcessAlive } from '#database/embedded/process.ts';
import { findDatabase, type FoundDatabase } from '#database/find-database.ts';
import type { Db } from '#database/schema.ts';

/** The installed shop as the `hatch` commands see it: settings, database, address. */
export interface Machine {
  config: Config;
  db: Db;
  database: FoundDatabase['connection'];
  /**
   * The address at which people open the shop: recorded by the running server, otherwise computed from the settings.
   */
  url: string;
  port: number;
  /** When the shop started on the data folder; null if the shop does not run, or if its database is elsewhere. */
  runsSince: string | null;
  stored: DatabaseFacts;
  /** Why this program cannot read the data; null if it can. */
  dataFault: string | null;
  now(): Date;
}

/**
 * Runs `work` on the machine's shop. Throws ConfigError if there is no shop, DatabaseStartError if its database does
 * not start.
 */
export async function withMachine<T>(
  config: Config,
  now: () => Date,
  work: (machine: Machine) => Promise<T>,
): Promise<T> {
  const { connection, isStartedHere, stop } = await findDatabase(config);
  const { db, close } = connect(connection, () => {}, { max: 2 });
  // The lock file names the process that holds the data folder. If this command started the database, the file names
  // this process. A killed shop leaves its lock file behind. So the file counts only if it names another living
  // process.
  const noted = config.DATABASE_URL || isStartedHere ? {} : readFolderLockHolder(config.dataDir);
  const holder = noted.pid !== undefined && isProcessAlive(noted.pid) ? noted : {};
  try {
    const stored = await readDatabaseFacts(db);
    return await work({
      config,
      db,
      database: connection,
      url: holder.url ?? config.publicUrl,
      port: holder.port ?? config.PORT,
      runsSince: holder.since ?? null,
      stored,
      dataFault: dataFaultOf(stored),
      now,
    });
  } finally {
    await close();
    await stop();
  }
}

/**
 * The reason why this program cannot read the data; null if it can. Data of another version is refused, because its
 * tables may lack columns.
 */
function dataFaultOf({ migrations }: DatabaseFacts): string | null {
  const known = knownMigrations();
  if (migrations.some((name) => !known.has(name)))
    return 'A newer Hatch has used this data: use the commands of that one.';
  return migrations.length < known.size ? 'This Hatch has not opened the data yet: start the shop with it once.' : null;
}

export interface HealthAnswer {
  status: string;
  checks: Record<string, string>;
}

/** Asks for the shop's health; null without a valid answer within three seconds. */
export async function fetchShopHealth({ port }: Pick<Machine, 'port'>): Promise<HealthAnswer | null> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/health`, { signal: AbortSignal.timeout(3_000) });
    const health = (await answer.json()) as Partial<HealthAnswer>;
    return typeof health.status === 'string' ? { status: health.status, checks: health.checks ?? {} } : null;
  } catch {
    return null;
  }
}

/** Asks for the shop's metrics; null if they are off. `status` is the HTTP status, null without an answer. */
export async function fetchMetricsStatus({
  config: { METRICS_PORT: own, METRICS_TOKEN: token },
  port,
}: Pick<Machine, 'config' | 'port'>): Promise<{ url: string; status: number | null } | null> {
  if (own === undefined && token === undefined) return null;
  const url = `http://127.0.0.1:${own ?? port}/metrics`;
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  try {
    const answer = await fetch(url, { headers, signal: AbortSignal.timeout(6_000) });
    await answer.body?.cancel();
    return { url, status: answer.status };
  } catch {
    return { url, status: null };
  }
}

/**
 * The address and code for the set-up of a shop without an owner; null once the shop has an owner, or while the
 * installation key is unreadable.
 */
export async function pendingSetupOf({ config, db, url }: Machine): Promise<{ url: string; code: string } | null> {
  if (!(await isOwnerNeeded(db))) return null;
  const keys = await openInstallationKeys(config);
  // If the key is unreadable, each start uses another key, so this process would compute a wrong code.
  return keys.lostBecause === null ? { url: `${url}/setup`, code: formatDeviceCode(setupCode(keys)) } : null;
}
