import { stat } from 'node:fs/promises';
import { sql } from 'kysely';
import { readIndex } from '#backup/server/copy-files.ts';
import { noteErasures } from '#backup/server/erasure-list.ts';
import { shopIdOf } from '#backup/server/copy-source.ts';
import type { DueWork } from '#database/jobs/due-work.ts';
import { listErasures, newestErasure } from '#database/erasures.ts';
import type { BaseServices } from '#database/services.ts';
import type { Tx } from '#database/schema.ts';
import { inTransaction } from '#database/transaction.ts';

type Services = Pick<BaseServices, 'db' | 'log' | 'now'>;

/** Milliseconds until a folder is tried again: its disk may not be connected. */
const retryIn = 60 * 60_000;

/** Adds new erasures to the lists beside the copies, wherever this shop was copied to. */
export const noteErasuresWork = (services: Services): DueWork<string[]> => ({
  name: 'erasures beside copies',
  due: (now) => sql`array(
    select path from copy_folders where check_at <= ${now}
      and noted < ${newestErasure})`,
  async work(paths) {
    for (const path of paths) await noteIn(services, path);
  },
});

async function noteIn({ db, log, now }: Services, path: string): Promise<void> {
  try {
    await inTransaction(db, (tx) => note(tx, path));
  } catch (error) {
    log.warn({ err: error, folder: path }, 'the erasures could not be listed beside the copies');
    const later = new Date(now().getTime() + retryIn);
    await db.updateTable('copy_folders').set({ check_at: later }).where('path', '=', path).execute();
  }
}

/** A copy that is being made writes the same files, and adds the erasures itself. */
async function note(tx: Tx, path: string): Promise<void> {
  const { rows } = await sql<{ is_mine: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended('hatch backup', 0)) as is_mine`.execute(tx);
  if (!rows[0]?.is_mine) return;
  const index = (await stat(path)).isDirectory() ? await readIndex(path) : null;
  if (index === null) throw new Error(`${path} has no copies now`);
  if (index.shop_id !== (await shopIdOf(tx))) {
    await tx.deleteFrom('copy_folders').where('path', '=', path).execute();
    return;
  }
  const erasures = await listErasures(tx);
  await noteErasures(path, index, erasures);
  await tx
    .updateTable('copy_folders')
    .set({ noted: erasures.at(-1)?.number ?? 0 })
    .where('path', '=', path)
    .execute();
}
