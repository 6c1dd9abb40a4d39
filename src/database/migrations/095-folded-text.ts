import { sql, type Kysely } from 'kysely';

const byIcu = "create collation by_name (provider = icu, locale = 'und-u-kn')";

/**
 * Text as searches compare it, by the rules of `foldText`, and the order in which people sort. No row is written: the
 * indexes on both are made beside the running shop (`database/indexes.ts`).
 */
export async function up(db: Kysely<unknown>, make: string = byIcu): Promise<void> {
  // The letters of a whole version of Unicode, whatever the database's own collation knows. PostgreSQL 16 has none.
  const { rows } = await sql<{ has: boolean }>`
    select exists (select from pg_collation where collname = 'pg_c_utf8') as has`.execute(db);
  const letters = rows[0]?.has ? 'pg_c_utf8' : '"default"';
  await sql
    .raw(
      `
create function fold_text(value text) returns text language sql immutable parallel safe
return case
  -- Most texts have none but ASCII's letters.
  when octet_length(value) = char_length(value) then lower(translate(value, '''\`', '') collate ${letters})
  else normalize(replace(replace(replace(replace(translate(
    lower(regexp_replace(normalize(translate(value, '´', ''''), nfkd),
      '[\\u0300-\\u036F\\u0610-\\u061A\\u064B-\\u065F\\u0670\\u06D6-\\u06ED''’‘ʼ\`]', '', 'g') collate ${letters}),
    'łøđıς', 'lodiσ'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'), nfc)
end;

do $$ begin
  ${make};
exception when feature_not_supported then
  -- A server that was built without ICU sorts by the rules of its own language.
  execute format('create collation by_name (provider = libc, locale = %L)',
    (select datcollate from pg_database where datname = current_database()));
end $$;
`,
    )
    .execute(db);
}
