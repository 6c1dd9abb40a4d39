import { randomBytes, randomUUID, randomUUIDv7 } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '#database/schema.ts';
import type { OrderChannel, OrderStatus, PaidBy, PaymentStatus, RejectReason, VatRow } from '#ordering/order.ts';
import type { RefundKind } from '#payment/refund.ts';
import { insertRefund } from '#payment/testing/refunds.ts';
import type { FulfilmentType, PaymentMethod } from '#store/contract.ts';

/** An order as a test states it; all other fields have the values of a quiet shop. Minor units. */
export interface WrittenOrder {
  day: string;
  /** When it was placed; by default at 18:00 UTC of its day. */
  at?: string;
  lines?: { item_id: string; name: string; quantity: number; total: number }[];
  subtotal: number;
  discount?: number;
  /** The offer of the discount, with the code if one was typed. */
  offer?: { offer_id: string; code?: string };
  contact?: { phone: string; email: string };
  customer_id?: string;
  fee?: number;
  tip?: number;
  vat: VatRow[];
  status?: OrderStatus;
  payment_status?: PaymentStatus;
  payment_method?: PaymentMethod;
  paid_by?: PaidBy;
  /** Its card moves no money. */
  is_test?: boolean;
  channel?: OrderChannel;
  fulfilment_type?: FulfilmentType;
  reject_reason?: RejectReason;
  cancel_reason?: string;
  promised_at?: string;
  packed_at?: string;
  completed_at?: string;
}

export interface WrittenRefund {
  order: string;
  day: string;
  amount: number;
  tip?: number;
  vat: VatRow[];
  status?: 'pending' | 'succeeded' | 'failed';
  kind?: RefundKind;
  providerRefund?: string;
}

export const totalOf = (order: WrittenOrder): number =>
  order.subtotal - (order.discount ?? 0) + (order.fee ?? 0) + (order.tip ?? 0);

/** Writes orders directly into the database, without any checks, and returns their ids. */
export async function writeOrders(db: Db, storeId: string, orders: readonly WrittenOrder[]): Promise<string[]> {
  const { rows } = await sql<{ last: number | null }>`
    select max(number) as last from orders where store_id = ${storeId}`.execute(db);
  const first = (rows[0]?.last ?? 0) + 1;
  const made = orders.map((order, index) => ({ id: randomUUIDv7(), order, number: first + index }));
  const batch = 500;
  for (let start = 0; start < made.length; start += batch) {
    await db
      .insertInto('orders')
      .values(made.slice(start, start + batch).map(({ id, order, number }) => rowOf(storeId, id, number, order)))
      .execute();
  }
  const tested = made.filter(({ order }) => order.is_test);
  if (tested.length > 0) {
    await db
      .insertInto('payments')
      .values(
        tested.map(({ id, order }) => ({
          id: randomUUIDv7(),
          order_id: id,
          provider: 'sandbox' as const,
          status: 'captured' as const,
          amount: totalOf(order),
          currency: 'GBP',
          is_test: true,
          created_at: timeOf(order),
          updated_at: timeOf(order),
        })),
      )
      .execute();
  }
  const cancelled = made.filter(({ order }) => order.cancel_reason !== undefined);
  if (cancelled.length > 0) {
    await db
      .insertInto('order_history')
      .values(
        cancelled.map(({ id, order }) => ({
          order_id: id,
          version: 2,
          from_status: 'accepted' as const,
          to_status: 'cancelled' as const,
          actor: 'Olive',
          actor_id: null,
          reason: order.cancel_reason ?? null,
          at: timeOf(order),
        })),
      )
      .execute();
  }
  return made.map(({ id }) => id);
}

export async function writeRefund(db: Db, storeId: string, refund: WrittenRefund): Promise<void> {
  const { order: orderId, day, status = 'succeeded' } = refund;
  await insertRefund(db, { ...refund, storeId, orderId, status, at: `${day}T20:00:00Z` });
}

function timeOf({ day, at }: WrittenOrder): string {
  return at ?? `${day}T18:00:00Z`;
}

function rowOf(storeId: string, id: string, number: number, order: WrittenOrder) {
  const at = timeOf(order);
  const lines = (order.lines ?? []).map((line) => ({ ...line, id: randomUUID(), options: [], vat_rate: 2000 }));
  return {
    id,
    store_id: storeId,
    trading_day: order.day,
    number,
    version: 1,
    channel: order.channel ?? 'web',
    placed_by: null,
    customer_id: order.customer_id ?? null,
    session_hash: randomBytes(32),
    request_hash: Buffer.alloc(32),
    status: order.status ?? 'collected',
    payment_status: order.payment_status ?? 'paid',
    payment_method: order.payment_method ?? 'card',
    paid_by: order.paid_by ?? null,
    fulfilment_type: order.fulfilment_type ?? 'collection',
    contact: JSON.stringify({ name: 'Ada Byron', phone: '07700 900123', email: '', ...order.contact }),
    address: null,
    note: '',
    allergy_note: '',
    lines: JSON.stringify(lines),
    subtotal: order.subtotal,
    discounts: JSON.stringify(createDiscountFinder(order)),
    fees: JSON.stringify(order.fee ? [{ code: 'delivery', name: 'Delivery', amount: order.fee, vat_rate: null }] : []),
    tip: order.tip ?? 0,
    total: totalOf(order),
    vat: JSON.stringify(order.vat),
    reject_reason: order.reject_reason ?? null,
    created_at: at,
    placed_at: at,
    promised_at: order.promised_at ?? null,
    packed_at: order.packed_at ?? null,
    completed_at: order.completed_at ?? null,
  };
}

function createDiscountFinder({ discount, offer }: WrittenOrder) {
  if (!discount) return [];
  return [{ code: 'ten', name: '10 % off', amount: discount, ...(offer && { code: null, ...offer }) }];
}
