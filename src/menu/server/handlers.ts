import type { Db, MenuImportsTable, Tx } from '#database/schema.ts';
import {
  type menuEditingEndpoints,
  type menuImportEndpoints,
  type menuSourceEndpoints,
  type allMenuEndpoints,
  type MenuChangeCall,
  MenuChanges,
  type MenuImport,
} from '#menu/contract.ts';
import {
  presentOptionOrThrow,
  categoryHandlers,
  itemHandlers,
  menuPartHandlers,
  optionGroupHandlers,
  optionHandlers,
} from '#menu/server/part-handlers.ts';
import { type EditMenu, findPartRow, createMenuEditor, type OperationContext } from '#menu/server/editing/edit-menu.ts';
import type { Handlers } from '#platform/http/serve.ts';
import { fetchPage } from '#menu/server/import/fetch-page.ts';
import { draftHandlers } from '#menu/server/import/menu-drafts.ts';
import { canReadPhotos, readPhoto } from '#menu/server/import/read-photo.ts';
import type { MenuServices, CachedMenuCall } from '#menu/server/services.ts';
import { type Selectable, sql } from 'kysely';
import { m } from '#messages';
import { AppError, invalidFieldError } from '#platform/errors.ts';
import { readPage } from '#database/read-page.ts';
import { areStoresLive } from '#store/server/store-views.ts';
import { DatabaseUnavailable } from '#platform/server/database-unavailable.ts';
import { inSnapshot, changeWithEffects } from '#database/transaction.ts';
import type { RegisterAfterCommit } from '#platform/http/audited-call.ts';
import { startSweep } from '#platform/server/sweep.ts';
import { type MenuOperation, makeRestoreOperation } from '#menu/operations/menu-operation.ts';
import { loadMenuParts, presentItem } from '#menu/server/reading/load-menus.ts';
import { randomUUIDv7 } from 'node:crypto';
import { menuChangeEndpoints } from '#menu/contract-parts.ts';
import type { MenuParts } from '#menu/fields.ts';
import { operationFromCall } from '#menu/operations/operation-calls.ts';
import type { Endpoint } from '#platform/http/endpoint.ts';
import { parseInput } from '#platform/http/parse.ts';
import { looksLikePicture } from '#uploads/server/handlers.ts';

export function menuHandlers(
  services: Pick<MenuServices, 'config' | 'jobs' | 'menus' | 'orders' | 'outbox'>,
): Handlers<Omit<typeof allMenuEndpoints, CachedMenuCall>, Db, Tx> {
  const edit = createMenuEditor(services);
  return {
    ...menuPartHandlers(edit),
    ...categoryHandlers(edit),
    ...itemHandlers(edit),
    ...optionHandlers(edit),
    ...optionGroupHandlers(edit),
    ...editingHandlers(services, edit),
    ...importHandlers(services),
    ...draftHandlers(),
    ...sourceHandlers(),
  };
}

export async function startMenuImports(
  services: Pick<
    MenuServices,
    'config' | 'db' | 'findPerson' | 'jobs' | 'log' | 'menus' | 'menuTurns' | 'now' | 'outbox'
  >,
): Promise<void> {
  await startImports(services, createMenuEditor(services));
}

const shown = [
  'id',
  'store_id',
  'file_name',
  'state',
  'total',
  'done',
  'error',
  'failed_change',
  'created_at',
  'finished_at',
] as const;
type ImportRow = Pick<Selectable<MenuImportsTable>, (typeof shown)[number]>;

