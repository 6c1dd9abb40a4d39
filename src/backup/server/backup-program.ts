import { writeFileSync } from 'node:fs';
import { readCopySource } from '#backup/server/copy-source.ts';
import { CopiesLockedError, makeCopy } from '#backup/server/make-copy.ts';
import { DamagedCopyError } from '#backup/server/load-rows.ts';
import { verifyCopyByRestore } from '#backup/server/prove-copy.ts';
import type { BackupAnswer, BackupFaultKind, BackupResults, BackupTask } from '#backup/server/run-backup-program.ts';
import { sendCopyToSecondPlace } from '#backup/server/send-backup.ts';
import { connect } from '#database/connect.ts';
import { systemErrorCode } from '#database/embedded/process.ts';
import { withStatementTimeout } from '#database/transaction.ts';

/* The process that makes a backup, tries to restore one, or sends one to the second backup location. The server starts
   it for one task, and can end it. */

process.once('message', (task) => {
  if (!process.connected) process.exit(1);
  yieldMemoryToShop();
  // The cast is safe, because the server's only message is the task.
  void perform(task as BackupTask).then((answer) => process.send?.(answer, () => process.exit(0)));
});
// The scratch PostgreSQL ends with this process, and the server then removes the scratch folder.
for (const event of ['disconnect', 'SIGTERM', 'SIGINT'] as const) process.once(event, () => process.exit(1));

/** Makes the system kill this process before the server if memory runs out. */
function yieldMemoryToShop(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '500');
  } catch {
    // Only Linux has this file.
  }
}

/**
 * The statement timeout (ms). A slow machine may need minutes to read every order, and no person waits for the result.
 */
const statementLimit = 10 * 60_000;

async function perform(task: BackupTask): Promise<BackupAnswer> {
  try {
    return { done: await withStatementTimeout(statementLimit, () => tasks[task.kind](task)) };
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    return { fault: faultKindOf(error), words: words.slice(0, 500) };
  }
}

const tasks: { [Kind in BackupTask['kind']]: (task: BackupTask) => Promise<BackupResults[Kind]> } = {
  copy: async ({ database, config, folder, hatch, at }) => {
    const now = () => new Date(at);
    const { db, close } = connect(database, () => undefined, { max: 1 });
    const { dataDir } = config;
    const source = await readCopySource({ config: { dataDir }, db, database, now }, hatch).finally(close);
    const { number, bytes, manifest } = await makeCopy(source, folder);
    return { number, bytes, made_at: manifest.made_at };
  },
  prove: verifyCopyByRestore,
  send: async ({ database, config, folder, number, isProven, at }) => {
    const { db, close } = connect(database, () => undefined, { max: 2 });
    const shop = { config, db, database, now: () => new Date(at) };
    const sent = await sendCopyToSecondPlace(shop, { folder, number: number ?? 0, isProven }).finally(close);
    return sent && { number: sent.number, copies: sent.copies, damaged: sent.damaged };
  },
};

function faultKindOf(error: unknown): BackupFaultKind {
  if (error instanceof CopiesLockedError) return 'busy';
  if (isDiskFull(error)) return 'no_room';
  if (error instanceof DamagedCopyError) return 'damaged';
  return 'failed';
}

/**
 * Whether an error, or one of its causes, means a full disk. 53100 is PostgreSQL's code for a full disk; `disk_full` is
 * the code if PostgreSQL could not start.
 */
function isDiskFull(error: unknown): boolean {
  const isFull = ['ENOSPC', 'EDQUOT', '53100', 'disk_full'].includes(systemErrorCode(error) ?? '');
  return isFull || (error instanceof Error && error.cause !== undefined && isDiskFull(error.cause));
}
