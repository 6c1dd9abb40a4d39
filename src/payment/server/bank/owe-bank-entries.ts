import type { Jobs } from '#database/jobs/jobs.ts';
import type { Tx } from '#database/schema.ts';
import type { PaymentRow } from '#payment/server/lock-payment.ts';

/** The queue whose jobs read a payment's entries of the provider's statement. */
export const bankQueue = 'payment.bank';
export type BankJob = { payment_id: string };

/**
 * Adds the reading of a payment's statement entries, in the transaction that captures or refunds it, or learns of a
 * dispute. The sandbox has no statement.
 */
export async function oweBankEntries(tx: Tx, jobs: Jobs, { id, key_set }: Pick<PaymentRow, 'id' | 'key_set'>) {
  if (key_set !== null) await jobs.send<BankJob>(tx, bankQueue, { payment_id: id });
}
