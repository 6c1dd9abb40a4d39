import { sql, type Kysely } from 'kysely';

/**
 * An order's session is found by its SHA-256, and kept encrypted: a copy of the database no longer has it. The release before
 * still writes `session` while it runs beside this one, so a trigger adds the hash. Nothing here waits for the rows: 083 fills
 * them, and `session` and its function `count_orders_of(…, uuid, …)` go in a later release.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
alter table orders alter column session drop not null,
  add column session_hash bytea,
  add column session_sealed bytea;

create function hash_session() returns trigger language plpgsql as $$
begin
  new.session_hash := sha256(convert_to(new.session::text, 'UTF8'));
  return new;
end $$;
create trigger orders_session_hash before insert on orders for each row
when (new.session_hash is null) execute function hash_session();

-- As in 081 but for the session. Volatile: each of its statements sees what was committed before it, while that of its caller may be older.
create function count_orders_of(
  of_store uuid, of_customer uuid, of_phone text, of_network text, replaced bytea, at timestamptz, waited bigint)
returns table (open bigint, unpaid bigint, unpaid_ends_at timestamptz,
  network_unpaid bigint, network_unpaid_ends_at timestamptz, network_hour bigint, network_frees_at timestamptz)
language plpgsql volatile as $$
begin
  return query
  with own as (
    select o.status, o.expires_at from orders o
    where o.store_id = of_store
      and (o.customer_id = of_customer or (phone_key(o.contact) = of_phone and (o.status <> 'pending_payment' or exists (
        select from order_origins n where n.order_id = o.id and n.network = of_network))))
      and o.status in ('pending_payment', 'placed', 'accepted', 'packed', 'out_for_delivery')
      and o.session_hash is distinct from replaced
  ), recent as (
    select r.order_id, r.placed_at from order_origins r
    where r.network = of_network and r.placed_at > at - interval '1 hour' and r.store_id = of_store
  ), pending as (
    select o.expires_at from recent r join orders o on o.id = r.order_id
    where o.status = 'pending_payment' and o.session_hash is distinct from replaced
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
