import { sql } from 'kysely';
import type { Tx } from '#database/schema.ts';
import type { ProviderBankEntry } from '#payment/server/bank-source.ts';
import { addMovements } from '#payment/server/journal/chains.ts';
import { Id } from '#platform/http/shapes.ts';
import type { Jobs } from '#database/jobs/jobs.ts';
import type { PaymentRow } from '#payment/server/owed-calls.ts';

/** The key set whose statement contains the entries, and the payout if the entries were read from a payout. */
export interface BankEntriesOrigin {
  keySet: string;
  payoutId: string | null;
}

const atOnce = 500;

/**
 * Stores entries of the provider's statement, each with the id of its payment; null: the entry belongs to no payment of
 * this shop. For an entry that is stored already, a missing payment is added and the payout is updated.
 */
export async function saveBankEntries(
  tx: Tx,
  { keySet, payoutId }: BankEntriesOrigin,
  entries: readonly ProviderBankEntry[],
  now: Date,
): Promise<void> {
  for (let start = 0; start < entries.length; start += atOnce) {
    const rows = entries.slice(start, start + atOnce).map((entry) => ({
      ...entry,
      // Another system that uses the account may write any text into the metadata.
      paymentId: Id.safeParse(entry.paymentId).data ?? null,
    }));
    await sql`
      insert into payment_bank_entries (id, key_set, payment_id, order_id, source, kind, amount, fee, net, currency,
        created_at, available_on, payout_id)
      select e.id, ${keySet}, p.id, p.order_id, e.source, e.kind, e.amount, e.fee, e.net, e.currency,
        e."createdAt", e."availableOn", ${payoutId}
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as e (id text, source text, kind text, amount int, fee int,
        net int, currency text, "createdAt" timestamptz, "availableOn" date, intent text, "paymentId" uuid)
      left join lateral (
        select id, order_id from payments
        where key_set is not null and (intent = e.intent or (id = e."paymentId" and coalesce(intent, e.intent) = e.intent))
        order by intent = e.intent desc nulls last limit 1
      ) p on true
      order by e.id
      on conflict (id) do update set
        payment_id = coalesce(payment_bank_entries.payment_id, excluded.payment_id),
        order_id = coalesce(payment_bank_entries.order_id, excluded.order_id),
        payout_id = coalesce(excluded.payout_id, payment_bank_entries.payout_id)`.execute(tx);
    await noteDisputed(
      tx,
      rows.map(({ id }) => id),
      now,
    );
  }
}

/** Adds the debits and credits of disputes to the journal, once for each entry. */
async function noteDisputed(tx: Tx, ids: readonly string[], now: Date): Promise<void> {
  const rows = await tx
    .selectFrom('payment_bank_entries as e')
    .innerJoin('payments as p', 'p.id', 'e.payment_id')
    .select(['e.id as object', 'e.kind', 'e.amount', 'p.id', 'p.order_id', 'e.currency'])
    .where('e.id', 'in', ids)
    .where('e.kind', 'in', ['dispute', 'dispute_won'])
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('payment_movements as m')
            .select('m.id')
            .whereRef('m.payment_id', '=', 'p.id')
            .whereRef('m.object', '=', 'e.id'),
        ),
      ),
    )
    .orderBy('e.created_at')
    .execute();
  for (const { object, kind, amount, ...payment } of rows) {
    const moved = { kind: kind === 'dispute' ? 'disputed' : 'dispute_won', amount: Math.abs(amount), object } as const;
    await addMovements(tx, payment, [moved], now);
  }
}

/** The queue whose jobs read a payment's entries from the provider's statement. */
export const bankEntriesQueue = 'payment.bank';
export type BankEntriesJob = { payment_id: string };

/**
 * Queues a job that reads a payment's statement entries, in the transaction that captures or refunds the payment or
 * records a dispute. The sandbox has no statement.
 */
export async function queueBankEntriesRead(tx: Tx, jobs: Jobs, { id, key_set }: Pick<PaymentRow, 'id' | 'key_set'>) {
  if (key_set !== null) await jobs.send<BankEntriesJob>(tx, bankEntriesQueue, { payment_id: id });
}
