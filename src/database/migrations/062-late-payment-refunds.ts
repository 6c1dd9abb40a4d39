import { sql, type Kysely } from 'kysely';

/** What a payment took that did not pay its order, and that could not be given back by itself, is a refund of its own kind. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table refunds drop constraint refunds_kind_check`.execute(db);
  await sql`
    alter table refunds add constraint refunds_kind_check
    check (kind in ('asked', 'order_ended', 'at_provider', 'line_removed', 'late_payment')) not valid`.execute(db);
  await sql`alter table refunds validate constraint refunds_kind_check`.execute(db);
}
