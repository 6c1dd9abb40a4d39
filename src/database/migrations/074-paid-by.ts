import { sql, type Kysely } from 'kysely';

/** How staff were paid when they handed an order over; null: as it was to be paid. The index lists what is still owed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
alter table orders add column paid_by text check (paid_by in ('cash', 'terminal', 'not_paid'));
create index orders_not_paid on orders (store_id, trading_day desc, created_at desc, id desc) where paid_by = 'not_paid';
`,
    )
    .execute(db);
}
