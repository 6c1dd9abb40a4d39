import { sql } from 'kysely';
import { changeWithEffects } from '#database/transaction.ts';
import { tryLockOrder } from '#ordering/server/change-orders.ts';
import { isAwaitingPayment, orderDeadlines } from '#ordering/order-status.ts';
import { applyOrderCall, type OrderCallRequest } from '#ordering/server/apply-order-call.ts';
import type { DueWork } from '#database/jobs/due-work.ts';
import type { OrderServices } from '#ordering/server/services.ts';

const atOnce = 50;

/**
 * Due work that ends overdue orders: an unanswered order is rejected, an unpaid order expires. The deadlines are stored
 * with the orders, so a restart or a second instance does not change them.
 */
export function overdueOrderWork(
  services: Pick<OrderServices, 'clock' | 'db' | 'log' | 'menus' | 'now' | 'outbox' | 'owed' | 'payments' | 'prints'>,
): DueWork<boolean> {
  return {
    name: 'deadlines',
    due: (now) =>
      sql<boolean>`${sql.join(
        orderDeadlines.map(
          ({ status, column }) =>
            sql`exists (select from orders where status = ${sql.lit(status)} and ${sql.ref(column)} <= ${now})`,
        ),
        sql` or `,
      )}`,
    work: () => endOrdersPastDeadline(services),
  };
}

/**
 * Ends the orders whose deadline has passed. Returns the number of checked orders; 0 while the clock is not trusted.
 */
export async function endOrdersPastDeadline(
  services: Pick<OrderServices, 'clock' | 'db' | 'log' | 'menus' | 'now' | 'outbox' | 'owed' | 'payments' | 'prints'>,
): Promise<number> {
  if (!services.clock.isTrusted()) return 0;
  let checked = 0;
  for (const deadline of orderDeadlines) checked += await endDue(services, deadline);
  return checked;
}

async function endDue(
  services: Pick<OrderServices, 'db' | 'log' | 'menus' | 'now' | 'outbox' | 'owed' | 'payments' | 'prints'>,
  { status, column, call, rejectReason }: (typeof orderDeadlines)[number],
): Promise<number> {
  const now = services.now();
  const due = await services.db
    .selectFrom('orders')
    .select('id')
    .where('status', '=', status)
    .where(column, '<=', now)
    .limit(atOnce)
    .execute();
  for (const { id } of due) {
    // A payment whose webhook was lost must be found before its order expires.
    if (isAwaitingPayment(status))
      await services.payments.reconcile(id).catch((error: unknown) => services.log.warn({ err: error }, 'reconcile'));
    const end: Pick<OrderCallRequest, 'call' | 'rejectReason'> = { call, ...(rejectReason && { rejectReason }) };
    await changeWithEffects(services, async (tx, afterCommit) => {
      // A board or another instance may have changed the order since its id was read.
      const row = await tryLockOrder(tx, id);
      if (row?.status !== status) return;
      afterCommit(services.outbox.wake);
      await applyOrderCall(tx, services, {
        orderId: id,
        actor: 'system',
        actorName: 'system',
        actorId: null,
        now,
        ...end,
      });
    });
  }
  return due.length;
}
