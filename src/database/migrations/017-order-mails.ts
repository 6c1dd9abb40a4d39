import { sql, type Kysely } from 'kysely';

/** The language an order was placed in, and the mails to send to its customer. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
alter table orders add column locale text not null default 'en';

create table order_mails (
  order_id uuid not null references orders on delete cascade,
  kind text not null check (kind in ('placed', 'accepted', 'rejected', 'cancelled', 'refunded')),
  refund_id uuid references refunds on delete cascade,
  owed_at timestamptz not null,
  mail_id uuid unique,
  sending_until timestamptz,
  ended_at timestamptz,
  unique nulls not distinct (order_id, kind, refund_id)
);
create index order_mails_unqueued on order_mails (owed_at) where mail_id is null;
`,
    )
    .execute(db);
}
