import { sql, type Kysely } from 'kysely';

/** How a shop's receipts look. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
alter table stores
  add column receipt_kitchen_size text not null default 'normal' check (receipt_kitchen_size in ('normal', 'large')),
  add column receipt_customer_size text not null default 'normal' check (receipt_customer_size in ('normal', 'large')),
  add column receipt_shows_logo boolean not null default true,
  add column receipt_shows_map_code boolean not null default true,
  add column receipt_shows_order_code boolean not null default true;
`,
    )
    .execute(db);
}
