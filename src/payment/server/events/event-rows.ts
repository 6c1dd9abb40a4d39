import { type Selectable, sql } from 'kysely';
import type { Db, PaymentEventsTable } from '#database/schema.ts';
import type { CardProviderName } from '#database/column-types.ts';
import type { ProviderEvent } from '#payment/server/provider.ts';
import { Id } from '#platform/http/shapes.ts';
import type { PaymentContext } from '#payment/server/context.ts';
import type { PaymentRow } from '#payment/server/owed-calls.ts';

export const eventColumns = [
  'provider',
  'id',
  'key_set',
  'type',
  'object',
  'reference',
  'payment_id',
  'tries',
  'received_at',
] as const;
export type PaymentEventRow = Pick<Selectable<PaymentEventsTable>, (typeof eventColumns)[number]>;

/** An event with a valid signature, its signer, and the time at which it arrived. */
export interface VerifiedEvent {
  provider: CardProviderName;
  keySet: string | null;
  event: ProviderEvent;
  receivedAt: Date;
}

export async function insertEvents(db: Db, signed: readonly VerifiedEvent[]): Promise<void> {
  await sql`
    insert into payment_events (
      provider, id, key_set, type, object, account, mode, amount, currency, at, payment_id, reference, received_at, check_at
    )
    select provider, id, key_set, type, object, account, mode, amount, currency, at, payment_id, reference, received_at,
      received_at
    from jsonb_to_recordset(${JSON.stringify(signed.map(rowOf))}::jsonb) as message (
      provider text, id text, key_set text, type text, object text, account text, mode text, amount int, currency text,
      at timestamptz, payment_id uuid, reference text, received_at timestamptz
    )
    on conflict do nothing`.execute(db);
}

function rowOf({ provider, keySet, event, receivedAt }: VerifiedEvent) {
  const { paymentId, ...said } = event;
  // If another system made the payment, its metadata may contain any text.
  const payment_id = Id.safeParse(paymentId).data ?? null;
  return { ...said, provider, key_set: keySet, payment_id, received_at: receivedAt };
}

/**
 * Handles the events whose type begins with one of `types`. Events without such a handler are handled as events about
 * payments.
 */
export interface PaymentEventHandler {
  types: readonly string[];
  /**
   * Handles an event, which may arrive late, twice or out of order. `unknown`: nothing of this shop matches the event,
   * or its payment is not committed yet. After `unknown` or an error the event is handled again, with backoff.
   */
  handle(context: PaymentContext, event: PaymentEventRow): Promise<'applied' | 'unknown'>;
}

export function findEventHandler(
  { type }: Pick<PaymentEventRow, 'type'>,
  handlers: readonly PaymentEventHandler[],
): PaymentEventHandler | null {
  return handlers.find(({ types }) => types.some((start) => type?.startsWith(start))) ?? null;
}

export type EventPayment = Pick<PaymentRow, 'id' | 'order_id'>;

/** Finds the payment of each event; null: the payment is not of this shop, or is not committed yet. */
export async function findPaymentsOfEvents(
  db: Db,
  events: readonly PaymentEventRow[],
): Promise<Map<PaymentEventRow, EventPayment | null>> {
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
      // An event of one account about another account's payment is ignored.
      const own = known.filter(({ provider, key_set }) => provider === event.provider && key_set === event.key_set);
      const isNamed = ({ reference, intent }: (typeof own)[number]) =>
        event.reference !== null && (reference === event.reference || intent === event.reference);
      return [event, own.find(isNamed) ?? own.find(({ id }) => id === event.payment_id) ?? null];
    }),
  );
}
