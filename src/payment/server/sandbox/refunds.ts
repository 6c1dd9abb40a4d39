import type { Selectable } from 'kysely';
import type { Db, SandboxPaymentsTable } from '#database/schema.ts';
import { inTransaction } from '#database/transaction.ts';
import type { ProviderPayment } from '#payment/payment-state.ts';
import { ProviderRefusal } from '#payment/server/provider.ts';

export interface SandboxRefundRequest {
  reference: string;
  key: string;
  /** The amount to refund, in minor units; undefined: all that is left. */
  amount: number | undefined;
  now: Date;
}

/**
 * Refunds money, once per key. Throws ProviderRefusal if `amount` exceeds the unrefunded rest, if nothing was captured,
 * or if the key belongs to another refund. Also throws it if the payer chose that refunds fail.
 */
export async function refundSandboxPayment(
  db: Db,
  { reference, key, amount, now }: SandboxRefundRequest,
): Promise<ProviderPayment> {
  return inTransaction(db, async (tx) => {
    const payment = await tx
      .selectFrom('sandbox_payments')
      .selectAll()
      .where('reference', '=', reference)
      .forUpdate()
      .executeTakeFirst();
    if (!payment) throw new ProviderRefusal('there is no such payment');
    const made = await tx
      .selectFrom('sandbox_refunds')
      .selectAll()
      .where('idempotency_key', '=', key)
      .executeTakeFirst();
    if (made) {
      const isSame = made.reference === reference && (amount === undefined || made.amount === amount);
      if (!isSame) throw new ProviderRefusal('this key was used for another refund');
      return toProviderPayment(payment);
    }
    if (payment.state === 'refunded' && amount === undefined) return toProviderPayment(payment);
    if (payment.state !== 'captured')
      throw new ProviderRefusal(`a payment that is ${payment.state} has nothing to refund`);
    if (payment.refuses === 'refund') throw new ProviderRefusal('the bank does not take it back');
    const left = (payment.captured ?? payment.amount) - payment.refunded;
    const part = amount ?? left;
    if (part > left) throw new ProviderRefusal(`only ${left} of it are not refunded yet`);
    await tx
      .insertInto('sandbox_refunds')
      .values({ idempotency_key: key, reference, amount: part, created_at: now })
      .execute();
    const after = await tx
      .updateTable('sandbox_payments')
      .set({ refunded: payment.refunded + part, ...(part === left && { state: 'refunded' as const }) })
      .where('reference', '=', reference)
      .returningAll()
      .executeTakeFirstOrThrow();
    return toProviderPayment(after);
  });
}

export function toProviderPayment(payment: Selectable<SandboxPaymentsTable>): ProviderPayment {
  const { state, amount, currency, captured, refunded } = payment;
  return { state, amount, currency, refunded, ...(captured !== null && { captured }) };
}

/** On the sandbox's page the payer can choose that one of these later calls will be refused. */
export const sandboxRefusals = ['capture', 'refund'] as const;
export type SandboxRefusal = (typeof sandboxRefusals)[number];
