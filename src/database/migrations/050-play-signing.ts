import { sql, type Kysely } from 'kysely';

/** Google Play signs the apps that it hands out by a key of its own. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
create table app_play_signing (
  platform text primary key,
  package text not null,
  signer text not null,
  changed_at timestamptz not null
);
`,
    )
    .execute(db);
}
