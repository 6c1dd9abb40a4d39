import { randomUUIDv7 } from 'node:crypto';
import { sql } from 'kysely';
import { findMailLanguage } from '#accounts/server/users.ts';
import type { DueWork } from '#database/jobs/due-work.ts';
import { mailKindOfOrderMail, type OrderMailKind, orderMailKinds } from '#database/mail-values.ts';
import type { Db, Tx } from '#database/schema.ts';
import { inTransaction } from '#database/transaction.ts';
import type { WrittenMail } from '#mail/server/services.ts';
import { undoTimeLimitMs } from '#ordering/order-status.ts';
import { loadOrders, type OrderRow } from '#ordering/server/present-order.ts';
import type { OrderServices } from '#ordering/server/services.ts';
import { writeOrderMail } from '#ordering/server/mails/write-order-mail.ts';
import { languageOfPerson } from '#platform/language.ts';
import { runInLanguage } from '#platform/server/request-language.ts';

const atOnce = 200;

/** Kinds of mail about steps that may repeat. Each repetition is mailed. */
const repeated: ReadonlySet<OrderMailKind> = new Set([
  'changed',
  'promised',
  'ready',
  'on_its_way',
  'receipt',
  'refunded',
]);
const isReportedSince = sql<boolean>`order_mails.kind = 'refund_failed' and exists (
  select from order_mails made
  where made.order_id = order_mails.order_id and made.refund_id = order_mails.refund_id and made.kind = 'refunded'
    and made.owed_at > order_mails.owed_at)`;

/**
 * Records that a mail to an order's customer is due. Each kind is mailed once per order, or once per refund if the mail
 * is about a refund; the kinds in `repeated` are mailed at each step.
 */
export async function queueOrderMail(
  tx: Tx,
  order: Pick<OrderRow, 'id' | 'contact' | 'customer_id' | 'placed_at'>,
  kind: OrderMailKind,
  { now, refundId = null }: { now: Date; refundId?: string | null },
): Promise<void> {
  const hasReceiver = order.contact.email !== '' || order.customer_id !== null;
  // The customer of an order that never reached the shop gets only mails about late payments and failed refunds.
  const isAboutMoney = kind === 'late_hold' || kind === 'late_charge' || kind === 'refund_failed';
  if (!hasReceiver || (order.placed_at === null && !isAboutMoney)) return;
  // A receipt is mailed once the handover can no longer be undone.
  const owedAt = kind === 'receipt' ? new Date(now.getTime() + undoTimeLimitMs) : now;
  await tx
    .insertInto('order_mails')
    .values({ order_id: order.id, kind, refund_id: refundId, owed_at: owedAt })
    .onConflict((conflict) =>
      conflict
        .columns(['order_id', 'kind', 'refund_id'])
        .doUpdateSet({ owed_at: owedAt, mail_id: null, ended_at: null })
        // A mail about a failed refund is repeated only if a later mail has reported the success of the refund.
        .where(repeated.has(kind) ? sql<boolean>`true` : isReportedSince),
    )
    .execute();
}

/** Queues the due mails, separately from the orders' own transactions, because orders are inserted in batches. */
export function orderMailWork({ db, mail, now }: Pick<OrderServices, 'db' | 'mail' | 'now'>): DueWork<boolean> {
  return {
    name: 'order mails',
    due: (at) => sql<boolean>`exists (select from order_mails where mail_id is null and ${isTimeFor(at)})`,
    work: () =>
      inTransaction(db, async (tx) => {
        const owed = await tx
          .selectFrom('order_mails')
          .select(['order_id', 'kind', 'refund_id'])
          .where('mail_id', 'is', null)
          .where(isTimeFor(now()))
          .orderBy('owed_at')
          .limit(atOnce)
          .forUpdate()
          .skipLocked()
          .execute();
        const free = await lockFreeOrders(tx, new Set(owed.map(({ order_id }) => order_id)));
        for (const { order_id, kind, refund_id } of owed) {
          if (!free.has(order_id)) continue;
          const id = randomUUIDv7();
          await tx
            .updateTable('order_mails')
            .set({ mail_id: id })
            .where('order_id', '=', order_id)
            .where('kind', '=', kind)
            .where('refund_id', 'is not distinct from', refund_id)
            .execute();
          await mail.owe(tx, { id, kind: mailKindOfOrderMail(kind), orderId: order_id, about: {} });
        }
      }),
  };
}

