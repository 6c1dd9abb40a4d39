import { sql } from 'kysely';
import type { PaymentContext } from '#payment/server/context.ts';
import { isUnheard } from '#payment/server/keys/watch-keys.ts';
import { reconcilePayment } from '#payment/server/reconcile.ts';
import { takeDueRefunds } from '#payment/server/ledger.ts';
import { settleOwed, settleRefund } from '#payment/server/settle.ts';

const batch = 20;

/** Checks due payments and refunds, because messages and jobs may be lost. Returns the number of checks. */
export async function sweepPayments(context: PaymentContext): Promise<number> {
  const { services } = context;
  let taken = 0;
  for (;;) {
    const due = await takeDue(context);
    taken += due.length;
    for (const payment of due) {
      try {
        if (payment.owed) await settleOwed(context, payment.id);
        else await reconcilePayment(context, payment.order_id);
      } catch (error) {
        services.log.warn({ err: error, payment: payment.id }, 'a payment was not settled; it will be tried again');
      }
    }
    if (due.length < batch) return taken + (await sweepRefunds(context));
  }
}

async function sweepRefunds(context: PaymentContext): Promise<number> {
  const { services } = context;
  const due = await takeDueRefunds(services.db, services.now(), batch);
  for (const id of due) {
    await settleRefund(context, id).catch((error: unknown) =>
      services.log.warn({ err: error, refund: id }, 'a refund was not made; it will be tried again'),
    );
  }
  return due.length;
}

async function takeDue({ services }: PaymentContext): Promise<{ id: string; order_id: string; owed: string | null }[]> {
  const now = services.now();
  const { rows } = await sql<{ id: string; order_id: string; owed: string | null }>`
    update payments
    set check_at = ${now}::timestamptz + least(interval '5 minutes', case
      when ${isUnheard} then greatest(interval '4 seconds', (${now}::timestamptz - updated_at) / 20)
      else greatest(interval '20 seconds', (${now}::timestamptz - updated_at) / 2) end)
    where id in (
      select id from payments where check_at <= ${now} order by check_at limit ${batch} for update skip locked
    )
    returning id, order_id, owed`.execute(services.db);
  return rows;
}
