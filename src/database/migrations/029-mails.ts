import { sql, type Kysely } from 'kysely';

/** Every mail with what became of it; and the kinds of mails about orders that were added. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
create table mails (
  id uuid primary key,
  kind text not null,
  state text not null default 'queued'
    check (state in ('queued', 'retrying', 'sent', 'filed', 'refused', 'given_up', 'dropped')),
  store_id uuid,
  order_id uuid references orders on delete cascade,
  order_number int,
  to_address text not null default '',
  to_name text not null default '',
  locale text not null default 'en',
  subject text not null default '',
  about jsonb,
  content jsonb,
  tries int not null default 0,
  answer text,
  created_at timestamptz not null,
  sending_until timestamptz,
  tried_at timestamptz,
  refused_since timestamptz,
  told_at timestamptz,
  ended_at timestamptz
);
create index mails_newest on mails (created_at desc, id desc);
create index mails_of_order on mails (order_id);
create index mails_of_receiver on mails (lower(to_address));
create index mails_refused on mails (refused_since) where state = 'retrying';

alter table order_mails drop constraint order_mails_kind_check;
alter table order_mails add constraint order_mails_kind_check check (kind in (
  'placed', 'accepted', 'changed', 'promised', 'ready', 'on_its_way', 'rejected', 'cancelled', 'refunded', 'receipt',
  'late_hold', 'late_charge'));
`,
    )
    .execute(db);
}
