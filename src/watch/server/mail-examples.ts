import { alertMail } from '#alerts/server/alert-owner.ts';
import type { MailExamples } from '#mail/server/handlers.ts';
import { verdictAlert } from '#watch/server/watch-boards.ts';
import { diskAlert } from '#watch/server/watch-disk.ts';
import { waitingAlert } from '#watch/server/warn-waiting.ts';
import type { Db } from '#database/schema.ts';
import type { Store } from '#store/contract.ts';

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
