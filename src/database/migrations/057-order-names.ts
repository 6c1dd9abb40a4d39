import { sql, type Kysely } from 'kysely';

/**
 * The names of orders, each once, to search by words: many orders have the same name. Triggers keep them, because instances of
 * the release before still write orders. Nothing here waits for the rows: 058 fills the table.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
-- Two that come at once with the same new name both add it: a unique index would make one wait for the other.
create table order_names (
  id bigint generated always as identity primary key,
  name text not null
);
create index order_names_name on order_names (name);

-- Names that an order has lost: they are forgotten if no other order has them.
create table order_names_left (
  id bigint generated always as identity primary key,
  name text not null
);

create function keep_order_names(names text[]) returns void language plpgsql as $$
begin
  insert into order_names (name)
  select n.name from (select distinct unnest(names) as name) as n
  where n.name <> '' and not exists (
    -- Held until the order is in, so that it is not forgotten in between. One that is being forgotten is added again.
    select from order_names o where o.name = n.name for key share skip locked);
end $$;

create function keep_names_of_new_orders() returns trigger language plpgsql as $$
begin
  perform keep_order_names(array(select name from added));
  return null;
end $$;

create function keep_name_of_order() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then perform keep_order_names(array[new.name]); end if;
  if old.name <> '' then insert into order_names_left (name) values (old.name); end if;
  return null;
end $$;

create trigger order_names_added after insert on order_search referencing new table as added
for each statement execute function keep_names_of_new_orders();
create trigger order_names_changed after update on order_search for each row when (old.name <> new.name)
execute function keep_name_of_order();
create trigger order_names_removed after delete on order_search for each row execute function keep_name_of_order();
`,
    )
    .execute(db);
}
