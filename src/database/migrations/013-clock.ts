import { sql, type Kysely } from 'kysely';

/** The last trusted time of each machine's clock, and how far it has jumped since. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
create table clock_watches (
  machine text primary key,
  -- Which start of the machine: what it has counted since counts for that one alone.
  boot text not null,
  -- Milliseconds from the machine's start to 1970 and back, as the clock that was trusted had it; null: not known.
  trusted_offset double precision,
  -- null: it is trusted.
  ahead_seconds integer
);
`,
    )
    .execute(db);
}
