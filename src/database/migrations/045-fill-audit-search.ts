import { sql, type Kysely } from 'kysely';

/** Fills what 044 made from the log so far. Lines that come meanwhile have their rows already. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    insert into audit_search (id, at, words)
    select id, at, words from audit_log, lateral audit_words(detail) as words
    where detail is not null and words is not null
    on conflict do nothing`.execute(db);
}
