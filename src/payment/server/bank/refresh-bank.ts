import { inTransaction, changeWithEffects } from '#database/transaction.ts';
import type { ProviderBankEntry, BankSource, ProviderDispute, ProviderPayout } from '#payment/server/bank-source.ts';
import { saveDispute } from '#payment/server/bank/save-dispute.ts';
import { saveBankEntries } from '#payment/server/bank/save-entries.ts';
import type { ProviderPayment } from '#payment/payment-state.ts';
import type { PaymentContext } from '#payment/server/context.ts';
import type { PaymentRow } from '#payment/server/owed-calls.ts';
import type { Tx } from '#database/schema.ts';
import type { PayoutRow } from '#payment/server/bank/read-disputes.ts';

/**
 * Reads a payment's statement entries from the provider, and stores them. Throws if there are none yet, so that the job
 * is retried.
 */
export async function refreshPaymentBankEntries(context: PaymentContext, paymentId: string): Promise<void> {
  const { db } = context.services;
  const payment = await db.selectFrom('payments').selectAll().where('id', '=', paymentId).executeTakeFirst();
  if (!payment?.key_set || payment.intent === null) return;
  const { id, intent, key_set: keySet } = payment;
  const entries = await context.bankOf(keySet).entriesOf({ id, intent });
  if (entries.length === 0) throw new Error(`payment ${id} is not on the provider's statement yet`);
  await inTransaction(db, (tx) => saveBankEntries(tx, { keySet, payoutId: null }, entries, context.services.now()));
}

/** Reads and stores a payout, and its entries once the provider reports that they are complete. */
export async function refreshPayout(context: PaymentContext, keySet: string, id: string): Promise<void> {
  const bank = context.bankOf(keySet);
  const seenAt = context.services.now();
  await savePayoutWithEntries(context, { bank, keySet, payout: await bank.payout(id), seenAt });
}

/** Reads and stores one dispute; returns false if it is about no payment of this shop. */
export async function refreshDispute(context: PaymentContext, keySet: string, id: string): Promise<boolean> {
  const seenAt = context.services.now();
  return fetchAndSaveDispute(context, { keySet, dispute: await context.bankOf(keySet).dispute(id), seenAt });
}

interface Found {
  keySet: string;
  seenAt: Date;
}

/**
 * Reads every dispute of a payment, because a dispute may be the reason why the provider refuses a refund. `seen`: the
 * provider's payment, which may have the intent before the payment's row has it.
 */
export async function refreshPaymentDisputes(
  context: PaymentContext,
  { key_set: keySet, ...payment }: Pick<PaymentRow, 'key_set' | 'intent'>,
  seen: Pick<ProviderPayment, 'intent'>,
): Promise<void> {
  const intent = seen.intent ?? payment.intent;
  if (keySet === null || intent === null) return;
  const seenAt = context.services.now();
  const disputes = await context.bankOf(keySet).disputesOf(intent);
  for (const dispute of disputes) await fetchAndSaveDispute(context, { keySet, dispute, seenAt });
}

export async function savePayoutWithEntries(
  { services }: PaymentContext,
  { bank, keySet, payout, seenAt }: Found & { bank: BankSource; payout: ProviderPayout },
): Promise<void> {
  const { db, now } = services;
  const row = await inTransaction(db, (tx) => savePayout(tx, keySet, payout, seenAt));
  if (!payout.hasEntries || row.synced_at !== null) return;
  const entries = await bank.listEntries(payout.id);
  await inTransaction(db, (tx) => savePayoutEntries(tx, row, entries, now()));
}

export async function fetchAndSaveDispute(
  { services }: PaymentContext,
  { keySet, dispute, seenAt }: Found & { dispute: ProviderDispute },
): Promise<boolean> {
  return changeWithEffects(services, async (tx, afterCommit) => {
    afterCommit(services.outbox.wake);
    return saveDispute(tx, services, { keySet, dispute, seenAt });
  });
}

/** Stores a payout as the provider reported it at `seenAt`; an older report changes nothing. */
export async function savePayout(tx: Tx, keySet: string, payout: ProviderPayout, seenAt: Date): Promise<PayoutRow> {
  const { id, amount, currency, status, failure } = payout;
  const said = { amount, currency, status, failure, arrives_on: payout.arrivesOn, seen_at: seenAt };
  await tx
    .insertInto('payment_payouts')
    .values({ id, key_set: keySet, ...said, is_automatic: payout.isAutomatic, created_at: payout.createdAt })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(said).where('payment_payouts.seen_at', '<=', seenAt))
    .execute();
  return tx.selectFrom('payment_payouts').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

export async function savePayoutEntries(
  tx: Tx,
  { id, key_set }: Pick<PayoutRow, 'id' | 'key_set'>,
  entries: readonly ProviderBankEntry[],
  now: Date,
): Promise<void> {
  await saveBankEntries(tx, { keySet: key_set, payoutId: id }, entries, now);
  await tx.updateTable('payment_payouts').set({ synced_at: now }).where('id', '=', id).execute();
}
