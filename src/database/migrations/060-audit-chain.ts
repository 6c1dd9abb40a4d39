import { sql, type Kysely } from 'kysely';

/**
 * The audit log takes inserts only. What was sent stands in a table of its own, so that it can be erased: the line keeps a
 * digest of it with a salt, which goes with it. Each line gets a place in a chain of hashes after its commit. Triggers do
 * all this, because instances of the release before still write the log with its `detail`.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
lock table audit_log in share row exclusive mode;

create table audit_details (
  id uuid primary key,
  at timestamptz not null,
  salt bytea not null,
  detail jsonb not null
);
create table audit_chain (
  position bigint primary key,
  id uuid not null unique,
  hash bytea not null
);
-- Lines that have no place yet.
create table audit_unchained (
  at timestamptz not null,
  id uuid not null,
  primary key (at, id)
);
-- The last place of those that were removed because they were old enough.
create table audit_start (
  is_only boolean primary key default true check (is_only),
  position bigint not null,
  hash bytea not null
);

create function audit_digest(salt bytea, detail jsonb) returns bytea language sql immutable strict
return sha256(salt || convert_to(detail::text, 'UTF8'));

-- Salts of the lines so far: of a secret that is kept nowhere, so that each is known from its own row alone.
create temporary table audit_secret on commit drop as
  select uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) as secret;
select set_config('hatch.audit_secret', encode(secret, 'hex'), true) from audit_secret;
create function pg_temp.salt_of(id uuid) returns bytea language sql stable
return sha256(decode(current_setting('hatch.audit_secret'), 'hex') || uuid_send(id));

insert into audit_details (id, at, salt, detail)
select id, at, pg_temp.salt_of(id), detail from audit_log where detail is not null;
insert into audit_unchained (at, id) select at, id from audit_log order by at, id;

drop trigger audit_search_added on audit_log;
alter table audit_log add column detail_digest bytea;
alter table audit_log
  alter column detail_digest type bytea using audit_digest(pg_temp.salt_of(id), detail),
  alter column detail type jsonb using null::jsonb;
select set_config('hatch.audit_secret', '', true);
drop function pg_temp.salt_of(uuid);
comment on column audit_log.detail is 'Only as it is inserted: it is kept in audit_details.';

create function keep_audit_detail() returns trigger language plpgsql as $$
declare
  salt bytea := uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid());
begin
  new.detail_digest := null;
  if new.detail is not null then
    insert into audit_details (id, at, salt, detail) values (new.id, new.at, salt, new.detail);
    new.detail_digest := audit_digest(salt, new.detail);
    new.detail := null;
  end if;
  return new;
end $$;
create trigger audit_log_detail before insert on audit_log for each row execute function keep_audit_detail();
create trigger audit_search_added after insert on audit_details for each row execute function keep_audit_search();

create function note_unchained_audit() returns trigger language plpgsql as $$
begin
  insert into audit_unchained (at, id) select at, id from added;
  return null;
end $$;
create trigger audit_log_added after insert on audit_log referencing new table as added
for each statement execute function note_unchained_audit();

create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('hatch.forgets_audit', true) = 'on' then return null; end if;
  raise exception '% takes inserts only', tg_table_name using errcode = 'object_not_in_prerequisite_state';
end $$;
create trigger audit_log_inserts_only before update or delete or truncate on audit_log
for each statement execute function refuse_audit_change();
create trigger audit_chain_inserts_only before update or delete or truncate on audit_chain
for each statement execute function refuse_audit_change();
create trigger audit_details_stay_as_they_are before update on audit_details
for each statement execute function refuse_audit_change();

-- The only way by which lines go: those from the beginning of the chain, while all of them are older. Returns how many went.
create function forget_audit(before timestamptz, most int) returns int language plpgsql as $$
declare
  first bigint := coalesce((select position from audit_start), 0);
  last audit_chain%rowtype;
  kept bigint;
  count int;
begin
  perform pg_advisory_xact_lock(hashtextextended('payment journal audit', 0));
  -- Ordered by place, and not by time: no line goes before one that was chained earlier.
  select min(c.position) into kept from audit_chain c join audit_log l on l.id = c.id
    where c.position > first and c.position <= first + most and l.at >= before;
  select * into last from audit_chain where position > first and position <= first + most
    and (kept is null or position < kept) order by position desc limit 1;
  if last.position is null then return 0; end if;
  perform set_config('hatch.forgets_audit', 'on', true);
  with gone as (delete from audit_chain where position <= last.position returning id),
    details as (delete from audit_details d using gone where d.id = gone.id),
    words as (delete from audit_search s using gone where s.id = gone.id)
  delete from audit_log l using gone where l.id = gone.id;
  get diagnostics count = row_count;
  perform set_config('hatch.forgets_audit', '', true);
  insert into audit_start (position, hash) values (last.position, last.hash)
  on conflict (is_only) do update set position = excluded.position, hash = excluded.hash;
  return count;
end $$;
`,
    )
    .execute(db);
}
