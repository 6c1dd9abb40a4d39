import { sql, type Kysely } from 'kysely';

/** The dish of an option that is a choice of a meal deal, and the answers to its required groups. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `alter table options
        add column item_id uuid references items,
        add column item_options jsonb not null default '[]';
       create index options_item on options (item_id) where item_id is not null`,
    )
    .execute(db);
}
