import { sql } from 'kysely';
import { inTransaction } from '#database/transaction.ts';
import { remindOfDisputes } from '#payment/server/bank/save-dispute.ts';
import { saveBankEntries } from '#payment/server/bank/save-entries.ts';
import {
  fetchAndSaveDispute,
  savePayoutWithEntries,
  refreshDispute,
  refreshPayout,
} from '#payment/server/bank/refresh-bank.ts';
import type { PaymentContext } from '#payment/server/context.ts';
import { reconcilePayment } from '#payment/server/reconcile.ts';

const hour = 60 * 60_000;
const day = 24 * hour;
/** The longest delay, in milliseconds, with which an entry appears on the statement. */
const settlementLag = 2 * day;
/**
 * The first read of an account covers the entries from this many milliseconds before the key set was created; no
 * payment is older.
 */
const firstReadMargin = 2 * day;
const payoutReturnWindow = 14 * day;
const appealWindow = 60 * day;
const betweenReads = day;
const betweenTries = hour;

export const isBankSweepDueSql = (at: Date) => sql<boolean>`
  exists (select from payment_key_sets where ${isDue(at)})
  or exists (select from payment_disputes where remind_at <= ${at})`;

/**
 * Reads the statement of each account once a day, because webhooks may be lost, and sends reminders of disputes. Each
 * key set is leased by one instance; if that instance fails or stops, another one retries in an hour.
 */
export async function sweepBank(context: PaymentContext): Promise<void> {
  const { db, log, now } = context.services;
  await inTransaction(db, (tx) => remindOfDisputes(tx, context.services));
  for (;;) {
    const at = now();
    const set = await takeDue(context, at);
    if (!set) return;
    try {
      await readStatement(context, set, at);
      await db
        .updateTable('payment_key_sets')
        .set({ bank_read_at: at, bank_check_at: new Date(at.getTime() + betweenReads) })
        .where('id', '=', set.id)
        .execute();
    } catch (error) {
      log.warn({ err: error, keys: set.id }, 'the statement of the payment provider could not be read');
    }
  }
}

/** Whether the statement of a key set is due to be read. An ended set is never due, because its keys are deleted. */
function isDue(at: Date) {
  return sql<boolean>`ended_at is null and coalesce(bank_check_at, created_at) <= ${at}`;
}

interface DueSet {
  id: string;
  created_at: Date;
  bank_read_at: Date | null;
}

async function takeDue({ services }: PaymentContext, at: Date): Promise<DueSet | undefined> {
  const { rows } = await sql<DueSet>`
    update payment_key_sets set bank_check_at = ${new Date(at.getTime() + betweenTries)}
    where id = (
      select id from payment_key_sets where ${isDue(at)} order by id limit 1 for update skip locked
    )
    returning id, created_at, bank_read_at`.execute(services.db);
  return rows[0];
}

async function readStatement(context: PaymentContext, set: DueSet, seenAt: Date): Promise<void> {
  const bank = context.bankOf(set.id);
  const keySet = set.id;
  const since = set.bank_read_at
    ? new Date(set.bank_read_at.getTime() - settlementLag)
    : new Date(set.created_at.getTime() - firstReadMargin);
  const entries = await bank.entriesSince(since);
  await inTransaction(context.services.db, (tx) => saveBankEntries(tx, { keySet, payoutId: null }, entries, seenAt));
  const payouts = await bank.listPayouts(since);
  for (const payout of payouts) await savePayoutWithEntries(context, { bank, keySet, payout, seenAt });
  const disputes = await bank.listDisputes(since);
  for (const dispute of disputes) await fetchAndSaveDispute(context, { keySet, dispute, seenAt });
  const read = new Set([...payouts, ...disputes].map(({ id }) => id));
  for (const id of await openPayouts(context, set, seenAt)) if (!read.has(id)) await refreshPayout(context, keySet, id);
  for (const id of await readOpenDisputeIds(context, set, seenAt))
    if (!read.has(id)) await refreshDispute(context, keySet, id);
  await reconcileMissedRefunds(context, set, since);
}

/** Reconciles the orders whose refund webhooks were lost. A failure for one order does not stop the others. */
async function reconcileMissedRefunds(context: PaymentContext, set: DueSet, since: Date): Promise<void> {
  for (const id of await unheardOf(context, set, since)) {
    await reconcilePayment(context, id, { isWhole: true }).catch((error: unknown) =>
      context.services.log.warn(
        { err: error, order: id },
        'a refund of the statement could not be applied to its order',
      ),
    );
  }
}

/**
 * Finds refunds, and returns of refunds, that the journal lacks because their webhooks were lost. Returns the ids of
 * their orders.
 */
async function unheardOf({ services }: PaymentContext, { id }: DueSet, since: Date): Promise<string[]> {
  const { rows } = await sql<{ order_id: string }>`
    select distinct order_id from payment_bank_entries e
    where key_set = ${id} and order_id is not null and created_at >= ${since} and kind in ('refund', 'refund_failed')
      and not exists (
        select from payment_movements m
        where m.payment_id = e.payment_id and m.object = e.source
          and m.kind = case e.kind when 'refund' then 'refunded' else 'refund_failed' end
      )`.execute(services.db);
  return rows.map(({ order_id }) => order_id);
}

/**
 * The payouts that may still change: unpaid payouts, recent payouts that the bank may return, and automatic payouts
 * whose entries were not read yet.
 */
async function openPayouts({ services }: PaymentContext, { id }: DueSet, at: Date): Promise<string[]> {
  const rows = await services.db
    .selectFrom('payment_payouts')
    .select('id')
    .where('key_set', '=', id)
    .where((eb) =>
      eb.or([
        eb('status', 'in', ['pending', 'in_transit']),
        eb.and([eb('status', '=', 'paid'), eb('created_at', '>', new Date(at.getTime() - payoutReturnWindow))]),
        eb.and([eb('is_automatic', '=', true), eb('synced_at', 'is', null), eb('status', '=', 'paid')]),
      ]),
    )
    .execute();
  return rows.map((row) => row.id);
}

/** The undecided disputes, and decided ones that may still be appealed. */
export async function readOpenDisputeIds(
  { services }: PaymentContext,
  { id }: Pick<DueSet, 'id'>,
  at: Date,
): Promise<string[]> {
  const rows = await services.db
    .selectFrom('payment_disputes')
    .select('id')
    .where('key_set', '=', id)
    .where((eb) => eb.or([eb('closed_at', 'is', null), eb('closed_at', '>', new Date(at.getTime() - appealWindow))]))
    .execute();
  return rows.map((row) => row.id);
}
