import { sql } from 'kysely';
import type { Db } from '#database/schema.ts';
import { ConfigError } from '#platform/errors.ts';

/** The empty name, by which `findStoreId` finds the store that was created first. */
export const firstStoreLookupName = '';

/** Finds a store by id, slug or name; null if there is no such store. */
export async function findStoreId(db: Db, wanted: string): Promise<string | null> {
  const query = db
    .selectFrom('stores')
    .select('id')
    .where('deleted_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .limit(1);
  const row = await (
    wanted === firstStoreLookupName
      ? query
      : query.where((eb) =>
          eb.or([
            eb(sql`id::text`, '=', wanted.toLowerCase()),
            eb('slug', '=', wanted.toLowerCase()),
            eb(eb.fn('lower', ['name']), '=', wanted.toLowerCase()),
          ]),
        )
  ).executeTakeFirst();
  return row?.id ?? null;
}

/**
 * Throws ConfigError if `wanted`, from STORE_NAME, names no shop. `beginning`: the shop that will be created in an
 * empty database; null if the first visitor sets the shop up.
 */
export async function refuseUnknownStore(
  db: Db,
  wanted: string | undefined,
  beginning: { slug: string; name: string } | null,
): Promise<void> {
  if (wanted === undefined || (await findStoreId(db, wanted)) !== null) return;
  const stores = await db.selectFrom('stores').select(['slug', 'name', 'deleted_at']).orderBy('created_at').execute();
  const isNew = stores.length === 0;
  if (isNew && !beginning) {
    throw new ConfigError(
      `STORE_NAME is "${wanted}", and there is no shop yet: leave it out until the first one is set up.`,
    );
  }
  const known = isNew && beginning ? [beginning] : stores.filter((store) => store.deleted_at === null);
  if (isNew && known.some(({ slug, name }) => isSame(slug, wanted) || isSame(name, wanted))) return;
  const there = known.slice(0, 10).map(({ slug, name }) => `${slug} ("${name}")`);
  throw new ConfigError(
    `STORE_NAME is "${wanted}", which is no shop's id, slug or name. There is ${there.join(', ') || 'none'}.`,
  );
}

/** Returns the settings with STORE_NAME replaced by the shop's id, because the shop may be renamed later. */
export async function resolveStoreNameToId<C extends { STORE_NAME?: string | undefined }>(
  db: Db,
  config: C,
): Promise<C> {
  const { STORE_NAME: wanted } = config;
  const id = wanted === undefined ? null : await findStoreId(db, wanted);
  return id === null ? config : { ...config, STORE_NAME: id };
}

function isSame(name: string, wanted: string): boolean {
  return name.toLowerCase() === wanted.toLowerCase();
}