function importHandlers({ jobs }: Pick<MenuServices, 'jobs'>): Handlers<typeof menuImportEndpoints, Db, Tx> {
  return {
    'POST /v1/menu-imports': async ({ db, body, viewer, now }) => {
      if (!(await areStoresLive(db, [body.store_id]))) throw invalidFieldError('store_id', m.store_not_found());
      const made = await db
        .insertInto('menu_imports')
        .values({
          id: body.id,
          store_id: body.store_id,
          created_by: viewer.id,
          file_name: body.file_name,
          state: 'waiting',
          changes: JSON.stringify(body.changes),
          undo: JSON.stringify(body.undo),
          total: body.changes.length,
          created_at: now,
        })
        .onConflict((conflict) => conflict.doNothing())
        .returning('id')
        .executeTakeFirst();
      if (made) await jobs.send(db, importQueue, { id: made.id });
      const row = await find(db, body.id);
      if (row.store_id !== body.store_id) throw new AppError('conflict', m.menu_import_other_store());
      // Two tabs with the same draft send the same id. A request with equal changes is a retry; one with other changes
      // is refused.
      if (!made && !(await hasChanges(db, body))) throw new AppError('conflict', m.menu_import_elsewhere());
      return { data: present(row) };
    },

    'GET /v1/menu-imports': async ({ db, query }) => {
      let list = db.selectFrom('menu_imports').select(shown).orderBy('created_at', 'desc').orderBy('id', 'desc');
      if (query.store_id) list = list.where('store_id', '=', query.store_id);
      return readPage(db, '/v1/menu-imports', query, list, async (rows: ImportRow[]) => rows.map(present));
    },

    'GET /v1/menu-imports/{id}': async ({ db, params }) => ({ data: present(await find(db, params.id)) }),

    'POST /v1/menu-imports/{id}/undo': async ({ db, params }) => {
      const row = await find(db, params.id);
      const begun = await db
        .updateTable('menu_imports')
        .set((eb) => ({
          state: 'undoing',
          done: 0,
          total: eb.fn<number>('jsonb_array_length', ['undo']),
          finished_at: null,
        }))
        .where('id', '=', row.id)
        .where('state', '=', 'done')
        .returning('id')
        .executeTakeFirst();
      if (begun) await jobs.send(db, importQueue, { id: begun.id });
      else if (row.state !== 'undoing' && row.state !== 'undone') {
        throw new AppError('conflict', m.menu_import_not_done());
      }
      return { data: present(await find(db, params.id)) };
    },
  };
}

function sourceHandlers(): Handlers<typeof menuSourceEndpoints, Db, Tx> {
  return {
    'POST /v1/menu-pages': async ({ body }) => {
      const { type, bytes } = await fetchPage(body.url);
      return { data: { type, content: bytes.toString('base64') } };
    },
    'GET /v1/menu-photos': async () => ({ data: { is_available: await canReadPhotos() } }),
    'POST /v1/menu-photos': async ({ file }) => {
      if (!looksLikePicture(file)) throw new AppError('unsupported_media_type', m.uploads_no_picture());
      return { data: await readPhoto(file) };
    },
  };
}

async function hasChanges(db: Db, { id, changes }: { id: string; changes: unknown }): Promise<boolean> {
  const isSame = sql<boolean>`changes = ${JSON.stringify(changes)}::jsonb`;
  return (
    (await db.selectFrom('menu_imports').select(isSame.as('is_same')).where('id', '=', id).executeTakeFirst())
      ?.is_same === true
  );
}

async function find(db: Db, id: string): Promise<ImportRow> {
  const row = await db.selectFrom('menu_imports').select(shown).where('id', '=', id).executeTakeFirst();
  if (!row) throw new AppError('not_found', m.platform_not_found());
  return row;
}

function present(row: ImportRow): MenuImport {
  return { ...row, created_at: row.created_at.toISOString(), finished_at: row.finished_at?.toISOString() ?? null };
}

const importQueue = 'menu-import';
/**
 * Milliseconds between writes of an import's progress. The writes are outside of the import's transaction, so that
 * others can read them.
 */
const sayEvery = 250;

/**
 * Starts the worker of imports. Each import is one transaction, so that customers never see half of an import. A
 * repeated job does nothing if the import was made, or is being made.
 */
