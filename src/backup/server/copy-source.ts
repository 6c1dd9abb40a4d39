import { join } from 'node:path';
import type { CopySource } from '#backup/server/make-copy.ts';
import type { FoundDatabase } from '#database/find-database.ts';
import { keyMarkOf, readKeyMark } from '#database/installation-values.ts';
import type { Db } from '#database/schema.ts';
import { installationKeysOf, readInstallationKey } from '#platform/server/secrets/installation-keys.ts';

interface Shop {
  config: { dataDir: string; DATABASE_DIRECT_URL?: string | undefined };
  db: Db;
  database: FoundDatabase['connection'];
  now(): Date;
}

/** Reads the facts about the shop that a backup's manifest needs. `hatch`: this program's version. */
export async function readCopySource({ config, db, database, now }: Shop, hatch: string): Promise<CopySource> {
  const mark = await readKeyMark(db);
  const own = await readInstallationKey(join(config.dataDir, 'installation-key', 'key')).catch(() => null);
  return {
    shop_id: await readShopId(db),
    hatch,
    key_mark: mark,
    needs_secrets_key: mark !== null && (own === null || keyMarkOf(installationKeysOf([own])) !== mark),
    database: config.DATABASE_DIRECT_URL ?? database,
    dataDir: config.dataDir,
    now,
  };
}

export async function readShopId(db: Db): Promise<string> {
  return (await db.selectFrom('installation').select('shop_id').executeTakeFirstOrThrow()).shop_id;
}
