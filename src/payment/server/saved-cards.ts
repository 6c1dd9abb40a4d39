import type { Jobs } from '#database/jobs/jobs.ts';
import type { Tx } from '#database/schema.ts';

/** The queue whose jobs delete a customer, and their saved cards, at the provider. */
export const forgetCustomerQueue = 'payment.forget_customer';
export type ForgetCustomerJob = { key_set: string; customer: string };

/** Erases a person at the card providers, which store their saved cards. Jobs call the providers after the commit. */
export function createSavedCardsEraser(jobs: Jobs) {
  return {
    /** Saved cards never prevent the erasure of a person. Open orders do, which the ordering domain checks. */
    async refuse(): Promise<void> {},
    async erase(tx: Tx, { id }: { id: string }): Promise<void> {
      const customers = await tx
        .deleteFrom('payment_customers')
        .where('user_id', '=', id)
        .returning(['key_set', 'customer'])
        .execute();
      for (const customer of customers) await jobs.send<ForgetCustomerJob>(tx, forgetCustomerQueue, customer);
    },
  };
}
