import { sql, type Kysely } from 'kysely';

/**
 * The answers of payment providers about the time after a restored copy, and erasures, which are applied again to a copy
 * from before them. `noted`: the last erasure in the list beside a folder's copies.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
create table provider_readings (
  key_set text primary key references payment_key_sets,
  since timestamptz not null,
  check_at timestamptz,
  answered_at timestamptz,
  payments int not null default 0,
  orders int not null default 0,
  tries int not null default 0,
  failure text check (failure in ('keys_refused', 'refused', 'unreachable')),
  said text
);
create table unknown_payments (
  id uuid primary key,
  key_set text not null references payment_key_sets,
  reference text not null unique,
  intent text,
  description text,
  state text not null check (state in ('open', 'authorised', 'captured', 'refunded', 'voided', 'declined', 'abandoned')),
  amount int not null,
  captured int not null,
  refunded int not null,
  currency text not null,
  dispute_status text,
  created_at timestamptz not null,
  seen_at timestamptz not null
);
create table erasures (
  number bigint generated always as identity primary key,
  kind text not null check (kind in ('person', 'order')),
  subject uuid not null,
  erased_at timestamptz not null default now(),
  due_at timestamptz,
  unique (kind, subject)
);
create index erasures_due on erasures (due_at) where due_at is not null;
create table copy_folders (
  path text primary key,
  noted bigint not null default 0,
  check_at timestamptz not null default 'epoch'
);
`,
    )
    .execute(db);
}
