import type { Jobs } from '#database/jobs/jobs.ts';
import type { Tx } from '#database/schema.ts';
import { type ForgetJob, forgetQueue } from '#payment/server/owed.ts';

/** How a person is removed at the card providers, which keep their saved cards: by jobs, after the commit. */
export function eraseKeptCards(jobs: Jobs) {
  return {
    /** Nothing of it must be kept: an open order is refused by the orders themselves. */
    async refuse(): Promise<void> {},
    async erase(tx: Tx, { id }: { id: string }): Promise<void> {
      const customers = await tx
        .deleteFrom('payment_customers')
        .where('user_id', '=', id)
        .returning(['key_set', 'customer'])
        .execute();
      for (const customer of customers) await jobs.send<ForgetJob>(tx, forgetQueue, customer);
    },
  };
}
