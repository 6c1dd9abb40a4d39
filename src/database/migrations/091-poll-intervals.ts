import { sql, type Kysely } from 'kysely';

/** How often a printer polls is unknown until it says so, or was heard twice. Five seconds was also the default. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
alter table printers alter column poll_seconds drop not null, alter column poll_seconds drop default;
update printers set poll_seconds = null where poll_seconds = 5;
`,
    )
    .execute(db);
}
