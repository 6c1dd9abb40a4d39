import { sql } from 'kysely';
import type { Db } from '#database/schema.ts';

/** Finds the first shop that was created. */
export const firstStore = '';

/** By id, slug or name; the first one for an empty name. null when there is no such store. */
export async function findStoreId(db: Db, wanted: string): Promise<string | null> {
  const query = db
    .selectFrom('stores')
    .select('id')
    .where('deleted_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .limit(1);
  const row = await (
    wanted === firstStore
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
