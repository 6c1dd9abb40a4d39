import { sql, type Kysely } from 'kysely';

/** The steps of the first evening that the owner has settled, and whether the office still reminds of them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `alter table first_evenings
        add column settled text[] not null default '{}',
        add column is_shown boolean not null default true`,
    )
    .execute(db);
}
