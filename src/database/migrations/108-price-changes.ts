import { sql, type Kysely } from 'kysely';

/** A later price of a dish or a choice, and when it begins. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `alter table items add column price_change jsonb;
       alter table options add column price_change jsonb;
       create index items_price_change on items ((price_change->>'at')) where price_change is not null;
       create index options_price_change on options ((price_change->>'at')) where price_change is not null`,
    )
    .execute(db);
}
