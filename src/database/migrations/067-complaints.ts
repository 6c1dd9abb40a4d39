import { sql, type Kysely } from 'kysely';

/** What customers and guests complain about, with the answer. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
create table complaints (
  id uuid primary key,
  reference text not null unique,
  key uuid not null unique,
  created_at timestamptz not null,
  about text not null check (about in ('data', 'order', 'other')),
  order_number text,
  name text not null,
  email text not null,
  locale text not null,
  message text not null,
  user_id uuid references users on delete set null,
  status text not null default 'new' check (status in ('new', 'in_progress', 'answered')),
  answer text not null default '',
  answered_by text not null default '',
  answered_at timestamptz,
  reminded_at timestamptz,
  forgets boolean not null default false,
  forgotten_at timestamptz,
  check ((status = 'answered') = (answered_at is not null))
);
create index complaints_open on complaints (created_at, id) where answered_at is null;
create index complaints_answered on complaints (answered_at desc, id) where answered_at is not null;
create index complaints_user on complaints (user_id) where user_id is not null;
create index complaints_email on complaints (lower(email));
`,
    )
    .execute(db);
}
