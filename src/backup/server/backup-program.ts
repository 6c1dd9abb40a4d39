import { writeFileSync } from 'node:fs';
import { copySourceOf } from '#backup/server/copy-source.ts';
import { BusyCopiesError, makeCopy } from '#backup/server/make-copy.ts';
import { DamagedCopyError } from '#backup/server/load-rows.ts';
import { proveCopy } from '#backup/server/prove-copy.ts';
import type { BackupAnswer, BackupFaultKind, BackupResults, BackupTask } from '#backup/server/run-backup-program.ts';
import { sendToSecondPlace } from '#backup/server/send-backup.ts';
import { connect } from '#database/connect.ts';
import { systemErrorCode } from '#database/embedded/process.ts';
import { withStatementTimeout } from '#database/transaction.ts';

/* The program beside the shop that copies it, restores a copy for its trial, and sends it. The shop starts and ends it. */

process.once('message', (task) => {
  if (!process.connected) process.exit(1);
  preferTheShop();
  // The shop sends one message, the task.
  void answer(task as BackupTask).then((said) => process.send?.(said, () => process.exit(0)));
});
// PostgreSQL ends with this process. The shop removes its files.
for (const ending of ['disconnect', 'SIGTERM', 'SIGINT'] as const) process.once(ending, () => process.exit(1));

/** Without memory, the system ends this process before the shop. */
function preferTheShop(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '500');
  } catch {
    // Only Linux has it.
  }
}

/** Milliseconds for one statement: nobody waits for it, and it may read every order of a slow machine. */
const patience = 10 * 60_000;

async function answer(task: BackupTask): Promise<BackupAnswer> {
  try {
    return { done: await withStatementTimeout(patience, () => tasks[task.kind](task)) };
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    return { fault: faultOf(error), words: words.slice(0, 500) };
  }
}

const tasks: { [Kind in BackupTask['kind']]: (task: BackupTask) => Promise<BackupResults[Kind]> } = {
  copy: async ({ database, config, folder, hatch, at }) => {
    const now = () => new Date(at);
    const { db, close } = connect(database, () => undefined, { max: 1 });
    const { dataDir } = config;
    const source = await copySourceOf({ config: { dataDir }, db, database, now }, hatch).finally(close);
    const { number, bytes, manifest } = await makeCopy(source, folder);
    return { number, bytes, made_at: manifest.made_at };
  },
  prove: proveCopy,
  send: async ({ database, config, folder, number, isProven, at }) => {
    const { db, close } = connect(database, () => undefined, { max: 2 });
    const shop = { config, db, database, now: () => new Date(at) };
    const sent = await sendToSecondPlace(shop, { folder, number: number ?? 0, isProven }).finally(close);
    return sent && { number: sent.number, copies: sent.copies, damaged: sent.damaged };
  },
};

function faultOf(error: unknown): BackupFaultKind {
  if (error instanceof BusyCopiesError) return 'busy';
  if (isAboutRoom(error)) return 'no_room';
  if (error instanceof DamagedCopyError) return 'damaged';
  return 'failed';
}

/** PostgreSQL has a code of its own for a full disk, and a start of it only words. */
function isAboutRoom(error: unknown): boolean {
  const isFull = ['ENOSPC', 'EDQUOT', '53100', 'disk_full'].includes(systemErrorCode(error) ?? '');
  return isFull || (error instanceof Error && error.cause !== undefined && isAboutRoom(error.cause));
}
