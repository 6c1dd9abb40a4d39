import { sql, type Kysely } from 'kysely';

/**
 * Fills what 036 made from the orders so far. Orders that come meanwhile have their rows already. Every trading day is
 * noted as changed: reports count those days until the program has summed them up.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
insert into order_search (order_id, store_id, trading_day, created_at, number, name, digits)
select id, store_id, trading_day, created_at, number, coalesce(contact->>'name', ''), national_digits(contact->>'phone')
from orders
on conflict do nothing;

insert into customer_sums (user_id, orders, spent, last_order_at)
select u.id, coalesce(s.orders, 0), coalesce(s.spent, 0), coalesce(s.last_order_at, '-infinity')
from users u left join (
  select customer_id, count(*) as orders, max(created_at) as last_order_at,
    sum(total) filter (where status in ('delivered', 'collected')) as spent
  from orders where customer_id is not null group by customer_id
) s on s.customer_id = u.id
order by u.id
on conflict do nothing;

insert into takings_changes (store_id, trading_day)
select store_id, trading_day from orders union select store_id, trading_day from refunds;
`,
    )
    .execute(db);
}
