import { sql } from 'kysely';
import type { CardProviderName } from '#database/column-types.ts';
import type { ProviderReadingFailure } from '#database/column-values.ts';
import type { Db, Tx } from '#database/schema.ts';
import { selectOpenKeySets } from '#payment/server/keys/key-sets.ts';
import { AppError } from '#platform/errors.ts';
import { m } from '#messages';
import { stripeDashboardUrls } from '#payment/stripe-dashboard-urls.ts';
import type { ProviderReadProgress, SinceCopy, UnknownPayment } from '#payment/since-copy.ts';

const minute = 60_000;
/**
 * Milliseconds before the backup from which payments are read: clocks differ, and a page that was opened before the
 * backup may be paid after it.
 */
const overlap = 60 * minute;
/** Milliseconds for which one instance leases the account; each page that it reads extends the lease. */
const lease = 2 * minute;

/**
 * Makes every card account due to be asked about the time since the backup, and drops the answers about an earlier
 * backup.
 */
export async function scheduleProviderReads(tx: Tx, copyMadeAt: Date, now: Date): Promise<void> {
  await tx.deleteFrom('unknown_payments').execute();
  await tx.deleteFrom('provider_readings').execute();
  await addReadings(tx, copyMadeAt, now);
}

/**
 * Schedules a new reading, from the beginning, for each account whose reading was answered or has failed. Accounts that
 * were added since the last round are scheduled as well.
 */
export async function restartProviderReads(tx: Tx, copyMadeAt: Date, now: Date): Promise<void> {
  await tx
    .updateTable('provider_readings')
    .set({ check_at: now, answered_at: null, failure: null, said: null, tries: 0, payments: 0, orders: 0 })
    // Accounts without an answer and without a failure are left out, because their reading is already due or running.
    .where((eb) => eb.or([eb('answered_at', 'is not', null), eb('failure', 'is not', null)]))
    .execute();
  await addReadings(tx, copyMadeAt, now);
}

