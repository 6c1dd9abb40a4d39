import { sql, type Kysely } from 'kysely';

/** Whether a person has said that the pin is at the shop. A new shop's pin is the default; one that was moved is known. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `alter table stores add column location_confirmed boolean not null default false;
       update stores set location_confirmed = true where latitude <> 52.37 or longitude <> -1.26;`,
    )
    .execute(db);
}
