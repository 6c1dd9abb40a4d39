import { sql, type Kysely } from 'kysely';

/** Whether a group's choices add to the dish's price, as all did before, or are its price. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `alter table option_groups
         add column pricing text not null default 'adds' check (pricing in ('adds', 'is_price'));`,
    )
    .execute(db);
}
