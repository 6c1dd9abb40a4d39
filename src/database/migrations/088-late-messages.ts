import { sql, type Kysely } from 'kysely';

/** When the endpoint of a key set is looked for, because a payment was heard of before its message. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(`alter table payment_key_sets add column endpoint_check_at timestamptz`).execute(db);
}