/**
 * Locks orders in share mode and returns their ids. Orders that another transaction is changing are skipped: it may be
 * erasing a guest, and a mail queued now would store the erased address again.
 */
async function lockFreeOrders(tx: Tx, ids: ReadonlySet<string>): Promise<ReadonlySet<string>> {
  if (ids.size === 0) return ids;
  const rows = await tx
    .selectFrom('orders')
    .select('id')
    .where('id', 'in', [...ids])
    .forShare()
    .skipLocked()
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/**
 * An SQL condition for mails that are due. Only receipts wait for their time. Other mails are due at once, even if the
 * clock was set back.
 */
function isTimeFor(now: Date) {
  return sql<boolean>`(kind <> 'receipt' or owed_at <= ${now})`;
}

/**
 * Registers the writer of mails about orders. The writer runs when a mail is sent, and uses the order's state at that
 * time.
 */
export function registerOrderMailWriter(
  services: Pick<OrderServices, 'config' | 'db' | 'mail' | 'menus' | 'now' | 'orderParts' | 'payments'>,
): void {
  services.mail.writtenBy(orderMailKinds.map(mailKindOfOrderMail), ({ id }) => write(services, id));
}

/** Moves jobs of an earlier release into the queue of mails. */
export async function migrateOrderMailJobs({
  db,
  jobs,
  mail,
}: Pick<OrderServices, 'db' | 'jobs' | 'mail'>): Promise<void> {
  await jobs.work<{ mail_id: string }>('order-mail', ({ mail_id: id }) =>
    inTransaction(db, async (tx) => {
      const row = await tx
        .selectFrom('order_mails')
        .select(['order_id', 'kind'])
        .where('mail_id', '=', id)
        .where('ended_at', 'is', null)
        .executeTakeFirst();
      if (row) await mail.owe(tx, { id, kind: mailKindOfOrderMail(row.kind), orderId: row.order_id, about: {} });
    }),
  );
}

/** Writes a queued mail; null if there is no recipient, or the mail is stale. */
async function write(
  services: Pick<OrderServices, 'config' | 'db' | 'menus' | 'now' | 'orderParts' | 'payments'>,
  mailId: string,
): Promise<WrittenMail | null> {
  const { db, menus, config, orderParts, payments } = services;
  const owed = await db.selectFrom('order_mails').selectAll().where('mail_id', '=', mailId).executeTakeFirst();
  if (!owed) return null;
  const { order_id: orderId, kind, refund_id: refundId } = owed;
  const [order] = await loadOrders(db, orderParts, [orderId]);
  const known = order && (await menus.store(db, order.row.store_id));
  const to = order && (order.row.contact.email || order.customer?.email);
  if (!known || !to) return null;
  const refund = refundId === null ? null : ((await payments.readRefund(db, refundId)) ?? null);
  if (kind === 'refund_failed' && refund?.status === 'failed') {
    const amount = await amountNotMade(services, mailId, refund.id);
    if (amount === null) return null;
    refund.amount = amount;
  }
  const { contact, number } = order.row;
  const { language, isConfirmed } = await readerOf(db, order.row, to);
  const content = runInLanguage(language, () =>
    writeOrderMail({ kind, order, refund, store: known.store, isConfirmed, config, now: services.now() }),
  );
  if (!content) return null;
  return { to, name: contact.name, language, storeId: known.store.id, order: { id: orderId, number }, content };
}

/**
 * The amount in the mail about a failed refund, in minor units. null: nothing is owed to the payer any more, so no mail
 * is sent.
 */
async function amountNotMade(
  { db, orderParts }: Pick<OrderServices, 'db' | 'orderParts'>,
  mailId: string,
  refundId: string,
): Promise<number | null> {
  const failed = (await orderParts.failedRefunds(db, [refundId])).get(refundId);
  if (failed?.problem !== 'disputed') return failed?.amount ?? null;
  // The payer's bank has taken the money back. The mail's row is deleted, so that the mail can be queued anew if the
  // shop wins the dispute.
  await db.deleteFrom('order_mails').where('mail_id', '=', mailId).execute();
  return null;
}

async function readerOf(db: Db, row: OrderRow, to: string) {
  const user = row.customer_id === null ? undefined : await findMailLanguage(db, row.customer_id);
  const isConfirmed = user?.email_verified_at != null && user.email === to.toLowerCase();
  return { language: languageOfPerson(user ?? row), isConfirmed };
}
