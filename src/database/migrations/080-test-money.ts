import { sql, type Kysely } from 'kysely';

/**
 * Payments that move no money are marked, and takings count them apart. Days and months that have some are counted again.
 * Of Stripe's test keys it is not known here whether they are those of a local Stripe: a start with one takes its mark away.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
alter table payments add column is_test boolean not null default false;
alter table takings add column test jsonb not null default '{"orders": 0, "total": 0}';
alter table takings_months add column test jsonb not null default '{"orders": 0, "total": 0}';
create index payments_test on payments (order_id) where is_test;

-- A refund is counted on a day of its own.
create function note_days_of_test_money() returns trigger language plpgsql as $$
begin
  insert into takings_changes (store_id, trading_day)
  select store_id, trading_day from orders where id = new.order_id
  union select store_id, trading_day from refunds where order_id = new.order_id;
  return null;
end $$;
create trigger takings_payments_tested after update on payments for each row
when (old.is_test <> new.is_test) execute function note_days_of_test_money();

update payments p set is_test = true
from orders o join stores s on s.id = o.store_id
where o.id = p.order_id and not s.is_demo and (p.provider = 'sandbox'
  or exists (select from payment_key_sets k where k.id = p.key_set and k.mode = 'test'));
`,
    )
    .execute(db);
}
