import { sql, type Kysely } from 'kysely';

/** Limits on what one person and one network may order, and what they are counted from. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
alter table stores
  add column max_open_orders_per_person integer default 5 check (max_open_orders_per_person between 1 and 1000),
  add column max_orders_per_address_hour integer default 30 check (max_orders_per_address_hour between 1 and 100000);

create table order_origins (
  order_id uuid primary key,
  store_id uuid not null,
  network text not null,
  placed_at timestamptz not null
);
create index order_origins_network on order_origins (network, placed_at);
create index order_origins_placed on order_origins (placed_at);

create function phone_key(contact jsonb) returns text language sql immutable as $$
  select nullif(right(regexp_replace(contact->>'phone', '[^0-9]', '', 'g'), 10), '')
$$;
create index orders_unended_customer on orders (customer_id)
  where status in ('pending_payment', 'placed', 'accepted', 'packed', 'out_for_delivery');
create index orders_unended_phone on orders (phone_key(contact))
  where status in ('pending_payment', 'placed', 'accepted', 'packed', 'out_for_delivery');

-- Volatile: each of its statements sees what was committed before it, while that of its caller may be older.
create function count_orders_of(
  of_store uuid, of_customer uuid, of_phone text, of_network text, replaced uuid, at timestamptz, waited bigint)
returns table (open bigint, unpaid bigint, unpaid_ends_at timestamptz,
  network_unpaid bigint, network_unpaid_ends_at timestamptz, network_hour bigint, network_frees_at timestamptz)
language plpgsql volatile as $$
begin
  return query
  with own as (
    select o.status, o.expires_at from orders o
    where o.store_id = of_store and (o.customer_id = of_customer or phone_key(o.contact) = of_phone)
      and o.status in ('pending_payment', 'placed', 'accepted', 'packed', 'out_for_delivery')
      and o.session is distinct from replaced
  ), recent as (
    select r.order_id, r.placed_at from order_origins r
    where r.network = of_network and r.placed_at > at - interval '1 hour' and r.store_id = of_store
  ), pending as (
    select o.expires_at from recent r join orders o on o.id = r.order_id
    where o.status = 'pending_payment' and o.session is distinct from replaced
  )
  select
    (select count(*) from own),
    (select count(*) from own where status = 'pending_payment'),
    (select min(expires_at) from own where status = 'pending_payment'),
    (select count(*) from pending),
    (select min(expires_at) from pending),
    (select count(*) from recent),
    (select min(placed_at) + interval '1 hour' from recent);
end $$;
`,
    )
    .execute(db);
}
