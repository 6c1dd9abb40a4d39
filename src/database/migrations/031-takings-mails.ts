import { sql, type Kysely } from 'kysely';

/** A mail to the owner with each trading day's takings, and up to which day it was sent. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
alter table stores add column mails_takings boolean not null default true;

create table takings_mails (
  store_id uuid primary key references stores on delete cascade,
  mailed_to date not null
);
`,
    )
    .execute(db);
}
