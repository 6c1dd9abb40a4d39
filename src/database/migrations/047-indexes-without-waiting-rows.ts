import { sql, type Kysely } from 'kysely';

/**
 * An index of words first keeps new rows in a list that every search reads from end to end: those that exist get rid of
 * theirs. And tables that are appended to are vacuumed after a fiftieth of new rows, not a fifth: counts read indexes alone
 * only where nothing has changed since.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
do $$ declare
  word_index regclass;
begin
  for word_index in
    select to_regclass(name) from (values ('order_search_words'), ('users_words')) as each (name)
    where to_regclass(name) is not null
  loop
    execute format('alter index %s set (fastupdate = off)', word_index);
    perform gin_clean_pending_list(word_index);
  end loop;
end $$;

alter table orders set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);
alter table order_search set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);
alter table audit_log set (autovacuum_vacuum_insert_scale_factor = 0.02);
alter table refunds set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);
`,
    )
    .execute(db);
}
