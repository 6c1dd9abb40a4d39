import { sql, type Kysely } from 'kysely';

/** Each time the shop was made from a copy. Until `continued_at` it takes no orders and does nothing by itself. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
create table restores (
  epoch uuid primary key default gen_random_uuid(),
  copy_number int not null,
  copy_made_at timestamptz not null,
  restored_at timestamptz not null,
  continued_at timestamptz
);
create unique index restores_waiting on restores ((true)) where continued_at is null;
alter table stores drop constraint stores_pause_cause_check;
alter table stores add constraint stores_pause_cause_check check (pause_cause in ('no_board', 'restored'));
`,
    )
    .execute(db);
}
