import { randomUUID, randomUUIDv7 } from 'node:crypto';
import type { Tx } from '#database/schema.ts';
import type { OrderRow } from '#ordering/server/present-order.ts';
import type { RefundPlan } from '#payment/refund-rules.ts';
import type { RefundKind, RefundStatus } from '#payment/refund.ts';
import { refundQueue, type PaymentRow, type RefundJob } from '#payment/server/owed.ts';
import type { RefundRow } from '#payment/server/refund-rows.ts';
import { tradingDayOf } from '#store/opening-hours.ts';
import type { PaymentServices } from '#payment/server/services.ts';

export interface NewRefund {
  /** Through which it is made; undefined: it was given back by hand. */
  payment: Pick<PaymentRow, 'id'> | undefined;
  plan: RefundPlan;
  kind: RefundKind;
  /** The client's, if a client asked for it. */
  key?: string;
  /** `pending` if left out; one without a payment is made already. */
  status?: RefundStatus;
  /** The provider's own id of it, if it was found there. */
  providerRefund?: string;
  /** The refund that this is a part of, and that is of so much less since. */
  partOf?: string;
  /** The number of this try; 1 if left out. */
  attempts?: number;
  reason: string;
  actor: string;
  actorId: string | null;
}

/** The sweep takes over an unfinished refund this long (ms) after the request. */
const graceBeforeSweep = 20_000;

/**
 * Writes a refund of an order, under the order's lock. A pending one gets the job that makes it.
 */
export async function insertRefund(
  tx: Tx,
  services: Pick<PaymentServices, 'jobs' | 'menus' | 'now'>,
  order: Pick<OrderRow, 'id' | 'store_id'>,
  {
    payment,
    plan,
    kind,
    key,
    status = payment ? 'pending' : 'succeeded',
    providerRefund,
    partOf,
    attempts,
    ...by
  }: NewRefund,
): Promise<RefundRow> {
  const { store } = (await services.menus.store(tx, order.store_id)) ?? {};
  if (!store) throw new Error(`order ${order.id} is of no shop`);
  const now = services.now();
  const isPending = status === 'pending';
  const row = await tx
    .insertInto('refunds')
    .values({
      id: randomUUIDv7(),
      store_id: order.store_id,
      order_id: order.id,
      payment_id: payment?.id ?? null,
      key: key ?? randomUUID(),
      status,
      amount: plan.amount,
      currency: store.currency,
      tip: plan.tip,
      vat: JSON.stringify(plan.vat),
      lines: JSON.stringify(plan.lines),
      kind,
      provider_refund: providerRefund ?? null,
      part_of: partOf ?? null,
      ...(attempts !== undefined && { attempts }),
      reason: by.reason,
      actor: by.actor,
      actor_id: by.actorId,
      trading_day: tradingDayOf(store, now),
      check_at: isPending ? new Date(now.getTime() + graceBeforeSweep) : null,
      created_at: now,
      settled_at: status === 'succeeded' ? now : null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  if (isPending) await services.jobs.send<RefundJob>(tx, refundQueue, { refund_id: row.id });
  return row;
}
