import { alertOwner } from '#alerts/server/alert-owner.ts';
import { answerDays, keptMonths, warnDays } from '#complaints/complaint-rules.ts';
import { complaintAlert, shopOf } from '#complaints/server/complaint-mail.ts';
import { forgetComplaints } from '#complaints/server/kept-complaints.ts';
import type { ComplaintServices } from '#complaints/server/services.ts';
import { inTransaction } from '#database/transaction.ts';
import { removeForgottenFiles } from '#mail/server/keep-mail.ts';
import { startSweep, type Sweep } from '#platform/server/sweep.ts';

const every = 60 * 60_000;
const day = 24 * 60 * 60_000;
const atOnce = 200;

/** Tells the owner of complaints whose time is nearly over, and forgets the people of answered ones that are old or whose account is gone. */
export function startLookingAfterComplaints(services: ComplaintServices): Sweep & { sweep(): Promise<void> } {
  const { clock, log } = services;
  const sweep = async () => {
    await remind(services);
    await forgetOld(services);
  };
  return { sweep, ...startSweep({ name: 'complaints', every, log, clock }, sweep) };
}

async function remind(services: ComplaintServices): Promise<void> {
  const now = services.now();
  const since = new Date(now.getTime() - (answerDays - warnDays) * day);
  await inTransaction(services.db, async (tx) => {
    const due = await tx
      .selectFrom('complaints')
      .select(['id', 'reference', 'created_at'])
      .where('answered_at', 'is', null)
      .where('reminded_at', 'is', null)
      .where('created_at', '<=', since)
      .orderBy('created_at')
      .limit(atOnce)
      .forUpdate()
      .skipLocked()
      .execute();
    const shop = await shopOf(services, tx);
    for (const row of due) {
      await tx.updateTable('complaints').set({ reminded_at: now }).where('id', '=', row.id).execute();
      await alertOwner(tx, services, () => complaintAlert(services.config, row, { shop, isReminder: true }));
    }
  });
}

async function forgetOld(services: ComplaintServices): Promise<void> {
  const now = services.now();
  const before = new Date(now);
  before.setUTCMonth(before.getUTCMonth() - keptMonths);
  const ids = await inTransaction(services.db, async (tx) => {
    const old = await tx
      .selectFrom('complaints')
      .select('id')
      .where('answered_at', 'is not', null)
      .where('forgotten_at', 'is', null)
      // The answer's mail has gone out by then, or is given up.
      .where((eb) =>
        eb.or([
          eb('answered_at', '<', before),
          eb.and([eb('forgets', '=', true), eb('answered_at', '<', new Date(now.getTime() - 2 * day))]),
        ]),
      )
      .limit(atOnce)
      .forUpdate()
      .skipLocked()
      .execute();
    const found = old.map(({ id }) => id);
    await forgetComplaints(tx, found, now);
    return found;
  });
  if (ids.length > 0) await removeForgottenFiles(services);
}
