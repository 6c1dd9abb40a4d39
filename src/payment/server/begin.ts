import { randomUUIDv7 } from 'node:crypto';
import { m } from '#messages';
import { inTransaction } from '#database/transaction.ts';
import type { KnownStore } from '#shop/server/shop.ts';
import { changeMoney, lockOrder } from '#ordering/server/change-orders.ts';
import type { OrderRow } from '#ordering/server/present-order.ts';
import type { PaymentContext } from '#payment/server/context.ts';
import { callKey, type PaymentRow } from '#payment/server/owed.ts';
import type { Checkout } from '#payment/server/provider.ts';
import { checkoutParts } from '#payment/checkout-parts.ts';
import { AppError } from '#platform/errors.ts';
import { languageOfPerson } from '#platform/language.ts';

/** When to check a payment that no message came for, in milliseconds from its start. */
const firstLook = 20_000;

/**
 * Opens the provider's page for a pending order and returns its address: that of the open page, if there is
 * one. Throws `payment_unavailable` when the provider does not answer; then the order stays pending, and the next try
 * continues with the same attempt. Throws `illegal_transition` once the order does not wait for a payment.
 */
export async function beginPayment(context: PaymentContext, orderId: string): Promise<string> {
  const { order, payment, shop } = await openAttempt(context, orderId);
  if (payment.redirect_url !== null) return payment.redirect_url;
  const checkout = await createCheckout(context, order, payment, shop);
  const { db, now } = context.services;
  const saved = await db
    .updateTable('payments')
    .set({
      reference: checkout.reference,
      redirect_url: checkout.redirectUrl,
      check_at: new Date(now().getTime() + firstLook),
      updated_at: now(),
    })
    .where('id', '=', payment.id)
    .where('status', '=', 'pending')
    .where('owed', 'is', null)
    .returning('redirect_url')
    .executeTakeFirst();
  // The order ended, or changed to cash, while the provider was asked: the page must not be shown.
  if (!saved?.redirect_url) throw new AppError('illegal_transition', m.ordering_not_pending());
  return saved.redirect_url;
}

export function notPending(order: OrderRow): AppError {
  return new AppError('illegal_transition', m.ordering_not_pending(), {
    extra: { status: order.status, open_calls: [] },
  });
}

interface Attempt {
  order: OrderRow;
  payment: PaymentRow;
  shop: KnownStore;
}

async function openAttempt(context: PaymentContext, orderId: string): Promise<Attempt> {
  const { services } = context;
  return inTransaction(services.db, async (tx) => {
    const order = await lockOrder(tx, orderId);
    if (!order) throw new AppError('not_found', m.ordering_not_found());
    if (order.status !== 'pending_payment') throw notPending(order);
    const shop = await services.menus.store(tx, order.store_id);
    const provider = shop?.store.card_provider;
    if (!provider) throw new AppError('payment_unavailable', m.payment_no_provider());
    const open = await tx
      .selectFrom('payments')
      .selectAll()
      .where('order_id', '=', orderId)
      .where('status', '=', 'pending')
      .where('owed', 'is', null)
      .executeTakeFirst();
    if (open) return { order, payment: open, shop };
    const now = services.now();
    const payment = await tx
      .insertInto('payments')
      .values({
        id: randomUUIDv7(),
        order_id: orderId,
        ...context.makerOf(provider),
        status: 'pending',
        amount: order.total,
        currency: shop.store.currency,
        created_at: now,
        updated_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    if (order.payment_status !== 'unpaid') {
      await changeMoney(tx, services.outbox, order, { payment_status: 'unpaid' });
    }
    return { order, payment, shop };
  });
}

async function createCheckout(
  context: PaymentContext,
  order: OrderRow,
  payment: PaymentRow,
  { store }: KnownStore,
): Promise<Checkout> {
  const { config, log } = context.services;
  try {
    return await context.providerOf(payment).createCheckout({
      idempotencyKey: callKey(payment, 'checkout'),
      paymentId: payment.id,
      orderId: order.id,
      amount: payment.amount,
      currency: payment.currency,
      ...checkoutParts(order),
      merchant: { id: store.id, name: store.name },
      description: m.payment_description({ number: String(order.number) }),
      payer: {
        email: order.contact.email || null,
        userId: order.customer_id,
        language: languageOfPerson(order),
      },
      isHeld: payment.is_held,
      expiresAt: order.expires_at ?? context.services.now(),
      returnUrl: `${publicOrigin(config)}/orders/${order.id}/payment/callback`,
    });
  } catch (error) {
    log.error({ err: error, order: order.id }, 'the payment provider could not be reached');
    throw new AppError('payment_unavailable', m.payment_unavailable());
  }
}

/** The shop's public address; empty, and so relative to the customer's page, if none is configured. */
export function publicOrigin({ APP_URL }: { APP_URL?: string | undefined }): string {
  return APP_URL ? new URL(APP_URL).origin : '';
}
