import type { Db } from '#database/schema.ts';
import { type OrderEvent, orderEvent } from '#database/order-event.ts';

/** Payments of an order, their movements, and the provider's messages. */
export async function paymentsOf(db: Db, id: string, money: (amount: number) => string): Promise<OrderEvent[]> {
  const payments = await db.selectFrom('payments').selectAll().where('order_id', '=', id).execute();
  const moved = await db.selectFrom('payment_movements').selectAll().where('order_id', '=', id).execute();
  const told =
    payments.length === 0
      ? []
      : await db
          .selectFrom('payment_events')
          .selectAll()
          .where(
            'payment_id',
            'in',
            payments.map((payment) => payment.id),
          )
          .execute();
  return [
    ...payments.flatMap(({ created_at, updated_at, provider, amount, status, reference, failure, owed }) => [
      orderEvent('payment', created_at, `${money(amount)} asked at ${provider}`, reference),
      orderEvent(
        'payment',
        updated_at,
        `${status} at ${provider}`,
        failure && `(${JSON.stringify(failure)})`,
        owed && `${owed} is owed`,
      ),
    ]),
    ...moved.map(({ at, kind, amount, object }) =>
      orderEvent('payment', at, kind.replaceAll('_', ' '), money(amount), object),
    ),
    ...told.map(({ received_at: at, type, id: name, outcome, tries }) =>
      orderEvent(
        'payment',
        at,
        `message ${type ?? name}`,
        outcome ?? 'not handled yet',
        tries > 1 && `after ${tries} tries`,
      ),
    ),
  ];
}

/** The refunds of an order, due ones too. */
export async function refundsOf(db: Db, id: string, money: (amount: number) => string): Promise<OrderEvent[]> {
  const rows = await db.selectFrom('refunds').selectAll().where('order_id', '=', id).execute();
  return rows.map(({ created_at: at, amount, kind, status, actor, provider_refund: there }) =>
    orderEvent('refund', at, money(amount), kind.replaceAll('_', ' '), status, actor && `by ${actor}`, there),
  );
}
