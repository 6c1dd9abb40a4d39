import { sql, type Kysely } from 'kysely';

/** A customer is told that their card was refused when the shop accepted the order. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
alter table order_mails drop constraint order_mails_kind_check;
alter table order_mails add constraint order_mails_kind_check check (kind in (
  'placed', 'accepted', 'payment_failed', 'changed', 'promised', 'ready', 'on_its_way', 'rejected', 'cancelled', 'refunded',
  'refund_failed', 'receipt', 'late_hold', 'late_charge'));
`,
    )
    .execute(db);
}
