import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { clusterFolders } from '#database/embedded/cluster.ts';
import { startEmbeddedPostgres } from '#database/embedded/embedded-postgres.ts';
import { findRunningDatabase } from '#database/embedded/server.ts';
import { ConfigError } from '#platform/errors.ts';

export interface FoundDatabase {
  connection: string | pg.PoolConfig;
  /** Started for this command, because the shop does not run. */
  isStartedHere: boolean;
  /** Stops it, if it was started here. */
  stop(): Promise<void>;
}

/**
 * The database of the shop with these settings, for a command beside it. The embedded one is started if the shop does
 * not run. Throws ConfigError if there is none, DatabaseStartError.
 */
export async function findDatabase(config: {
  DATABASE_URL?: string | undefined;
  dataDir: string;
}): Promise<FoundDatabase> {
  const nothing = async () => undefined;
  if (config.DATABASE_URL) return { connection: config.DATABASE_URL, isStartedHere: false, stop: nothing };
  const running = await findRunningDatabase(config.dataDir);
  if (running) return { connection: running, isStartedHere: false, stop: nothing };
  // Starting one here would make an empty database.
  if (!existsSync(join(clusterFolders(config.dataDir).cluster, 'PG_VERSION'))) {
    throw new ConfigError(
      `There is no database of a shop in ${config.dataDir}. Set DATA_DIR or DATABASE_URL to the shop's.`,
    );
  }
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const { connection, stop } = await startEmbeddedPostgres({ dataDir: config.dataDir, log });
  return { connection, isStartedHere: true, stop };
}
