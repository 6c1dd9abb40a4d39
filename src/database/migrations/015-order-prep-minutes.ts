import { sql, type Kysely } from 'kysely';

/** An order stores the minutes of its slowest dish; an unanswered order takes them from the current menu. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
-- Minutes; 0: no dish says more than the shop does.
alter table orders add column prep_minutes int not null default 0;
update orders set prep_minutes = longest.minutes
  from (
    select o.id, max(items.prep_minutes) as minutes
    from orders o
      cross join lateral jsonb_array_elements(o.lines) as line
      join items on items.id::text = line ->> 'item_id'
    where o.status in ('pending_payment', 'placed', 'accepted')
    group by o.id
  ) longest
  where longest.id = orders.id and longest.minutes is not null;
`,
    )
    .execute(db);
}
