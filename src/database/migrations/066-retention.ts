import { sql, type Kysely } from 'kysely';

/** For how long accounts that nobody uses and lines of the audit log are kept, and when each account was last used. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
alter table stores
  add column keep_idle_account_months integer default 36 check (keep_idle_account_months between 6 and 120),
  add column keep_audit_months integer not null default 72 check (keep_audit_months between 12 and 120);

create table account_activity (
  user_id uuid primary key references users on delete cascade,
  at timestamptz not null,
  warned_at timestamptz
);
create index account_activity_at on account_activity (at);

create function note_account_activity(of_user uuid, used_at timestamptz) returns void language sql as $$
  insert into account_activity as a (user_id, at) values (of_user, used_at)
  on conflict (user_id) do update set at = excluded.at, warned_at = null where a.at < excluded.at
$$;
create function note_new_account() returns trigger language plpgsql as $$
begin
  perform note_account_activity(new.id, new.created_at);
  return null;
end $$;
create function note_sign_in_used() returns trigger language plpgsql as $$
begin
  perform note_account_activity(new.user_id, new.last_used_at);
  return null;
end $$;
create trigger account_created after insert on users for each row execute function note_new_account();
create trigger sign_in_used after insert or update of last_used_at on sign_ins for each row execute function note_sign_in_used();

insert into account_activity (user_id, at)
select u.id, greatest(u.created_at, (select max(last_used_at) from sign_ins s where s.user_id = u.id),
  (select max(signed_in_at) from known_devices k where k.user_id = u.id)) from users u
on conflict (user_id) do nothing;
`,
    )
    .execute(db);
}
