import { randomUUIDv7 } from 'node:crypto';
import { sql } from 'kysely';
import { m } from '#messages';
import { isAwaitingPayment } from '#ordering/order-status.ts';
import { mayPayOnline } from '#ordering/payment-status.ts';
import type { Db } from '#database/schema.ts';
import { inTransaction } from '#database/transaction.ts';
import type { StoreSnapshot } from '#shop/server/shop-cache.ts';
import { changeOrderMoney, lockOrder } from '#ordering/server/change-orders.ts';
import type { OrderRow } from '#ordering/server/present-order.ts';
import { requestPaymentPage } from '#payment/server/request-payment-page.ts';
import type { PaymentContext, ProviderWithKeys } from '#payment/server/context.ts';
import { recordOpenedPaymentPage, recordRefusedPaymentPage } from '#payment/server/keys/refused-pages.ts';
import { hasReceivedNoWebhookSql } from '#payment/server/keys/watch-keys.ts';
import {
  closePaymentPages,
  firstPaymentCheckDelayMs,
  noWebhookCheckDelayMs,
  lockPayment,
  queueOwedCall,
  type PaymentRow,
  renewIdempotencyKey,
} from '#payment/server/owed-calls.ts';
import { type Checkout, IdempotencyKeySpent, ProviderKeysRefused, ProviderRefusal } from '#payment/server/provider.ts';
import { settleOwedCall } from '#payment/server/settle-payments.ts';
import { cardProviderOf } from '#platform/card-providers.ts';
import { AppError, invalidFieldError } from '#platform/errors.ts';
import { formatMoney } from '#platform/money.ts';
import { canHoldUntilAnswer, unmetCardMinimumOfStore } from '#store/card-provider.ts';

/**
 * Opens the provider's page for an order that may be paid, unless a page is open, and returns the page's address.
 * Throws `payment_unavailable` when the provider opens no page; then the order stays pending, and the next call
 * continues the same attempt. Throws `illegal_transition` once nothing is to be paid.
 */
export async function beginPayment(context: PaymentContext, orderId: string): Promise<string> {
  await settleEarlierAttempts(context, orderId);
  return showPage(context, await openAttempt(context, orderId));
}

async function showPage(context: PaymentContext, attempt: Attempt): Promise<string> {
  const { order, payment } = attempt;
  if (payment.redirect_url !== null) return payment.redirect_url;
  const checkout = await createCheckout(context, attempt);
  // The attempt is read again, because another call may have opened its page or begun a newer attempt.
  if (checkout === null) return showPage(context, await openAttempt(context, order.id, { isNew: true }));
  const { db, now } = context.services;
  if (payment.key_set !== null) await recordOpenedPaymentPage(db, payment.key_set);
  const saved = await db
    .updateTable('payments')
    .set({
      reference: checkout.reference,
      redirect_url: checkout.redirectUrl,
      check_at: sql<Date>`${now()}::timestamptz
        + case when ${hasReceivedNoWebhookSql} then ${noWebhookCheckDelayMs}::int else ${firstPaymentCheckDelayMs}::int end * interval '1 millisecond'`,
      updated_at: now(),
    })
    .where('id', '=', payment.id)
    .where('status', '=', 'pending')
    .where('owed', 'is', null)
    // The first page that was shown stays the payment's page, because somebody may pay on it. A second page is never
    // shown.
    .where((eb) => eb.or([eb('reference', 'is', null), eb('reference', '=', checkout.reference)]))
    .returning('redirect_url')
    .executeTakeFirst();
  if (saved?.redirect_url) return saved.redirect_url;
  const shown = await findOpenPage(db, payment.id);
  if (shown !== null) return shown;
  // The order ended or changed to cash while the provider opened the page, so the page must not be shown.
  await closeUnusedPage(context, payment, checkout);
  throw new AppError('illegal_transition', m.ordering_not_pending());
}

/** The page that another call has opened for a payment, if the payment can still be paid; otherwise null. */
async function findOpenPage(db: Db, id: string): Promise<string | null> {
  const shown = await db
    .selectFrom('payments')
    .select('redirect_url')
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .where('owed', 'is', null)
    .executeTakeFirst();
  return shown?.redirect_url ?? null;
}

/** Stores the reference of a page that was never shown, and queues the release that closes the page at the provider. */
async function closeUnusedPage({ services }: PaymentContext, made: PaymentRow, { reference }: Checkout): Promise<void> {
  await inTransaction(services.db, async (tx) => {
    const { payment } = await lockPayment(tx, made);
    if (payment.reference !== null) return;
    await tx.updateTable('payments').set({ reference }).where('id', '=', payment.id).execute();
    await queueOwedCall(tx, services.jobs, payment, 'release', services.now());
  });
}

/**
 * Before another attempt begins, ends the order's released attempts at the provider: closes pages, and returns holds
 * and charges. An open attempt is released first if it is outdated (`isOutdated`). Throws `payment_unavailable` if an
 * attempt cannot be ended, because the customer could then pay on two pages.
 */
