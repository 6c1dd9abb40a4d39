import { sql, type Kysely } from 'kysely';

/**
 * The sums of a store's months that are over, made of those of their days. A month whose day is summed up again loses its
 * row, whichever release did it, until it is added up anew. One day of each month is noted, so that they all are.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
create table takings_months (
  store_id uuid not null references stores on delete cascade,
  -- Its first day.
  month date not null,
  vat jsonb not null,
  parts jsonb not null,
  items jsonb not null,
  lost jsonb not null,
  late jsonb not null,
  owing jsonb not null,
  cards jsonb not null,
  fee_unknown jsonb not null,
  primary key (store_id, month)
);

create function drop_months_of_takings() returns trigger language plpgsql as $$
begin
  delete from takings_months m using changed c
  where m.store_id = c.store_id and m.month = date_trunc('month', c.trading_day::timestamp)::date;
  return null;
end $$;
create trigger takings_months_added after insert on takings referencing new table as changed
for each statement execute function drop_months_of_takings();
create trigger takings_months_changed after update on takings referencing new table as changed
for each statement execute function drop_months_of_takings();
create trigger takings_months_removed after delete on takings referencing old table as changed
for each statement execute function drop_months_of_takings();

insert into takings_changes (store_id, trading_day)
select store_id, min(trading_day) from takings group by store_id, date_trunc('month', trading_day::timestamp);
`,
    )
    .execute(db);
}
