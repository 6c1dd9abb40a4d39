import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { DueWork } from '#database/jobs/due-work.ts';
import type { Jobs } from '#database/jobs/jobs.ts';
import type { Db, RestoresTable, Tx } from '#database/schema.ts';

export type RestoreRow = Selectable<RestoresTable>;

/** The state of a shop that was restored from a backup. Such a shop is held until its owner continues it. */
export interface RestoredShop {
  /** The epoch of the last restore, which differs from all earlier epochs; null: the shop was never restored. */
  epoch: string | null;
  /** Whether the shop is held, so that it takes no orders and due work waits. */
  isHeld(): boolean;
  /** Calls `run` at once if the shop is not held, otherwise when its owner continues the shop. */
  whenContinued(run: () => void): void;
  /** Ends the hold at this instance, after the owner continued the shop at this or another one. */
  endHold(): void;
  /** Ends the hold at this instance once the shop was continued at another one. */
  due: DueWork<boolean>;
}

const isWaiting = sql<boolean>`exists (select from restores where continued_at is null)`;

export async function loadRestoredShop(db: Db): Promise<RestoredShop> {
  const last = await readLastRestore(db);
  const waiting: (() => void)[] = [];
  let isHeld = last !== null && last.continued_at === null;
  const endHold = () => {
    isHeld = false;
    for (const run of waiting.splice(0)) run();
  };
  return {
    epoch: last?.epoch ?? null,
    isHeld: () => isHeld,
    whenContinued: (run) => void (isHeld ? waiting.push(run) : run()),
    endHold,
    due: {
      name: 'restored',
      due: () => (isHeld ? sql`not ${isWaiting}` : sql`false`),
      work: async () => endHold(),
    },
  };
}

export async function readLastRestore(db: Db): Promise<RestoreRow | null> {
  const row = await db.selectFrom('restores').selectAll().orderBy('restored_at', 'desc').limit(1).executeTakeFirst();
  return row ?? null;
}

export async function recordRestore(tx: Tx, copy: { number: number; made_at: string }, at: Date): Promise<void> {
  await tx.updateTable('restores').set({ continued_at: at }).where('continued_at', 'is', null).execute();
  await tx
    .insertInto('restores')
    .values({ copy_number: copy.number, copy_made_at: copy.made_at, restored_at: at })
    .execute();
}

/**
 * Ends the hold of a restored shop in `tx`, and returns the restore's row, which stays locked until the commit. null:
 * the shop was not held.
 */
export async function endRestoreHold(tx: Tx, at: Date): Promise<RestoreRow | null> {
  const row = await tx
    .updateTable('restores')
    .set({ continued_at: at })
    .where('continued_at', 'is', null)
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Delays the start of a queue's workers until the owner continues a held shop. Until the workers start, transactions
 * can send jobs to the queue.
 */
export function holdJobsUntilContinued<J extends Jobs & { ready(queue: string): Promise<void> }>(
  jobs: J,
  restored: RestoredShop,
): J {
  const work: Jobs['work'] = async (...taken) => {
    if (!restored.isHeld()) return jobs.work(...taken);
    await jobs.ready(taken[0]);
    restored.whenContinued(() => void jobs.work(...taken));
  };
  return { ...jobs, work };
}

export function skipDueWorkWhileHeld(work: DueWork, restored: Pick<RestoredShop, 'isHeld'>): DueWork {
  if (work.isDoneWhileHeld) return work;
  const none: RawBuilder<null> = sql`null`;
  return { ...work, due: (now) => (restored.isHeld() ? none : work.due(now)) };
}
