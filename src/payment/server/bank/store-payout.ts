import type { Tx } from '#database/schema.ts';
import type { BankEntry, Payout } from '#payment/server/bank-source.ts';
import type { PayoutRow } from '#payment/server/bank/rows.ts';
import { storeEntries } from '#payment/server/bank/store-entries.ts';

/** Stores a payout as the provider said at `seenAt`; an earlier answer that arrives later changes nothing. */
export async function storePayout(tx: Tx, keySet: string, payout: Payout, seenAt: Date): Promise<PayoutRow> {
  const { id, amount, currency, status, failure } = payout;
  const said = { amount, currency, status, failure, arrives_on: payout.arrivesOn, seen_at: seenAt };
  await tx
    .insertInto('payment_payouts')
    .values({ id, key_set: keySet, ...said, is_automatic: payout.isAutomatic, created_at: payout.createdAt })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(said).where('payment_payouts.seen_at', '<=', seenAt))
    .execute();
  return tx.selectFrom('payment_payouts').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

/** Stores all that is in a payout; the payout is stored before. */
export async function storeContent(
  tx: Tx,
  { id, key_set }: Pick<PayoutRow, 'id' | 'key_set'>,
  entries: readonly BankEntry[],
  now: Date,
): Promise<void> {
  await storeEntries(tx, { keySet: key_set, payoutId: id }, entries, now);
  await tx.updateTable('payment_payouts').set({ synced_at: now }).where('id', '=', id).execute();
}
