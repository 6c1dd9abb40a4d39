import type { PaymentMode } from '#database/column-values.ts';
import type { Db } from '#database/schema.ts';
import type { PaymentContext } from '#payment/server/context.ts';
import { sweepBank } from '#payment/server/bank/sweep-bank.ts';
import { createTestBank, type TestBank } from '#payment/testing/bank.ts';
import { openCardBench, type CardBench } from '#payment/testing/card-bench.ts';

/** The card bench with one key set, and the statement of its account. */
export interface BankBench extends CardBench {
  bank: TestBank;
  /** What the workers of this domain get. */
  context: PaymentContext;
  /** One round of the daily reading, and of the reminders. */
  sweepBank(): Promise<void>;
  /** An order that was paid by that account and accepted; `intent` is the provider's id of the money. */
  sold(intent: string): Promise<{ id: string; paymentId: string }>;
}

export const keySet = 'set_1';

export async function openBankBench(): Promise<BankBench> {
  const bank = createTestBank();
  const bench = await openCardBench({ banks: new Map([[keySet, bank]]) });
  await insertKeySet(bench.db, keySet, bench.clock.now);
  const unused = () => {
    throw new Error('the statement is read without a provider');
  };
  const context: PaymentContext = {
    services: bench.services,
    providerOf: unused,
    signersOf: unused,
    makerOf: unused,
    bankOf: () => bank,
  };
  return {
    ...bench,
    bank,
    context,
    sweepBank: () => sweepBank(context),
    async sold(intent) {
      const { id } = await bench.placed();
      const { id: paymentId } = await bench.db
        .updateTable('payments')
        .set({ key_set: keySet, intent })
        .where('order_id', '=', id)
        .returning('id')
        .executeTakeFirstOrThrow();
      await bench.move(id, 'accept');
      await bench.jobs.run();
      return { id, paymentId };
    },
  };
}

export async function insertKeySet(db: Db, id: string, at: Date, mode: PaymentMode = 'test'): Promise<void> {
  await db
    .insertInto('payment_key_sets')
    .values({
      id,
      provider: 'stripe',
      source: 'typed',
      mode,
      account: 'acct_1',
      key_hint: 'abcd',
      key_hash: Buffer.from(id),
      created_at: at,
    })
    .execute();
}
