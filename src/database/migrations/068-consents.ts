import { sql, type Kysely } from 'kysely';

/** What people with an account agreed to. Notifications that are on get their line; for saved allergies nobody knows since when. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
create table consents (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  kind text not null check (kind in ('notifications', 'allergies')),
  page text,
  words text not null default '',
  device text not null default '',
  subscription_id uuid,
  given_at timestamptz not null,
  withdrawn_at timestamptz
);
create unique index consents_standing on consents (user_id, kind, subscription_id) nulls not distinct
  where withdrawn_at is null;
create index consents_user on consents (user_id, given_at);
create index consents_subscription on consents (subscription_id) where withdrawn_at is null;

-- Whoever turns notifications off, and in whichever way: a tap, signing out, the browser.
create function end_consent_of_device() returns trigger language plpgsql as $$
begin
  update consents set withdrawn_at = greatest(now(), given_at)
  where subscription_id = old.id and withdrawn_at is null;
  return null;
end $$;
create trigger device_forgotten after delete on push_subscriptions for each row execute function end_consent_of_device();
create trigger device_changed_hands after update of user_id on push_subscriptions for each row
when (old.user_id is distinct from new.user_id) execute function end_consent_of_device();

insert into consents (user_id, kind, device, subscription_id, given_at)
select p.user_id, 'notifications', p.user_agent, p.id, p.created_at
from push_subscriptions p join users u on u.id = p.user_id
where u.role = 'customer' and not p.wants_new_orders;
`,
    )
    .execute(db);
}
