import type { Config } from '#config.ts';
import { ConfigError } from '#platform/errors.ts';
import { isOwnHost } from '#platform/server/addresses.ts';
import { formatStartCommand } from '#platform/server/start-command.ts';

type StartChoice = Pick<Config, 'APP_URL' | 'dataDir' | 'isDemoStart' | 'isEmptyStart'>;

/**
 * Throws ConfigError if the start has found no shop and must not create one: the storage of an earlier shop is probably
 * lost or not mounted. `hadShop`: the data folder has had a shop. `databaseHost`: the host in DATABASE_URL; null: the
 * database is in the data folder.
 */
export function refuseUnintendedShop(config: StartChoice, hadShop: boolean, databaseHost: string | null): void {
  const { APP_URL, dataDir } = config;
  const database = databaseHost === null ? 'its database' : `the database at ${databaseHost}`;
  const check = databaseHost === null ? 'Is the whole disk mounted' : 'Is DATABASE_URL right';
  if (hadShop) {
    throw new ConfigError(
      `${dataDir} has had a shop, but ${database} has none. ${check}? Nothing was changed: put the database back, or set DATA_DIR to a new folder for another shop.`,
    );
  }
  if (config.isEmptyStart || config.isDemoStart) return;
  const isPublic = APP_URL !== undefined && !isOwnHost(new URL(APP_URL).hostname);
  const isFar = databaseHost !== null && !isOwnHost(databaseHost) && !databaseHost.startsWith('/');
  if (!isPublic && !isFar) return;
  const place = databaseHost === null ? dataDir : database;
  const why = isPublic ? `, and its address would be ${APP_URL}` : '';
  throw new ConfigError(
    `There is no shop in ${place}${why}. ${databaseHost === null ? 'Is the disk mounted' : check}? Nothing was changed. For a new shop: ${formatStartCommand('--empty')}; for the demo: ${formatStartCommand('--demo')}`,
  );
}
