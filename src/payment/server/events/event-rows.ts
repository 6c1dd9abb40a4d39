import { type Selectable, sql } from 'kysely';
import type { Db, PaymentEventsTable } from '#database/schema.ts';
import type { ProviderName } from '#database/column-types.ts';
import type { ProviderEvent } from '#payment/server/provider.ts';
import { Id } from '#platform/http/shapes.ts';

/** The columns of a message that its handlers need. */
export const handledColumns = [
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
export type PaymentEventRow = Pick<Selectable<PaymentEventsTable>, (typeof handledColumns)[number]>;

/** A message whose signature was right: who signed it, and when it came. */
export interface SignedEvent {
  provider: ProviderName;
  keySet: string | null;
  event: ProviderEvent;
  receivedAt: Date;
}

/** Stores messages that are not known yet, to be handled at once. */
export async function insertEvents(db: Db, signed: readonly SignedEvent[]): Promise<void> {
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

function rowOf({ provider, keySet, event, receivedAt }: SignedEvent) {
  const { paymentId, ...said } = event;
  // The metadata of a payment that another system made may hold anything.
  const payment_id = Id.safeParse(paymentId).data ?? null;
  return { ...said, provider, key_set: keySet, payment_id, received_at: receivedAt };
}
