import { sql } from 'kysely';
import {
  listIdleAccounts,
  lockIdleAccountRow,
  idleNoticePeriodMs,
  mailIdleWarning,
} from '#accounts/server/account-data.ts';
import type { UserRow } from '#accounts/server/users.ts';
import type { Tx } from '#database/schema.ts';
import { inTransaction } from '#database/transaction.ts';
import { readLastOrderTimeOfCustomer, readOrderIdsOfCustomer } from '#ordering/server/order-views.ts';
import { hasUnsettledPayments } from '#payment/server/payment-views.ts';
import { erasePersonAndNotify, removeFilesAfterErasure } from '#people/server/delete-account.ts';
import type { PeopleServices } from '#people/server/services.ts';
import { AppError } from '#platform/errors.ts';
import { startSweep, type Sweep } from '#platform/server/sweep.ts';
import { readLongestRetention } from '#store/server/store-views.ts';

/** Milliseconds between two sweeps. */
const every = 60 * 60_000;
/**
 * The number of accounts that one query reads. Each account is then handled in a separate transaction, so that an
 * interruption does not undo finished accounts.
 */
const atOnce = 100;
/** The maximum number of warnings in one run: a mail server may refuse a larger number of mails from a small shop. */
const maxWarned = 200;
const maxDeleted = 500;

type Services = PeopleServices & { now: () => Date };
type Idle = Parameters<typeof lockIdleAccountRow>[2];

/**
 * Warns the owners of unused accounts, and deletes the accounts whose owner was warned a month ago. Does nothing
 * without a mail server. Returns how many accounts were warned and deleted.
 */
export async function warnAndDeleteIdleAccounts(services: Services): Promise<{ warned: number; deleted: number }> {
  const { db, config } = services;
  const months = (await readLongestRetention(db)).idle_account;
  if (months === null || config.SMTP_URL === undefined) return { warned: 0, deleted: 0 };
  const now = services.now();
  const since = monthsBefore(now, months);
  const told: Idle = { since, isTold: true, now };
  const deleted = await eachIdle(services, told, maxDeleted, async (tx, user) => {
    const orders = await readOrderIdsOfCustomer(tx, user.id);
    if (await hasUnsettledPayments(tx, orders)) return false;
    await erasePersonAndNotify(services, tx, user);
    return true;
  });
  await removeFilesAfterErasure(services, deleted, now);
  const soon: Idle = { since: new Date(since.getTime() + idleNoticePeriodMs), isTold: false, now };
  const warned = await eachIdle(services, soon, maxWarned, async (tx, user) => {
    await mailIdleWarning(tx, services, { user, now, deletedAt: new Date(now.getTime() + idleNoticePeriodMs) });
    return true;
  });
  return { warned: warned.length, deleted: deleted.length };
}

/**
 * Calls `act` for one idle account after the other, until it has returned true for `most` accounts. Returns those
 * accounts. Stops early if another instance runs the same sweep.
 */
async function eachIdle(
  { db }: Services,
  idle: Idle,
  most: number,
  act: (tx: Tx, user: UserRow) => Promise<boolean>,
): Promise<UserRow[]> {
  const done: UserRow[] = [];
  for (let after: { at: Date; user_id: string } | undefined; ;) {
    const page = await listIdleAccounts(db, { ...idle, after, limit: atOnce });
    for (const { user_id: id } of page) {
      if (done.length === most) return done;
      const found = await actOn(id);
      if (found === 'elsewhere') return done;
      if (found) done.push(found);
    }
    after = page.at(-1);
    if (page.length < atOnce) return done;
  }

  async function actOn(id: string): Promise<UserRow | 'elsewhere' | null> {
    try {
      return await inTransaction(db, async (tx) => {
        const { rows } = await sql<{ mine: boolean }>`
          select pg_try_advisory_xact_lock(hashtextextended('idle accounts', 0)) as mine`.execute(tx);
        if (!rows[0]?.mine) return 'elsewhere';
        const user = await lockIdleAccountRow(tx, id, idle);
        // A phone order does not count as a use of the account, but an account with a recent phone order stays.
        if (!user || (await readLastOrderTimeOfCustomer(tx, id)) > idle.since) return null;
        return (await act(tx, user)) ? user : null;
      });
    } catch (error) {
      // The shop is still obliged to keep this person's data, for example during an open order. A later run tries
      // again.
      if (error instanceof AppError && error.code === 'conflict') return null;
      throw error;
    }
  }
}

export function startIdleAccountSweep(
  services: Services & { clock: { isTrusted(): boolean } },
): Sweep & { sweep(): Promise<void> } {
  const { clock, log } = services;
  const sweep = async () => {
    const { warned, deleted } = await warnAndDeleteIdleAccounts(services);
    if (warned + deleted > 0) log.info({ warned, deleted }, 'idle accounts');
  };
  return { sweep, ...startSweep({ name: 'idle accounts', every, log, clock }, sweep) };
}

function monthsBefore(now: Date, months: number): Date {
  const before = new Date(now);
  before.setUTCMonth(before.getUTCMonth() - months);
  return before;
}
