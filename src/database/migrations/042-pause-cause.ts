import { sql, type Kysely } from 'kysely';

/** Why a shop paused by itself becomes a kind; the words are made where they are read. The texts of people stay. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
alter table stores add column pause_cause text check (pause_cause in ('no_board'));
update stores set pause_cause = 'no_board', pause_reason = null
from board_watches watch
where watch.store_id = stores.id and watch.paused_until = stores.paused_until
  and stores.pause_reason = 'We cannot take orders right now.';
`,
    )
    .execute(db);
}
