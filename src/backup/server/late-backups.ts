import { hostname } from 'node:os';
import { type Alert, alertToMail, alertOwner } from '#alerts/server/alert-owner.ts';
import { backupLateAfterMs } from '#backup/schedule.ts';
import {
  type BackupAlertPlace,
  readBackupAgeStartTimes,
  recordBackupAlert,
  clearBackupAlert,
} from '#backup/server/backup-rows.ts';
import { type SecondPlaceRow, readPlaceRow } from '#backup/server/second-place.ts';
import type { NightlyServices } from '#backup/server/services.ts';
import { inTransaction } from '#database/transaction.ts';
import type { MailExamples } from '#mail/server/handlers.ts';
import { m } from '#messages';
import { dateWords, timeWords } from '#platform/date-words.ts';
import type { Db } from '#database/schema.ts';
import type { Store } from '#store/contract.ts';

/**
 * Whether a backup is late. `countsSince`: when the last backup was made, or else when backups became necessary; null:
 * no backup is necessary yet. A time far in the future is late as well, because a wrong clock recorded it.
 */
export function isBackupLate(countsSince: Date | null, now: Date): boolean {
  return countsSince !== null && Math.abs(now.getTime() - countsSince.getTime()) >= backupLateAfterMs;
}

type LateServices = Pick<
  NightlyServices,
  'admins' | 'clock' | 'config' | 'db' | 'jobs' | 'log' | 'mail' | 'menus' | 'now' | 'restored'
>;

/**
 * Alerts the owner once about late backups: in the data folder, or, if those are not late, in the second backup
 * location. The alert ends when the backups are no longer late.
 */
export async function alertLateBackups(services: LateServices): Promise<void> {
  const { config, db, now, restored } = services;
  const { goodAt, countsSince, placedAt } = await readBackupAgeStartTimes(db);
  if (isBackupLate(countsSince, now())) return alertOnce(services, 'here', (zone) => lateAlert(config, zone, goodAt));
  await clearBackupAlert(db, 'here');
  if (!isBackupLate(placedAt, now())) return clearBackupAlert(db, 'second_place');
  // A held shop sends no backups, so late backups in its second backup location are expected, and cause no alert.
  if (restored.isHeld()) return;
  const row = await readPlaceRow(db);
  await alertOnce(services, 'second_place', (zone) => placeAlert(config, zone, row));
}

async function alertOnce(
  services: LateServices,
  subject: BackupAlertPlace,
  alert: (zone: string) => Alert,
): Promise<void> {
  const { clock, db, menus, now } = services;
  // After a clock jump every backup can seem late.
  if (!clock.isTrusted()) return;
  const zone = (await menus.store(db))?.store.timezone ?? 'UTC';
  await inTransaction(db, async (tx) => {
    if (await recordBackupAlert(tx, subject, now())) await alertOwner(tx, services, () => alert(zone));
  });
}

const momentWords = (at: Date, zone: string) => `${dateWords(at, zone)}, ${timeWords(at, zone)}`;

function lateAlert({ publicUrl }: { publicUrl: string }, zone: string, goodAt: Date | null): Alert {
  const host = hostname();
  return {
    kind: 'backup_late',
    store: null,
    subject: m.backup_late_subject({ host }),
    text:
      goodAt === null
        ? m.backup_late_mail_never({ host })
        : m.backup_late_mail({ host, time: momentWords(goodAt, zone) }),
    link: { words: m.backup_late_open(), link: `${publicUrl}/admin/backups` },
  };
}

function placeAlert({ publicUrl }: { publicUrl: string }, zone: string, row: SecondPlaceRow | null): Alert {
  const host = hostname();
  const place = row?.address ?? '';
  const sentAt = row?.sent_at ?? null;
  const text =
    sentAt === null
      ? m.backup_place_late_mail_never({ host, place })
      : m.backup_place_late_mail({ host, place, time: momentWords(sentAt, zone) });
  return {
    kind: 'backup_late',
    store: null,
    subject: m.backup_place_late_subject({ host }),
    text: row?.problem ? `${text}\n\n${row.problem}` : text,
    link: { words: m.backup_late_open(), link: `${publicUrl}/admin/backups` },
  };
}

export function backupMailExamples(
  config: { publicUrl: string },
  { readStore, now }: { readStore: (db: Db) => Promise<Store>; now: () => Date },
): Pick<MailExamples, 'backup_late'> {
  return {
    backup_late: async (db: Db) =>
      alertToMail(lateAlert(config, (await readStore(db)).timezone, new Date(now().getTime() - backupLateAfterMs))),
  };
}
