import { randomUUIDv7 } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Tx } from '#database/schema.ts';
import { afterStep, nextSteps, type StepRefund } from '#payment/next-steps.ts';
import type { PaymentStep, ProviderPayment } from '#payment/payment-state.ts';
import type { LockedPayment } from '#payment/server/lock-payment.ts';
import { readMoneyFacts } from '#payment/server/read-balance.ts';

/** In the tests only: what the next steps would make of the refunds, to be compared with what was made of them. */
export async function shadowOf(
  tx: Tx,
  { order, payment, isLatest }: LockedPayment,
  { step, seen, settled }: { step: PaymentStep; seen: ProviderPayment; settled: string | undefined },
): Promise<(() => Promise<void>) | null> {
  if (process.env['VITEST'] === undefined) return null;
  const money = await readMoneyFacts(tx, order.id);
  const before = await read(tx, order.id);
  const isNew = !(step.status === payment.status && step.owed === payment.owed);
  const facts = { order, payment, isLatest, money, refunds: before };
  const { steps } = nextSteps(facts, { step, seen, settled, isNew }, randomUUIDv7);
  const planned = steps.reduce(afterStep, before);
  return async () => {
    const made = await read(tx, order.id);
    const told = (rows: StepRefund[]) =>
      rows.map(({ id, part_of, ...row }, n) => ({
        ...row,
        id: n < before.length ? id : n,
        part_of: rows.findIndex((one) => one.id === part_of),
      }));
    if (!isDeepStrictEqual(told(made), told(planned))) {
      throw new Error(
        `the next steps differ: ${JSON.stringify({ before, made: told(made), planned: told(planned), seen, step })}`,
      );
    }
  };
}

function read(tx: Tx, orderId: string): Promise<StepRefund[]> {
  return tx
    .selectFrom('refunds')
    .select(['id', 'payment_id', 'status', 'provider_refund', 'part_of', 'attempts', 'reason', 'actor', 'actor_id'])
    .select(['amount', 'tip', 'vat', 'lines', 'kind'])
    .where('order_id', '=', orderId)
    .orderBy('id')
    .execute();
}
