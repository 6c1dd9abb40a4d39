import { sql, type Kysely } from 'kysely';

/** What staff did about orders that nobody answered in time. Earlier orders count as followed up. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
alter table orders add column followed_up text check (followed_up in ('rung', 'left'));
update orders set followed_up = 'left'
where status = 'rejected' and reject_reason = 'not_answered' and closed_at < now() - interval '1 day';
create index orders_lost on orders (store_id)
where status = 'rejected' and reject_reason = 'not_answered' and followed_up is null;
`,
    )
    .execute(db);
}
