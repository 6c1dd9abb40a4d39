import { randomUUIDv7 } from 'node:crypto';
import { sql, type Selectable } from 'kysely';
import { localeOf } from '#accounts/server/user-views.ts';
import type { OrderMailsTable, Tx } from '#database/schema.ts';
import { inTransaction } from '#database/transaction.ts';
import { orderMail } from '#ordering/server/write-order-mail.ts';
import type { OrderMailKind } from '#database/column-types.ts';
import { loadOrders, type OrderRow } from '#ordering/server/present-order.ts';
import { languageOfPerson } from '#platform/language.ts';
import type { DueWork } from '#database/jobs/due-work.ts';
import { inLanguage } from '#platform/server/request-language.ts';
import { RefusedReceiver, unsentMail } from '#database/mail/mail.ts';
import type { OrderServices } from '#ordering/server/services.ts';

export type OwedOrderMail = Selectable<OrderMailsTable>;

const queue = 'order-mail';
const atOnce = 200;

/**
 * Queues a mail to the customer of an order, in the transaction of the change: once for each kind, or for each refund; for
 * each change again, unless the mail of the last change is still to be sent. Does nothing if there is no address, or if the
 * order never reached the shop; but money that came too late is always reported.
 */
export async function oweMail(
  tx: Tx,
  order: Pick<OrderRow, 'id' | 'contact' | 'customer_id' | 'placed_at'>,
  kind: OrderMailKind,
  { now, refundId = null }: { now: Date; refundId?: string | null },
): Promise<void> {
  const hasReceiver = order.contact.email !== '' || order.customer_id !== null;
  const isAboutMoney = kind === 'late_hold' || kind === 'late_charge';
  if (!hasReceiver || (order.placed_at === null && !isAboutMoney)) return;
  await tx
    .insertInto('order_mails')
    .values({ order_id: order.id, kind, refund_id: refundId, owed_at: now })
    .onConflict((conflict) =>
      kind === 'changed'
        ? conflict
            .columns(['order_id', 'kind', 'refund_id'])
            .doUpdateSet({ owed_at: now, mail_id: null, sending_until: null, ended_at: null })
        : conflict.doNothing(),
    )
    .execute();
}

/** Creates a job for every queued mail. Orders are written in batches, and leave this to a separate step. */
export function orderMailWork({ db, jobs }: Pick<OrderServices, 'db' | 'jobs'>): DueWork<boolean> {
  return {
    name: 'order mails',
    due: () => sql<boolean>`exists (select from order_mails where mail_id is null)`,
    work: () =>
      inTransaction(db, async (tx) => {
        const owed = await tx
          .selectFrom('order_mails')
          .select(['order_id', 'kind', 'refund_id'])
          .where('mail_id', 'is', null)
          .orderBy('owed_at')
          .limit(atOnce)
          .forUpdate()
          .skipLocked()
          .execute();
        for (const { order_id, kind, refund_id } of owed) {
          const mail_id = randomUUIDv7();
          await tx
            .updateTable('order_mails')
            .set({ mail_id })
            .where('order_id', '=', order_id)
            .where('kind', '=', kind)
            .where('refund_id', 'is not distinct from', refund_id)
            .execute();
          await jobs.send(tx, queue, { mail_id }, { givenUpTo: unsentMail });
        }
      }),
  };
}

/** Starts sending them. */
export async function startOrderMails(
  services: Pick<
    OrderServices,
    'config' | 'db' | 'jobs' | 'log' | 'mail' | 'menus' | 'now' | 'orderParts' | 'payments'
  >,
): Promise<void> {
  await services.jobs.work<{ mail_id: string }>(queue, ({ mail_id: id }) => sendOrderMail(services, id), {
    batchSize: 1,
  });
}

/**
 * Sends one, unless it was sent or is out of date: then a later mail has the current state. A repeated job finds it
 * sent, or being sent, which is an error so that the job repeats. Only a crash between the SMTP server's answer and ours
 * sends it again, with the same Message-ID.
 */
async function sendOrderMail(
  services: Pick<OrderServices, 'config' | 'db' | 'log' | 'mail' | 'menus' | 'now' | 'orderParts' | 'payments'>,
  id: string,
): Promise<void> {
  const { db, mail, log } = services;
  const claimed = await db
    .updateTable('order_mails')
    .set({ sending_until: sql`clock_timestamp() + interval '40 seconds'` })
    .where('mail_id', '=', id)
    .where('ended_at', 'is', null)
    .where((eb) => eb.or([eb('sending_until', 'is', null), eb('sending_until', '<', sql<Date>`clock_timestamp()`)]))
    .returningAll()
    .executeTakeFirst();
  if (!claimed) return refuseIfOpen(services, id);
  const settle = (change: { ended_at: Date } | { sending_until: null }) =>
    db.updateTable('order_mails').set(change).where('mail_id', '=', id).execute();
  try {
    const message = await write(services, claimed);
    if (message) await mail.deliver(message, id);
  } catch (error) {
    if (!(error instanceof RefusedReceiver)) {
      await settle({ sending_until: null });
      throw error;
    }
    log.warn({ order: claimed.order_id, kind: claimed.kind }, 'nobody has the address that an order was placed with');
  }
  await settle({ ended_at: services.now() });
}

async function refuseIfOpen({ db }: Pick<OrderServices, 'db'>, id: string): Promise<void> {
  const open = await db
    .selectFrom('order_mails')
    .select('mail_id')
    .where('mail_id', '=', id)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
  if (open) throw new Error('an order mail is being sent by another job');
}

/** null if there is no receiver, or nothing new to say. */
async function write(
  services: Pick<OrderServices, 'config' | 'db' | 'menus' | 'now' | 'orderParts' | 'payments'>,
  { order_id, kind, refund_id }: OwedOrderMail,
) {
  const { db, menus, config, orderParts, payments } = services;
  const [order] = await loadOrders(db, orderParts, [order_id]);
  const known = order && (await menus.store(db, order.row.store_id));
  const to = order && (order.row.contact.email || order.customer?.email);
  if (!known || !to) return null;
  const refund = refund_id === null ? undefined : await payments.readRefund(db, refund_id);
  const { customer_id: customerId } = order.row;
  const user = customerId === null ? undefined : await localeOf(db, customerId);
  const language = languageOfPerson(user ?? order.row);
  const written = inLanguage(language, () =>
    orderMail({ kind, order, refund: refund ?? null, store: known.store, config, now: services.now() }),
  );
  return written && { to, fromName: known.store.name, ...written };
}
