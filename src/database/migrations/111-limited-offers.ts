import { sql, type Kysely } from 'kysely';

/** The codes, people and limits of offers, and the uses that count against the limits; orders that are called off have none. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
update stores set offers = (
  select jsonb_agg('{"by_code": false, "code": null, "first_order_only": false, "customer_ids": null, "max_uses": null,
    "max_uses_per_person": null, "max_uses_per_day": null, "budget": null}'::jsonb || offer order by place)
  from jsonb_array_elements(offers) with ordinality as each (offer, place))
where offers <> '[]';

create table offer_uses (
  offer_id uuid not null,
  order_id uuid not null references orders on delete cascade,
  trading_day date not null,
  amount integer not null,
  code text,
  primary key (offer_id, order_id)
);
create index offer_uses_order on offer_uses (order_id);
create index offer_uses_code on offer_uses (offer_id, code) where code is not null;

create function count_offer_uses() returns trigger language plpgsql as $$
begin
  delete from offer_uses where order_id = new.id;
  insert into offer_uses (offer_id, order_id, trading_day, amount, code)
  select (discount->>'offer_id')::uuid, new.id, new.trading_day, (discount->>'amount')::int,
    upper(regexp_replace(discount->>'code', '\\s', '', 'g'))
  from jsonb_array_elements(new.discounts) as each (discount)
  where discount ? 'offer_id' and new.status not in ('rejected', 'cancelled', 'expired');
  return null;
end $$;
create trigger offer_uses_added after insert on orders for each row
when (new.discounts <> '[]' and new.channel <> 'test') execute function count_offer_uses();
create trigger offer_uses_changed after update on orders for each row
when (new.channel <> 'test' and (old.discounts <> new.discounts or (old.status <> new.status and new.discounts <> '[]')))
execute function count_offer_uses();

insert into offer_uses (offer_id, order_id, trading_day, amount)
select (discount->>'offer_id')::uuid, id, trading_day, (discount->>'amount')::int
from orders cross join jsonb_array_elements(discounts) as each (discount)
where discounts <> '[]' and channel <> 'test' and discount ? 'offer_id' and status not in ('rejected', 'cancelled', 'expired');
`,
    )
    .execute(db);
}
