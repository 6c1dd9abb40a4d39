import type { ProviderReadingFailure } from '#database/column-values.ts';
import { fetchAndSaveDispute, refreshDispute } from '#payment/server/bank/refresh-bank.ts';
import { readOpenDisputeIds } from '#payment/server/bank/sweep-bank.ts';
import type { PaymentContext } from '#payment/server/context.ts';
import { ProviderKeysRefused, type ProviderListPage, ProviderRefusal } from '#payment/server/provider.ts';
import { type EventReferences, reconcilePayment } from '#payment/server/reconcile.ts';
import {
  type DueProviderReading,
  scheduleNextReadingRound,
  recordReadingFailure,
  recordReadingProgress,
  leaseProviderReading,
} from '#payment/server/since-copy/provider-reads.ts';
import { saveUnknownPayments } from '#payment/server/since-copy/unknown-payments.ts';

/**
 * Asks each due account for every payment, refund and dispute since the backup. Payments of known orders are
 * reconciled; the others are stored for the owner. Nothing is changed at the provider.
 */
export async function fetchPaymentsSinceBackup(context: PaymentContext): Promise<void> {
  const { db, log, now } = context.services;
  for (;;) {
    const reading = await leaseProviderReading(db, now());
    if (!reading) return;
    try {
      await readAccount(context, reading);
      await scheduleNextReadingRound(db, reading.key_set, now());
    } catch (error) {
      log.warn(
        { err: error, keys: reading.key_set },
        'the payment provider could not say what it knows since the copy',
      );
      await recordReadingFailure(db, reading, failureOf(error), now());
    }
  }
}

function failureOf(error: unknown): { failure: ProviderReadingFailure; said: string | null } {
  if (error instanceof ProviderKeysRefused) return { failure: 'keys_refused', said: error.said };
  if (error instanceof ProviderRefusal) return { failure: 'refused', said: error.said };
  return { failure: 'unreachable', said: null };
}

async function readAccount(context: PaymentContext, reading: DueProviderReading): Promise<void> {
  const known: KnownPayments = new Map();
  await readPayments(context, reading, known);
  await readRefunds(context, reading, known);
  const failure = await reconcileOrders(context, reading, known);
  await readDisputes(context, reading);
  if (failure !== null) throw failure;
}

/**
 * Payments of this shop that the provider has listed, either as payments or as refunded payments. The outer keys are
 * order ids; the inner keys are payment ids. The values are a payment's references at the provider; empty if only a
 * refund was listed.
 */
type KnownPayments = Map<string, Map<string, string[]>>;

async function readPayments(context: PaymentContext, reading: DueProviderReading, known: KnownPayments): Promise<void> {
  const { db, now } = context.services;
  const { listPayments } = context.providerOf(reading);
  if (!listPayments) throw new ProviderRefusal('it cannot list payments');
  let seenAt = now();
  for await (const listed of pages((after) => listPayments(reading.since, after))) {
    if (listed.length === 0) continue;
    const rows = await db
      .selectFrom('payments')
      .select(['id', 'order_id'])
      .where(
        'id',
        'in',
        listed.map(({ paymentId }) => paymentId),
      )
      .execute();
    for (const { paymentId, reference } of listed) {
      const row = rows.find(({ id }) => id === paymentId);
      if (row) add(known, row, [reference]);
    }
    const unknown = listed.filter(({ paymentId }) => !rows.some(({ id }) => id === paymentId));
    await saveUnknownPayments(db, reading.key_set, unknown, seenAt);
    await recordReadingProgress(db, reading.key_set, { payments: listed.length }, now());
    seenAt = now();
  }
}

/** Reads refunds that were made after the backup for payments from before the backup. */
async function readRefunds(context: PaymentContext, reading: DueProviderReading, known: KnownPayments): Promise<void> {
  const { db, now } = context.services;
  const { listRefunded } = context.providerOf(reading);
  if (!listRefunded) return;
  for await (const intents of pages((after) => listRefunded(reading.since, after))) {
    if (intents.length > 0) {
      const rows = await db
        .selectFrom('payments')
        .select(['id', 'order_id'])
        .where('key_set', '=', reading.key_set)
        .where('intent', 'in', intents)
        .execute();
      for (const row of rows) add(known, row, []);
    }
    await recordReadingProgress(db, reading.key_set, {}, now());
  }
}

function add(known: KnownPayments, { id, order_id }: { id: string; order_id: string }, references: string[]): void {
  const payments = known.get(order_id) ?? new Map<string, string[]>();
  payments.set(id, [...(payments.get(id) ?? []), ...references]);
  known.set(order_id, payments);
}

/**
 * Reconciles the orders of `known` payments and of unfinished payments. A failure for one order does not stop the
 * others; the first failure is returned.
 */
async function reconcileOrders(
  context: PaymentContext,
  { key_set: keySet }: DueProviderReading,
  known: KnownPayments,
): Promise<unknown> {
  const { db, now } = context.services;
  const unfinished = await db
    .selectFrom('payments')
    .select('order_id')
    .distinct()
    .where('key_set', '=', keySet)
    .where((eb) => eb.or([eb('status', 'in', ['pending', 'authorised']), eb('owed', 'is not', null)]))
    .execute();
  let failure: unknown = null;
  for (const orderId of new Set([...known.keys(), ...unfinished.map(({ order_id }) => order_id)])) {
    const named: EventReferences = known.get(orderId) ?? new Map();
    await reconcilePayment(context, orderId, { named }).catch((error: unknown) => (failure ??= error));
    await recordReadingProgress(db, keySet, { orders: 1 }, now());
  }
  return failure;
}

/**
 * Stores disputes of known payments as usual. For a payment without an order, only the dispute's status is stored,
 * because it prevents a refund.
 */
async function readDisputes(context: PaymentContext, { key_set: keySet, since }: DueProviderReading): Promise<void> {
  const { db, now } = context.services;
  const seenAt = now();
  const opened = await context.bankOf(keySet).listDisputes(since);
  for (const dispute of opened) {
    if (await fetchAndSaveDispute(context, { keySet, dispute, seenAt })) continue;
    if (dispute.intent === null) continue;
    await db
      .updateTable('unknown_payments')
      .set({ dispute_status: dispute.status })
      .where('intent', '=', dispute.intent)
      .execute();
  }
  const read = new Set(opened.map(({ id }) => id));
  for (const id of await readOpenDisputeIds(context, { id: keySet }, seenAt))
    if (!read.has(id)) await refreshDispute(context, keySet, id);
}

async function* pages<T>(list: (after: string | null) => Promise<ProviderListPage<T>>): AsyncGenerator<T[]> {
  let after: string | null = null;
  do {
    const page: ProviderListPage<T> = await list(after);
    yield page.rows;
    after = page.next;
  } while (after !== null);
}
