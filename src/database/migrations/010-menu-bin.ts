import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
create table menu_bin (
  kind text not null,
  id uuid not null,
  store_id uuid not null references stores,
  deleted_at timestamptz not null,
  content jsonb not null,
  primary key (kind, id)
);
create index menu_bin_deleted on menu_bin (deleted_at);
`,
    )
    .execute(db);
}