async function settleEarlierAttempts(context: PaymentContext, orderId: string): Promise<void> {
  const { db, jobs, log, menus, now } = context.services;
  const earlier = await inTransaction(db, async (tx) => {
    const order = await lockOrder(tx, orderId);
    const provider = order && (await menus.store(tx, order.store_id))?.store.card_provider;
    if (!order || !provider || !mayPayOnline(order)) return [];
    const payments = await tx.selectFrom('payments').selectAll().where('order_id', '=', orderId).execute();
    const open = payments.find(({ status, owed }) => status === 'pending' && owed === null);
    if (open && isOutdated(open, context.makerOf(provider))) await closePaymentPages(tx, jobs, orderId, now());
    return tx
      .selectFrom('payments')
      .select('id')
      .where('order_id', '=', orderId)
      .where('owed', '=', 'release')
      .where('reference', 'is not', null)
      .execute();
  });
  try {
    for (const { id } of earlier) await settleOwedCall(context, id);
  } catch (error) {
    log.warn({ err: error, order: orderId }, 'an earlier payment could not be closed before another try');
    throw new AppError('payment_unavailable', m.payment_unavailable());
  }
}

/**
 * Whether a new attempt must replace this one: the provider changed, or the attempt has no page yet and its keys were
 * replaced. An attempt with a page keeps its own keys.
 */
function isOutdated({ provider, key_set, reference }: PaymentRow, maker: ProviderWithKeys): boolean {
  return provider !== maker.provider || (reference === null && key_set !== maker.key_set);
}

/** Whether a payment is a test, which moves no money. In the demo shop no payment counts as a test. */
function isTestOf(
  { services }: PaymentContext,
  { provider, key_set }: ProviderWithKeys,
  { isDemo }: StoreSnapshot,
): boolean {
  if (isDemo) return false;
  return key_set === null ? cardProviderOf(provider).label === null : services.keySets.get(key_set).isTest;
}

export function orderNotPendingError(order: OrderRow): AppError {
  return new AppError('illegal_transition', m.ordering_not_pending(), {
    extra: { status: order.status, open_calls: [] },
  });
}

interface Attempt {
  order: OrderRow;
  payment: PaymentRow;
  shop: StoreSnapshot;
  /**
   * Whether this call began the attempt. The page of an older attempt may be refused because its expiry is too near, so
   * an older attempt is retried once.
   */
  isNew: boolean;
}

async function openAttempt(
  context: PaymentContext,
  orderId: string,
  { isNew }: { isNew: boolean } = { isNew: false },
): Promise<Attempt> {
  const { services } = context;
  return inTransaction(services.db, async (tx) => {
    const order = await lockOrder(tx, orderId);
    if (!order) throw new AppError('not_found', m.ordering_not_found());
    if (!mayPayOnline(order)) throw orderNotPendingError(order);
    const shop = await services.menus.store(tx, order.store_id);
    const provider = shop?.store.card_provider;
    if (!provider) throw new AppError('payment_unavailable', m.payment_no_provider());
    const least = unmetCardMinimumOfStore(shop.store, order.fulfilment_type, order.total);
    if (least !== null) {
      const amount = formatMoney(least, shop.store.currency);
      throw invalidFieldError('payment_method', m.ordering_card_minimum({ amount }));
    }
    const open = await tx
      .selectFrom('payments')
      .selectAll()
      .where('order_id', '=', orderId)
      .where('status', '=', 'pending')
      .where('owed', 'is', null)
      .executeTakeFirst();
    if (open) return { order, payment: open, shop, isNew };
    const now = services.now();
    const maker = context.makerOf(provider);
    const payment = await tx
      .insertInto('payments')
      .values({
        id: randomUUIDv7(),
        order_id: orderId,
        ...maker,
        is_test: isTestOf(context, maker, shop),
        status: 'pending',
        amount: order.total,
        currency: shop.store.currency,
        // Money is held only for an order that the shop has not answered yet, and otherwise charged at once.
        is_held: isAwaitingPayment(order.status) && canHoldUntilAnswer(shop.store, now),
        created_at: now,
        updated_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    // The payment status of an accepted order stays `failed` until the order is paid.
    if (isAwaitingPayment(order.status) && order.payment_status !== 'unpaid') {
      await changeOrderMoney(tx, services.outbox, order, { payment_status: 'unpaid' });
    }
    return { order, payment, shop, isNew: true };
  });
}

/**
 * Asks the provider for the payment page. After a refusal, the payment gets another idempotency key, and its next page
 * expires later. Returns null after a refusal if an earlier call began the attempt. Its page may be refused because the
 * expiry is too near, so the caller retries at once.
 */
async function createCheckout(context: PaymentContext, attempt: Attempt): Promise<Checkout | null> {
  const { db, log, now } = context.services;
  const { order, payment } = attempt;
  try {
    return await requestPaymentPage(context, attempt);
  } catch (error) {
    log.error({ err: error, order: order.id }, 'the payment page could not be opened');
    if (error instanceof ProviderRefusal || error instanceof IdempotencyKeySpent) {
      await renewIdempotencyKey(db, payment, { updated_at: now() });
      if (!attempt.isNew) return null;
    }
    const isRefused = error instanceof ProviderRefusal || error instanceof ProviderKeysRefused;
    if (isRefused && payment.key_set !== null) {
      await recordRefusedPaymentPage(context.services, payment.key_set, order.id, error);
    }
    const isTooLittle = error instanceof ProviderRefusal && error.isTooLittle;
    throw new AppError('payment_unavailable', isTooLittle ? m.payment_too_little() : m.payment_unavailable());
  }
}
