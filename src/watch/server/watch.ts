import type { DueWork } from '#database/jobs/due-work.ts';
import { type StoreWatch, storeWatches, verdictAlert, watchBoards } from '#watch/server/watch-boards.ts';
import { pushNewOrders, storesToPush } from '#watch/server/push-new-orders.ts';
import { areWaiting, waitingAlert, warnOfWaiting } from '#watch/server/warn-waiting.ts';
import type { WatchServices } from '#watch/server/services.ts';
import { alertMail } from '#alerts/server/alert-owner.ts';
import type { MailExamples } from '#mail/server/handlers.ts';
import { diskAlert } from '#watch/server/watch-disk.ts';
import type { Db } from '#database/schema.ts';
import type { Store } from '#store/contract.ts';

/** Makes sure that no order waits unnoticed. Its state is in the database, so any instance may do the checks. */
export function watchWork(
  services: Pick<
    WatchServices,
    'admins' | 'clock' | 'config' | 'db' | 'jobs' | 'log' | 'mail' | 'menus' | 'now' | 'outbox' | 'realtime'
  >,
): DueWork[] {
  const watchingSince = services.now();
  const boards: DueWork<StoreWatch[] | null> = {
    name: 'boards',
    due: () => storeWatches,
    work: async (stores) => services.clock.isTrusted() && watchBoards(services, watchingSince, stores),
  };
  const waiting: DueWork<boolean> = {
    name: 'waiting orders',
    due: (now) => areWaiting(now),
    work: async () => services.clock.isTrusted() && warnOfWaiting(services),
  };
  const pushes: DueWork<string[] | null> = {
    name: 'new orders for devices',
    due: (now) => storesToPush(now),
    work: async (stores) => services.clock.isTrusted() && pushNewOrders(services, stores),
  };
  return [boards, waiting, pushes];
}

/** The alerts with invented data. */
export function watchMailExamples(
  config: { publicUrl: string },
  { readStore, now }: { readStore: (db: Db) => Promise<Store>; now: () => Date },
): Pick<MailExamples, 'orders_waiting' | 'boards_lost' | 'boards_back' | 'disk_low'> {
  const minutes = (count: number) => new Date(now().getTime() + count * 60_000);
  const verdict = async (db: Db, found: Parameters<typeof verdictAlert>[2]) =>
    alertMail(verdictAlert(config, await readStore(db), found));
  return {
    orders_waiting: async (db: Db) =>
      alertMail(
        waitingAlert(config, await readStore(db), [{ number: 57, answer_by: minutes(5), heard_at: minutes(-4) }]),
      ),
    boards_lost: (db) => verdict(db, { kind: 'lost', since: minutes(-15), pauseUntil: null }),
    boards_back: (db) => verdict(db, { kind: 'back', resumes: true }),
    disk_low: () => alertMail(diskAlert({ free: 450_000_000, all: 40_000_000_000 }, '/srv/hatch')),
  };
}
