import { sql, type Kysely } from 'kysely';

/** The browsers that are told of orders while no page is open, and the key that signs what is sent to them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
create table push_keys (
  id uuid primary key,
  is_only boolean not null default true unique check (is_only),
  public_key text not null,
  sealed bytea,
  created_at timestamptz not null
);

create table push_subscriptions (
  id uuid primary key,
  endpoint text not null unique,
  p256dh text not null,
  auth text not null,
  locale text not null,
  user_agent text not null,
  user_id uuid references users on delete cascade,
  sign_in_id uuid references sign_ins on delete cascade,
  wants_own_orders boolean not null default false,
  wants_new_orders boolean not null default false,
  created_at timestamptz not null,
  sent_at timestamptz,
  tested_at timestamptz,
  check ((user_id is null) = (sign_in_id is null)),
  check (user_id is not null or not (wants_own_orders or wants_new_orders))
);
create index push_subscriptions_of_user on push_subscriptions (user_id);
create index push_subscriptions_of_sign_in on push_subscriptions (sign_in_id);

create table push_follows (
  order_id uuid not null references orders on delete cascade,
  subscription_id uuid not null references push_subscriptions on delete cascade,
  round int not null default 0,
  news text,
  owed_at timestamptz,
  created_at timestamptz not null,
  primary key (order_id, subscription_id)
);
create index push_follows_of_subscription on push_follows (subscription_id);
create index push_follows_owed on push_follows (owed_at) where owed_at is not null;

alter table order_watches add column pushed_at timestamptz;
`,
    )
    .execute(db);
}
