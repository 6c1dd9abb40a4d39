import type { Backups, backupEndpoints } from '#backup/contract.ts';
import {
  requestBackup,
  readBackupAgeStartTimes,
  type BackupRow,
  findLastAttempt,
  findRunningAttempt,
  listPresentCopies,
} from '#backup/server/backup-rows.ts';
import { isBackupLate } from '#backup/server/late-backups.ts';
import { continueRestoredShop, presentLastRestore } from '#backup/server/continue-shop.ts';
import { hasSecondPlace, readPlaceRow } from '#backup/server/second-place.ts';
import type { BackupConfig, BackupServices } from '#backup/server/services.ts';
import { readLastRestore } from '#database/restores.ts';
import { inTransaction } from '#database/transaction.ts';
import {
  restartProviderReads,
  readPaymentsSinceBackup,
  readUnknownPayment,
} from '#payment/server/since-copy/provider-reads.ts';
import type { Db, Tx } from '#database/schema.ts';
import type { Handlers } from '#platform/http/serve.ts';

export function backupHandlers(services: BackupServices): Handlers<typeof backupEndpoints, Db, Tx> {
  const { backups, config } = services;
  return {
    'GET /v1/backups': async ({ db, now }) => ({ data: await presentBackups(db, config, now) }),
    'POST /v1/backups': async ({ db, now, afterCommit }) => {
      await requestBackup(db, now);
      afterCommit(backups.wake);
      return { data: await presentBackups(db, config, now) };
    },
    'GET /v1/restored': async ({ db }) => ({ data: await presentLastRestore(db) }),
    'POST /v1/restored/continue': (call) => continueRestoredShop(services, call),
    'POST /v1/restored/ask': async ({ db, now }) => {
      const last = await readLastRestore(db);
      if (last) await restartProviderReads(db, last.copy_made_at, now);
      return { data: await readPaymentsSinceBackup(db) };
    },
    'POST /v1/restored/payments/{id}/refund': async ({ db, params, audit }) => {
      await services.payments.refundUnknownPayment(params.id);
      await inTransaction(db, (tx) => audit(tx));
      return { data: await readUnknownPayment(db, params.id) };
    },
  };
}

export async function presentBackups(db: Db, config: BackupConfig, now: Date): Promise<Backups> {
  const { goodAt, countsSince, placedAt } = await readBackupAgeStartTimes(db);
  const running = await findRunningAttempt(db);
  const last = await findLastAttempt(db);
  return {
    state: isBackupLate(countsSince, now) ? 'late' : goodAt === null ? 'none_yet' : 'good',
    good_at: goodAt?.toISOString() ?? null,
    has_second_place: await hasSecondPlace(db, config),
    second_place: await presentSecondPlace(db, isBackupLate(placedAt, now)),
    running: running && presentRunning(running),
    problem: last?.reason ? { at: last.began_at.toISOString(), reason: last.reason, detail: last.detail } : null,
    copies: (await listPresentCopies(db)).flatMap(presentCopy),
  };
}

async function presentSecondPlace(db: Db, late: boolean): Promise<Backups['second_place']> {
  const row = await readPlaceRow(db);
  if (row === null) return null;
  const { address, failed_at: failedAt, sent_at: sentAt, problem } = row;
  const state = late ? 'late' : failedAt === null ? 'good' : 'failing';
  return { to: address, state, sent_at: sentAt?.toISOString() ?? null, problem };
}

function presentRunning({ step, began_at: beganAt }: BackupRow): Backups['running'] {
  return step === 'ended' ? null : { step, began_at: beganAt.toISOString() };
}

function presentCopy({ number, made_at: madeAt, bytes, state, reason, detail }: BackupRow): Backups['copies'] {
  if (number === null || madeAt === null || state === null) return [];
  return [{ number, made_at: madeAt.toISOString(), bytes: Number(bytes), state, reason, detail }];
}
