import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { DueWork } from '#database/jobs/due-work.ts';
import type { Jobs } from '#database/jobs/jobs.ts';
import type { Db, RestoresTable, Tx } from '#database/schema.ts';

export type RestoreRow = Selectable<RestoresTable>;

/** Whether this shop was made from a copy, and waits for its owner. */
export interface RestoredShop {
  /** Differs from that of the shop before; null: it was never restored. */
  epoch: string | null;
  /** It takes no orders, and due work waits. */
  isHeld(): boolean;
  /** Runs it now, or once the owner lets the shop go on. */
  whenGoingOn(run: () => void): void;
  /** The owner let it go on, here or at another instance. */
  goOn(): void;
  /** Finds that another instance was told to go on. */
  due: DueWork<boolean>;
}

const isWaiting = sql<boolean>`exists (select from restores where continued_at is null)`;

export async function openRestoredShop(db: Db): Promise<RestoredShop> {
  const last = await lastRestore(db);
  const waiting: (() => void)[] = [];
  let isHeld = last !== null && last.continued_at === null;
  const goOn = () => {
    isHeld = false;
    for (const run of waiting.splice(0)) run();
  };
  return {
    epoch: last?.epoch ?? null,
    isHeld: () => isHeld,
    whenGoingOn: (run) => void (isHeld ? waiting.push(run) : run()),
    goOn,
    due: {
      name: 'restored',
      due: () => (isHeld ? sql`not ${isWaiting}` : sql`false`),
      work: async () => goOn(),
    },
  };
}

/** The last time that the shop was made from a copy; null: never. */
export async function lastRestore(db: Db): Promise<RestoreRow | null> {
  const row = await db.selectFrom('restores').selectAll().orderBy('restored_at', 'desc').limit(1).executeTakeFirst();
  return row ?? null;
}

/** Records that the shop was made from this copy, and holds it. */
export async function recordRestore(tx: Tx, copy: { number: number; made_at: string }, at: Date): Promise<void> {
  await tx.updateTable('restores').set({ continued_at: at }).where('continued_at', 'is', null).execute();
  await tx
    .insertInto('restores')
    .values({ copy_number: copy.number, copy_made_at: copy.made_at, restored_at: at })
    .execute();
}

/** Ends the wait; returns the restore, or null if nothing waits. Locks it until the transaction ends. */
export async function endRestore(tx: Tx, at: Date): Promise<RestoreRow | null> {
  const row = await tx
    .updateTable('restores')
    .set({ continued_at: at })
    .where('continued_at', 'is', null)
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

/** The queue's work begins when the shop goes on. Meanwhile transactions may send to it. */
export function holdJobs<J extends Jobs & { ready(queue: string): Promise<void> }>(jobs: J, restored: RestoredShop): J {
  const work: Jobs['work'] = async (...taken) => {
    if (!restored.isHeld()) return jobs.work(...taken);
    await jobs.ready(taken[0]);
    restored.whenGoingOn(() => void jobs.work(...taken));
  };
  return { ...jobs, work };
}

/** Work that is due while the shop is held waits until it goes on. */
export function holdWork(work: DueWork, restored: Pick<RestoredShop, 'isHeld'>): DueWork {
  if (work.isDoneWhileHeld) return work;
  const none: RawBuilder<null> = sql`null`;
  return { ...work, due: (now) => (restored.isHeld() ? none : work.due(now)) };
}
