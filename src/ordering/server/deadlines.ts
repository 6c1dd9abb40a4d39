import { sql } from 'kysely';
import { makeChange } from '#database/transaction.ts';
import { lockIfFree } from '#ordering/server/change-orders.ts';
import { moveOrder, type MoveRequest } from '#ordering/server/move-order.ts';
import type { DueWork } from '#database/jobs/due-work.ts';
import type { OrderServices } from '#ordering/server/services.ts';

const atOnce = 50;

/**
 * Ends expired orders: a placed order past its answer deadline is rejected as not answered, an unpaid order
 * expires. The deadlines are stored in the orders, so a restart or a second instance changes nothing.
 */
export function deadlines(
  services: Pick<OrderServices, 'clock' | 'db' | 'log' | 'menus' | 'now' | 'outbox' | 'owed' | 'payments' | 'prints'>,
): DueWork<boolean> {
  return {
    name: 'deadlines',
    due: (now) => sql<boolean>`
      exists (select from orders where status = 'placed' and answer_by <= ${now})
      or exists (select from orders where status = 'pending_payment' and expires_at <= ${now})`,
    work: () => endDueOrders(services),
  };
}

/** Returns how many it checked: none while the clock cannot be trusted. */
export async function endDueOrders(
  services: Pick<OrderServices, 'clock' | 'db' | 'log' | 'menus' | 'now' | 'outbox' | 'owed' | 'payments' | 'prints'>,
): Promise<number> {
  if (!services.clock.isTrusted()) return 0;
  return (await endDue(services, 'answer_by')) + (await endDue(services, 'expires_at'));
}

async function endDue(
  services: Pick<OrderServices, 'db' | 'log' | 'menus' | 'now' | 'outbox' | 'owed' | 'payments' | 'prints'>,
  column: 'answer_by' | 'expires_at',
): Promise<number> {
  const now = services.now();
  const status = column === 'answer_by' ? 'placed' : 'pending_payment';
  const due = await services.db
    .selectFrom('orders')
    .select('id')
    .where('status', '=', status)
    .where(column, '<=', now)
    .limit(atOnce)
    .execute();
  for (const { id } of due) {
    // A payment whose message was lost must be found before its order is ended.
    if (column === 'expires_at')
      await services.payments.reconcile(id).catch((error: unknown) => services.log.warn({ err: error }, 'reconcile'));
    const end: Pick<MoveRequest, 'call' | 'rejectReason'> =
      column === 'answer_by' ? { call: 'reject', rejectReason: 'not_answered' } : { call: 'expire' };
    await makeChange(services, async (tx, afterCommit) => {
      // A board or another instance has changed it since it was found: it is not ended.
      const row = await lockIfFree(tx, id);
      if (row?.status !== status) return;
      afterCommit(services.outbox.wake);
      await moveOrder(tx, services, { orderId: id, actor: 'system', actorName: 'system', actorId: null, now, ...end });
    });
  }
  return due.length;
}
