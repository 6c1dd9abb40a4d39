import { hostname } from 'node:os';
import { type Alert, alertMail, alertOwner } from '#alerts/server/alert-owner.ts';
import { lateAfter } from '#backup/schedule.ts';
import { backupAgeSince, beginAlarm, endAlarm } from '#backup/server/backup-rows.ts';
import type { NightlyServices } from '#backup/server/services.ts';
import { inTransaction } from '#database/transaction.ts';
import type { MailExamples } from '#mail/server/handlers.ts';
import { m } from '#messages';
import { dateWords, timeWords } from '#platform/date-words.ts';
import type { Db } from '#database/schema.ts';
import type { Store } from '#store/contract.ts';

/** Whether the last good backup is too old. */
export function isLate(countsSince: Date | null, now: Date): boolean {
  return countsSince !== null && now.getTime() - countsSince.getTime() >= lateAfter;
}

/** Tells the owner once that the last good backup is too old, and again only after there was one. */
export async function tellLateBackups(
  services: Pick<NightlyServices, 'admins' | 'clock' | 'config' | 'db' | 'jobs' | 'log' | 'mail' | 'menus' | 'now'>,
): Promise<void> {
  const { clock, config, db, menus, now } = services;
  const { goodAt, countsSince } = await backupAgeSince(db);
  if (!isLate(countsSince, now())) return endAlarm(db);
  // After a jump of the clock every backup would be late.
  if (!clock.isTrusted()) return;
  const zone = (await menus.store(db))?.store.timezone ?? 'UTC';
  await inTransaction(db, async (tx) => {
    if (await beginAlarm(tx, now())) await alertOwner(tx, services, () => lateAlert(config, zone, goodAt));
  });
}

function lateAlert({ publicUrl }: { publicUrl: string }, zone: string, goodAt: Date | null): Alert {
  const host = hostname();
  const time = goodAt === null ? null : `${dateWords(goodAt, zone)}, ${timeWords(goodAt, zone)}`;
  return {
    kind: 'backup_late',
    store: null,
    subject: m.backup_late_subject({ host }),
    text: time === null ? m.backup_late_mail_never({ host }) : m.backup_late_mail({ host, time }),
    link: { words: m.backup_late_open(), link: `${publicUrl}/admin/backups` },
  };
}

export function backupMailExamples(
  config: { publicUrl: string },
  { readStore, now }: { readStore: (db: Db) => Promise<Store>; now: () => Date },
): Pick<MailExamples, 'backup_late'> {
  return {
    backup_late: async (db: Db) =>
      alertMail(lateAlert(config, (await readStore(db)).timezone, new Date(now().getTime() - lateAfter))),
  };
}
