import { sql, type Kysely } from 'kysely';

/** The portions left of counted dishes, and how many the store's current version shows. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `alter table items add column portions_left int check (portions_left >= 0), add column portions_shown int;
       create index items_portions_unshown on items (store_id) where portions_left is distinct from portions_shown`,
    )
    .execute(db);
}
