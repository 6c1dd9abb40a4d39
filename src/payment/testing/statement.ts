import { randomUUIDv7 } from 'node:crypto';
import type { Db } from '#database/schema.ts';
import { inTransaction } from '#database/transaction.ts';
import type { DisputeStatus } from '#payment/bank.ts';
import { isDisputeClosed } from '#payment/bank-rules.ts';
import type { ProviderBankEntry, ProviderPayout } from '#payment/server/bank-source.ts';
import { saveBankEntries } from '#payment/server/bank/save-entries.ts';
import { savePayoutEntries, savePayout } from '#payment/server/bank/refresh-bank.ts';

/** A captured payment of an order, made with a key set, or by the sandbox without one. Returns its id. */
export async function writePayment(
  db: Db,
  { orderId, keySet, intent, amount }: { orderId: string; keySet: string | null; intent: string; amount: number },
): Promise<string> {
  const at = new Date('2026-11-21T18:05:00Z');
  const row = await db
    .insertInto('payments')
    .values({
      id: randomUUIDv7(),
      order_id: orderId,
      provider: keySet === null ? 'sandbox' : 'stripe',
      status: 'captured',
      amount,
      currency: 'GBP',
      reference: `cs_${intent}`,
      redirect_url: null,
      failure: null,
      key_set: keySet,
      intent,
      captured: amount,
      owed: null,
      check_at: null,
      created_at: at,
      updated_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

/**
 * What the daily reading of an account stores: loose entries, and payouts with theirs, or without where nothing is
 * known.
 */
export async function writeStatement(
  db: Db,
  keySet: string,
  {
    entries = [],
    payouts = [],
  }: { entries?: ProviderBankEntry[]; payouts?: { payout: ProviderPayout; entries: ProviderBankEntry[] | null }[] },
): Promise<void> {
  const at = new Date('2026-11-26T05:00:00Z');
  await inTransaction(db, async (tx) => {
    await saveBankEntries(tx, { keySet, payoutId: null }, entries, at);
    for (const { payout, entries: content } of payouts) {
      const row = await savePayout(tx, keySet, payout, at);
      if (content) await savePayoutEntries(tx, row, content, at);
    }
  });
}

/**
 * A dispute of £12.50 that waits for an answer; what a test does not say is as for a payer who did not make the
 * payment.
 */
export async function writeDispute(
  db: Db,
  {
    respondBy = null,
    status = 'needs_response',
    at = new Date('2026-11-22T10:00:00Z'),
    ...dispute
  }: {
    id: string;
    keySet: string;
    paymentId: string;
    orderId: string;
    storeId: string;
    status?: DisputeStatus;
    at?: Date;
    respondBy?: Date | null;
  },
): Promise<void> {
  await db
    .insertInto('payment_disputes')
    .values({
      id: dispute.id,
      key_set: dispute.keySet,
      payment_id: dispute.paymentId,
      order_id: dispute.orderId,
      store_id: dispute.storeId,
      amount: 1250,
      currency: 'GBP',
      reason: 'fraudulent',
      status,
      respond_by: respondBy,
      created_at: at,
      closed_at: isDisputeClosed(status) ? at : null,
      seen_at: at,
    })
    .execute();
}
