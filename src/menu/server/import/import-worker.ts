import { MenuChanges } from '#menu/contract-editing.ts';
import { sql } from 'kysely';
import { m } from '#messages';
import { DatabaseAway } from '#platform/server/database-away.ts';
import type { Db, Tx } from '#database/schema.ts';
import { makeChange } from '#database/transaction.ts';
import type { EditMenu } from '#menu/server/editing/edit-menu.ts';
import { makeChanges } from '#menu/server/editing/make-changes.ts';
import { AppError } from '#platform/errors.ts';
import type { AfterCommit } from '#platform/http/after-commit.ts';
import { startSweep } from '#platform/server/sweep.ts';
import type { MenuServices } from '#menu/server/services.ts';

export const importQueue = 'menu-import';
/** Milliseconds between two writes of the progress, outside the transaction that makes the changes. */
const sayEvery = 250;

/**
 * Starts making imports' changes, each import in one transaction: a menu never shows half of one. A repeated job,
 * after a crash or because it took long, finds the import made or in progress.
 */
export async function startImports(
  services: Pick<MenuServices, 'db' | 'findPerson' | 'jobs' | 'log' | 'menuTurns' | 'now'>,
  edit: EditMenu,
): Promise<void> {
  await services.jobs.work<{ id: string }>(importQueue, ({ id }) => runImport(services, edit, id), { batchSize: 1 });
}

async function runImport(
  services: Pick<MenuServices, 'db' | 'findPerson' | 'log' | 'menuTurns' | 'now'>,
  edit: EditMenu,
  id: string,
): Promise<void> {
  const { db, now, menuTurns } = services;
  const progress = { done: 0, said: 0 };
  const saying = startSweep({ name: 'menu import', every: sayEvery, log: services.log }, () => say(db, id, progress));
  const make = async (tx: Tx, afterCommit: AfterCommit) => {
    const { rows } = await sql<{ is_mine: boolean }>`
          select pg_try_advisory_xact_lock(hashtextextended(${`menu import ${id}`}, 0)) as is_mine`.execute(tx);
    if (!rows[0]?.is_mine) return;
    const found = await tx
      .selectFrom('menu_imports')
      .select(['state', 'changes', 'undo', 'created_by'])
      .where('menu_imports.id', '=', id)
      .executeTakeFirst();
    if (!found || (found.state !== 'waiting' && found.state !== 'undoing')) return;
    const viewer = found.created_by === null ? null : await services.findPerson(tx, found.created_by);
    if (viewer?.role !== 'admin') throw new AppError('forbidden', m.platform_forbidden());
    const isUndo = found.state === 'undoing';
    const call = { db: tx, now: now(), afterCommit };
    // An earlier release may have written them.
    const changes = MenuChanges.parse(isUndo ? found.undo : found.changes);
    await makeChanges(edit, call, changes, (done) => {
      progress.done = done;
    });
    const total = changes.length;
    await tx
      .updateTable('menu_imports')
      .set({ state: isUndo ? 'undone' : 'done', done: total, error: null, failed_change: null, finished_at: now() })
      .where('id', '=', id)
      .execute();
  };
  try {
    await menuTurns.take(() => makeChange(services, make));
  } catch (error) {
    // The queue tries again, and finds the import's state.
    if (error instanceof DatabaseAway || (error instanceof AppError && error.code === 'unavailable')) throw error;
    services.log.warn({ err: error, import_id: id }, 'a menu import was not made');
    await fail(services, id, error);
    return;
  } finally {
    await saying.stop();
  }
}

/** Nothing was changed. A failed undo leaves the import as it is. */
async function fail({ db, now }: Pick<MenuServices, 'db' | 'now'>, id: string, error: unknown): Promise<void> {
  const change = error instanceof AppError ? error.detail.extra?.['change'] : undefined;
  const words = error instanceof AppError ? wordsOf(error) : m.platform_internal();
  await db
    .updateTable('menu_imports')
    .set((eb) => ({
      state: eb
        .case()
        .when('state', '=', 'undoing')
        .then('done' as const)
        .else('failed' as const)
        .end(),
      error: words,
      failed_change: typeof change === 'number' ? change : null,
      finished_at: now(),
    }))
    .where('id', '=', id)
    .where('state', 'in', ['waiting', 'undoing'])
    .execute();
}

function wordsOf(error: AppError): string {
  const [first] = Object.values(error.detail.errors ?? {}).flat();
  return first ?? error.message;
}

async function say(db: Db, id: string, progress: { done: number; said: number }): Promise<void> {
  const { done } = progress;
  if (done === progress.said) return;
  progress.said = done;
  await db
    .updateTable('menu_imports')
    .set({ done })
    .where('id', '=', id)
    // The import may have ended while this waited for its row.
    .where('state', 'in', ['waiting', 'undoing'])
    .execute();
}