async function addReadings(tx: Tx, copyMadeAt: Date, now: Date): Promise<void> {
  const sets = await selectOpenKeySets(tx).execute();
  if (sets.length === 0) return;
  const since = new Date(copyMadeAt.getTime() - overlap);
  await tx
    .insertInto('provider_readings')
    .values(sets.map(({ id }) => ({ key_set: id, since, check_at: now, failure: null, said: null })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export interface DueProviderReading {
  key_set: string;
  provider: CardProviderName;
  since: Date;
  tries: number;
}

export const providerReadingDueSql = (now: Date) =>
  sql<boolean>`exists (select from provider_readings where check_at <= ${now})`;

export async function leaseProviderReading(db: Db, now: Date): Promise<DueProviderReading | undefined> {
  const { rows } = await sql<DueProviderReading>`
    update provider_readings r set check_at = ${new Date(now.getTime() + lease)}, payments = 0, orders = 0
    from payment_key_sets s
    where s.id = r.key_set and r.key_set = (
      select key_set from provider_readings where check_at <= ${now} order by key_set limit 1 for update skip locked)
    returning r.key_set, s.provider, r.since, r.tries`.execute(db);
  return rows[0];
}

export async function recordReadingProgress(
  db: Db,
  keySet: string,
  { payments = 0, orders = 0 }: { payments?: number; orders?: number },
  now: Date,
): Promise<void> {
  await db
    .updateTable('provider_readings')
    .set((eb) => ({
      payments: eb('payments', '+', payments),
      orders: eb('orders', '+', orders),
      check_at: new Date(now.getTime() + lease),
    }))
    .where('key_set', '=', keySet)
    .execute();
}

/**
 * Ends a round. While a payment page whose order is unknown can still be paid, the account is asked again in five
 * minutes.
 */
export async function scheduleNextReadingRound(db: Db, keySet: string, now: Date): Promise<void> {
  await db
    .updateTable('provider_readings')
    .set({
      check_at: sql<Date | null>`case when exists (
        select from unknown_payments where key_set = ${keySet} and state = 'open') then ${new Date(now.getTime() + 5 * minute)}::timestamptz end`,
      answered_at: now,
      failure: null,
      said: null,
      tries: 0,
    })
    .where('key_set', '=', keySet)
    .execute();
}

/**
 * Records a failure. The retry follows after 15 seconds, and each further failure lengthens the delay, up to ten
 * minutes.
 */
export async function recordReadingFailure(
  db: Db,
  { key_set, tries }: DueProviderReading,
  { failure, said }: { failure: ProviderReadingFailure; said: string | null },
  now: Date,
): Promise<void> {
  const backoff = Math.min(minute * 2 ** (tries - 2), 10 * minute);
  await db
    .updateTable('provider_readings')
    .set({ check_at: new Date(now.getTime() + backoff), tries: tries + 1, failure, said })
    .where('key_set', '=', key_set)
    .execute();
}

export async function readPaymentsSinceBackup(db: Db): Promise<SinceCopy> {
  const readings = await db
    .selectFrom('provider_readings')
    .innerJoin('payment_key_sets', 'payment_key_sets.id', 'provider_readings.key_set')
    .selectAll('provider_readings')
    .select(['payment_key_sets.provider', 'payment_key_sets.mode'])
    .orderBy('provider_readings.key_set')
    .execute();
  const since = await db
    .selectFrom('payment_disputes')
    .innerJoin('provider_readings', 'provider_readings.key_set', 'payment_disputes.key_set')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .whereRef('payment_disputes.created_at', '>=', 'provider_readings.since')
    .executeTakeFirstOrThrow();
  return {
    readings: readings.map(presentReading),
    payments: (await selectUnknown(db).where('state', 'not in', ['abandoned', 'declined']).execute()).map(
      presentUnknown,
    ),
    disputes: Number(since.count),
  };
}

function presentReading(
  row: Pick<ProviderReadProgress, 'key_set' | 'provider' | 'mode' | 'payments' | 'orders' | 'failure' | 'said'> & {
    since: Date;
    answered_at: Date | null;
  },
): ProviderReadProgress {
  const { key_set, provider, mode, payments, orders, failure, said, since, answered_at } = row;
  return {
    key_set,
    provider,
    mode,
    since: since.toISOString(),
    state: failure !== null ? 'failed' : answered_at === null ? 'asking' : 'answered',
    answered_at: answered_at?.toISOString() ?? null,
    payments,
    orders,
    failure,
    said,
  };
}

/** Reads a payment without an order. Throws 404 if there is none. */
export async function readUnknownPaymentRow(db: Db, id: string): Promise<UnknownRow> {
  const row = await selectUnknown(db).where('unknown_payments.id', '=', id).executeTakeFirst();
  if (!row) throw new AppError('not_found', m.platform_not_found());
  return row;
}

export const readUnknownPayment = async (db: Db, id: string): Promise<UnknownPayment> =>
  presentUnknown(await readUnknownPaymentRow(db, id));

function selectUnknown(db: Db) {
  return db
    .selectFrom('unknown_payments')
    .innerJoin('payment_key_sets', 'payment_key_sets.id', 'unknown_payments.key_set')
    .selectAll('unknown_payments')
    .select(['payment_key_sets.provider', 'payment_key_sets.mode', 'payment_key_sets.account'])

    .orderBy('unknown_payments.created_at', 'desc')
    .orderBy('unknown_payments.id');
}

type UnknownRow = Awaited<ReturnType<ReturnType<typeof selectUnknown>['execute']>>[number];

function presentUnknown(row: UnknownRow): UnknownPayment {
  const { id, provider, mode, state, amount, captured, refunded, currency, description, dispute_status } = row;
  return {
    id,
    provider,
    mode,
    state,
    amount,
    captured,
    refunded,
    currency,
    description,
    dispute_status,
    created_at: row.created_at.toISOString(),
    link: stripeDashboardUrls.payment(row, row.intent),
  };
}
