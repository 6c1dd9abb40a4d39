import { sql, type Kysely } from 'kysely';

/** The stars and the text that a customer gives to an order, with the index by which the owner reads the newest. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
alter table orders
  add column rating_stars smallint check (rating_stars between 1 and 5),
  add column rating_text text not null default '',
  add column rated_at timestamptz;
create index orders_rated on orders (rated_at desc, id desc) where rated_at is not null;
`,
    )
    .execute(db);
}
