import { sql, type Kysely } from 'kysely';

/** A problem of a key names every right that is missing. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    update payment_key_sets
    set problem = (problem - 'right') || jsonb_build_object('rights', jsonb_build_array(problem->'right'))
    where problem ? 'right'`.execute(db);
}
