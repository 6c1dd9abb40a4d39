import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { clusterFolders } from '#database/embedded/cluster.ts';
import { startEmbeddedPostgres } from '#database/embedded/embedded-postgres.ts';
import { findRunningDatabase } from '#database/embedded/server.ts';
import { ConfigError } from '#platform/errors.ts';
import { packageSettings } from '#platform/server/start-command.ts';

export interface FoundDatabase {
  connection: string | pg.PoolConfig;
  /** Whether the database was started for this command, because the shop does not run. */
  isStartedHere: boolean;
  /** Stops the database if it was started for this command. */
  stop(): Promise<void>;
}

/**
 * Finds the shop's database for a command that runs beside the shop. If the shop does not run, its embedded database is
 * started. Throws ConfigError if there is no database, DatabaseStartError if it does not start.
 */
export async function findDatabase(config: {
  DATABASE_URL?: string | undefined;
  dataDir: string;
}): Promise<FoundDatabase> {
  const nothing = async () => undefined;
  if (config.DATABASE_URL) return { connection: config.DATABASE_URL, isStartedHere: false, stop: nothing };
  const running = await findRunningDatabase(config.dataDir);
  if (running) return { connection: running, isStartedHere: false, stop: nothing };
  // Without this check `startEmbeddedPostgres` would create an empty database in the folder.
  const log = packageSettings ? ': sudo journalctl -u hatch' : '';
  if (!existsSync(join(clusterFolders(config.dataDir).cluster, 'PG_VERSION'))) {
    throw new ConfigError(
      `There is no database of a shop in ${config.dataDir} yet. If the shop was started just now, ask again in a few seconds. If it does not start, its log says why${log}. If the shop is elsewhere, set DATA_DIR or DATABASE_URL to it.`,
    );
  }
  const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const { connection, stop } = await startEmbeddedPostgres({ dataDir: config.dataDir, log: silent });
  return { connection, isStartedHere: true, stop };
}
