import type { backupEndpoints, Restored } from '#backup/contract.ts';
import type { BackupServices } from '#backup/server/services.ts';
import { countJobs, deleteQueuedJobs } from '#database/jobs/jobs.ts';
import { endRestoreHold, readLastRestore } from '#database/restores.ts';
import type { Db, Tx } from '#database/schema.ts';
import { alertQueue } from '#alerts/server/alert-owner.ts';
import { countWaitingMails, dropQueuedMails } from '#mail/server/mail.ts';
import { dropDueOrderMails, postponePassedDeadlines, readOpenOrders } from '#ordering/server/restored-orders.ts';
import type { HandlerInput } from '#platform/http/serve.ts';
import { readPaymentsSinceBackup } from '#payment/server/since-copy/provider-reads.ts';
import { giveUpWaitingPrints, countWaitingPrints } from '#printing/server/restored-prints.ts';
import { pushQueue } from '#push/server/push.ts';
import { resumeRestoredStores } from '#store/server/restored-stores.ts';

type RestoredServices = Pick<BackupServices, 'menus' | 'outbox' | 'restored'>;

/** Ends the hold of a restored shop. A repeated call changes nothing. */
export async function continueRestoredShop(
  services: RestoredServices,
  call: HandlerInput<typeof backupEndpoints, 'POST /v1/restored/continue', Db, Tx>,
): Promise<{ data: Restored | null }> {
  const { db: tx, body, now, afterCommit } = call;
  if (await endRestoreHold(tx, now)) {
    if (body.waiting === 'drop') await dropWaiting(tx, services, now);
    await postponePassedDeadlines(tx, services.outbox, now);
    await resumeRestoredStores(services, call);
    afterCommit(() => {
      services.outbox.wake();
      services.restored.endHold();
    });
  }
  return { data: await presentLastRestore(tx) };
}

/**
 * Drops queued mails, prints and alerts, because the original shop may have sent them after the backup. The board lists
 * the dropped prints.
 */
async function dropWaiting(tx: Tx, services: RestoredServices, now: Date): Promise<void> {
  await dropDueOrderMails(tx);
  await dropQueuedMails(tx, now);
  await giveUpWaitingPrints(tx, services, now);
  await deleteQueuedJobs(tx, [alertQueue, pushQueue]);
}

export async function presentLastRestore(db: Db): Promise<Restored | null> {
  const last = await readLastRestore(db);
  if (last === null) return null;
  const isHeld = last.continued_at === null;
  return {
    restored_at: last.restored_at.toISOString(),
    copy_number: last.copy_number,
    copy_made_at: last.copy_made_at.toISOString(),
    continued_at: last.continued_at?.toISOString() ?? null,
    open_orders: isHeld ? await readOpenOrders(db) : [],
    waiting: {
      mails: isHeld ? (await countWaitingMails(db)).waiting : 0,
      prints: isHeld ? await countWaitingPrints(db) : 0,
      alerts: isHeld ? await countJobs(db, [alertQueue, pushQueue]) : 0,
    },
    since_copy: await readPaymentsSinceBackup(db),
  };
}
