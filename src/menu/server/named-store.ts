import { ConfigError, type Config } from '#config.ts';
import type { Db } from '#database/schema.ts';
import { demoShop } from '#menu/demo/demo-shop.ts';
import { findStoreId } from '#menu/server/menu-cache.ts';

/** Throws ConfigError where STORE_NAME names no shop. Asked before the demo shop is made, so that nothing is left behind. */
export async function refuseUnknownStore(db: Db, { STORE_NAME: wanted, isEmptyStart }: Config): Promise<void> {
  if (wanted === undefined || (await findStoreId(db, wanted)) !== null) return;
  const stores = await db.selectFrom('stores').select(['slug', 'name', 'deleted_at']).orderBy('created_at').execute();
  const isNew = stores.length === 0;
  if (isNew && isEmptyStart) {
    throw new ConfigError(
      `STORE_NAME is "${wanted}", and there is no shop yet: leave it out until the first one is set up.`,
    );
  }
  const known = isNew ? [demoShop.store] : stores.filter((store) => store.deleted_at === null);
  if (isNew && known.some(({ slug, name }) => isSame(slug, wanted) || isSame(name, wanted))) return;
  const there = known.slice(0, 10).map(({ slug, name }) => `${slug} ("${name}")`);
  throw new ConfigError(
    `STORE_NAME is "${wanted}", which is no shop's id, slug or name. There is ${there.join(', ') || 'none'}.`,
  );
}

/** The settings with the id of the shop that they name: while the server runs, it may get another name. */
export async function withStoreId(db: Db, config: Config): Promise<Config> {
  const { STORE_NAME: wanted } = config;
  const id = wanted === undefined ? null : await findStoreId(db, wanted);
  return id === null ? config : { ...config, STORE_NAME: id };
}

function isSame(name: string, wanted: string): boolean {
  return name.toLowerCase() === wanted.toLowerCase();
}
