import type { Db } from '#database/schema.ts';
import type { PaymentEventRow } from '#payment/server/events/event-rows.ts';
import type { PaymentRow } from '#payment/server/lock-payment.ts';

export type NamedPayment = Pick<PaymentRow, 'id' | 'order_id'>;

/** The payment of this shop that each message is about; null where there is none, or none yet. */
export async function findPayments(
  db: Db,
  events: readonly PaymentEventRow[],
): Promise<Map<PaymentEventRow, NamedPayment | null>> {
  const references = [...new Set(events.flatMap(({ reference }) => reference ?? []))];
  const ids = [...new Set(events.flatMap(({ payment_id }) => payment_id ?? []))];
  const known =
    references.length + ids.length === 0
      ? []
      : await db
          .selectFrom('payments')
          .select(['id', 'order_id', 'provider', 'key_set', 'reference', 'intent'])
          .where((eb) =>
            eb.or([
              eb('reference', '=', eb.fn.any(eb.val(references))),
              eb('intent', '=', eb.fn.any(eb.val(references))),
              eb('id', '=', eb.fn.any(eb.val(ids))),
            ]),
          )
          .execute();
  return new Map(
    events.map((event) => {
      // A message of one account about another account's payment is ignored.
      const own = known.filter(({ provider, key_set }) => provider === event.provider && key_set === event.key_set);
      const isNamed = ({ reference, intent }: (typeof own)[number]) =>
        event.reference !== null && (reference === event.reference || intent === event.reference);
      return [event, own.find(isNamed) ?? own.find(({ id }) => id === event.payment_id) ?? null];
    }),
  );
}