async function startImports(
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
  const make = async (tx: Tx, afterCommit: RegisterAfterCommit) => {
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
    // An earlier release may have written the changes, so they are parsed again.
    const changes = MenuChanges.parse(isUndo ? found.undo : found.changes);
    await applyMenuChanges(edit, call, changes, (done) => {
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
    await menuTurns.take(() => changeWithEffects(services, make));
  } catch (error) {
    // The error is rethrown, so that the queue runs the job again. The import's stored state has not changed.
    if (error instanceof DatabaseUnavailable || (error instanceof AppError && error.code === 'unavailable'))
      throw error;
    services.log.warn({ err: error, import_id: id }, 'a menu import was not made');
    await fail(services, id, error);
    return;
  } finally {
    await saying.stop();
  }
}

/** Records that an import failed, without changing the menu. A failed undo leaves the import's changes in the menu. */
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
    // The state is checked again, because the import may have ended while this update waited for the row's lock.
    .where('state', 'in', ['waiting', 'undoing'])
    .execute();
}

function editingHandlers(
  { orders }: Pick<MenuServices, 'orders'>,
  edit: EditMenu,
): Handlers<typeof menuEditingEndpoints, Db, Tx> {
  return {
    'POST /v1/menus/{id}/restore': async ({ params, ...call }) => ({
      data: await edit(call, makeRestoreOperation('menu', params.id)),
    }),
    'POST /v1/categories/{id}/restore': async ({ params, ...call }) => ({
      data: await edit(call, makeRestoreOperation('category', params.id)),
    }),
    'POST /v1/items/{id}/restore': async ({ params, ...call }) => {
      const row = await edit(call, makeRestoreOperation('item', params.id));
      return { data: { ...presentItem(row), store_id: row.store_id } };
    },
    'POST /v1/options/{id}/restore': async ({ params, ...call }) =>
      presentOptionOrThrow(call.db, await edit(call, makeRestoreOperation('option', params.id))),
    'POST /v1/option-groups/{id}/restore': async ({ params, ...call }) => ({
      data: await edit(call, makeRestoreOperation('group', params.id)),
    }),

    'GET /v1/menus/store/{storeId}/parts': async ({ db, params }) => {
      const parts = await inSnapshot(db, (tx) => loadMenuParts(tx, params.storeId.toLowerCase()));
      if (!parts) throw new AppError('not_found', m.store_not_found());
      return { data: parts };
    },

    'POST /v1/menus/changes': async ({ body, ...call }) => {
      await applyMenuChanges(edit, call, body.changes);
    },

    'GET /v1/items/{id}/sold': async ({ db, params }) => {
      const found = await findPartRow(db, 'item', params.id);
      return { data: { sold: await orders.countSold(db, found.store_id, found.id) } };
    },
  };
}

/**
 * Makes several changes in the transaction `call.db`, with one announcement. An error names the refused change:
 * `change` is the index from 0, and the error's field names get the prefix `changes.N.body`.
 */
export async function applyMenuChanges(
  edit: EditMenu,
  call: OperationContext,
  changes: readonly MenuChangeCall[],
  onProgress: (done: number) => void = () => {},
): Promise<void> {
  const one = {
    ...call,
    announced: new Set<string>(),
    ...(changes.length > 1 && { parts: new Map<string, MenuParts>() }),
  };
  for (const [index, change] of changes.entries()) {
    try {
      await edit(one, parseChange(change));
    } catch (error) {
      throw error instanceof AppError ? within(error, index) : error;
    }
    onProgress(index + 1);
  }
}

/** Reads the operation of a change. Throws 422 for an invalid body, 404 for a missing id. */
function parseChange(change: MenuChangeCall): MenuOperation {
  const { body: schema }: Endpoint = menuChangeEndpoints[change.call];
  const body = schema ? parseInput(schema, change.body) : {};
  const operation = operationFromCall({ ...change, body: Object(body) }, randomUUIDv7);
  if (!operation || ('id' in operation && operation.id === '')) throw new AppError('not_found', m.platform_not_found());
  return operation;
}

/**
 * Names the refused change in the error: `change` is its index from 0, and its fields get the prefix `changes.N.body`.
 */
function within(error: AppError, index: number): AppError {
  const { errors, extra, headers } = error.detail;
  const named = Object.fromEntries(
    Object.entries(errors ?? {}).map(([field, messages]) => [`changes.${index}.body.${field}`, messages]),
  );
  return new AppError(error.code, error.message, {
    ...(errors && { errors: named }),
    extra: { ...extra, change: index },
    ...(headers && { headers }),
  });
}
