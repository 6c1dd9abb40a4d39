import { sql, type Kysely } from 'kysely';

/** The hashes of the orders so far. Orders that come meanwhile have theirs already. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    update orders set session_hash = sha256(convert_to(session::text, 'UTF8')) where session_hash is null`.execute(db);
  await sql`create unique index orders_session_hash on orders (session_hash)`.execute(db);
  await sql`alter table orders alter column session_hash set not null`.execute(db);
}
