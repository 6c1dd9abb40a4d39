import { sql, type Kysely } from 'kysely';

/**
 * The words of what was sent, beside the log: a line whose values have no word of three signs has no row, and those are
 * most of them. A trigger writes it, because instances of the release before still write the log. 045 fills it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
create table audit_search (
  id uuid primary key,
  at timestamptz not null,
  words text not null
);

-- Each value on a line of its own; names of fields, and what stands in place of a secret, are no words. Null: no word is long enough.
create function audit_words(detail jsonb) returns text language sql immutable as $$
  select case when words ~ '[[:alnum:]]{3}' then words end from (
    select string_agg(value #>> '{}', E'\\n') as words
    from jsonb_path_query(detail, 'strict $.**') as value
    where jsonb_typeof(value) in ('string', 'number') and value <> '"(left out)"'
  ) as each
$$;

create function keep_audit_search() returns trigger language plpgsql as $$
begin
  insert into audit_search (id, at, words)
  select new.id, new.at, words from audit_words(new.detail) as words where words is not null
  on conflict do nothing;
  return null;
end $$;
create trigger audit_search_added after insert on audit_log for each row when (new.detail is not null)
execute function keep_audit_search();
`,
    )
    .execute(db);
}
