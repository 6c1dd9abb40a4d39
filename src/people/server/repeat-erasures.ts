import { findUser } from '#accounts/server/users.ts';
import type { DueWork } from '#database/jobs/due-work.ts';
import { anyErasureDueSql, setErasureDue, lockDueErasure } from '#database/erasures.ts';
import type { Tx } from '#database/schema.ts';
import { inTransaction } from '#database/transaction.ts';
import { eraseGuestOfEndedOrder } from '#ordering/server/erase-guests.ts';
import type { OrderServices } from '#ordering/server/services.ts';
import { removeFilesAfterErasure } from '#people/server/delete-account.ts';
import { erasePerson } from '#people/server/personal-data.ts';
import type { PeopleServices } from '#people/server/services.ts';
import { AppError } from '#platform/errors.ts';

type Services = Pick<PeopleServices, 'config' | 'db' | 'kept' | 'log'> &
  Pick<OrderServices, 'now' | 'outbox' | 'owed' | 'prints'>;

/** Milliseconds until a failed erasure is retried. For example, an erasure fails while the person has an open order. */
const retryIn = 10 * 60_000;

/**
 * Repeats the erasures that were made after the backup from which this shop was restored. Runs before anybody reads the
 * data. No mail is sent, because each person was mailed at the first erasure.
 */
export async function repeatErasures(services: Services): Promise<void> {
  const { db, log, now } = services;
  for (let isDone = false; !isDone;) {
    const taken: { number?: string } = {};
    const emails: { email: string }[] = [];
    try {
      isDone = await inTransaction(db, async (tx) => {
        const due = await lockDueErasure(tx, now());
        if (!due) return true;
        taken.number = due.number;
        if (due.kind === 'person') emails.push(...(await erase(tx, services, due.subject)));
        else await eraseGuestOfEndedOrder(tx, services, due.subject, now());
        await setErasureDue(tx, due.number, null);
        return false;
      });
      await removeFilesAfterErasure(services, emails, now());
    } catch (error) {
      const { number } = taken;
      if (number === undefined) throw error;
      if (!(error instanceof AppError)) log.error({ err: error, erasure: number }, 'could not be erased again yet');
      await setErasureDue(db, number, new Date(now().getTime() + retryIn));
    }
  }
}

async function erase(tx: Tx, { kept }: Services, id: string): Promise<{ email: string }[]> {
  const user = await findUser(tx, id);
  if (!user) return [];
  await erasePerson(tx, kept, user);
  return [user];
}

export const repeatErasuresWork = (services: Services): DueWork => ({
  name: 'erasures again',
  due: anyErasureDueSql,
  work: () => repeatErasures(services),
  isDoneWhileHeld: true,
});
