import { sql, type Kysely } from 'kysely';

/** The order that a complaint is about, the dishes concerned, and the customer's wish. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
alter table complaints
  add column order_id uuid references orders on delete set null,
  add column store_id uuid references stores on delete set null,
  add column lines jsonb not null default '[]',
  add column wish text check (wish in ('money_back', 'make_again', 'only_tell')),
  add column is_allergy boolean not null default false;
create index complaints_order on complaints (order_id) where order_id is not null;
create index complaints_store on complaints (store_id, created_at) where store_id is not null;
`,
    )
    .execute(db);
}
