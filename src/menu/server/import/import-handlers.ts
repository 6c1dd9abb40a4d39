import type { Selectable } from 'kysely';
import { m } from '#messages';
import type { Db, MenuImportsTable, Tx } from '#database/schema.ts';
import type { imports, MenuImport } from '#menu/contract-imports.ts';
import { importQueue } from '#menu/server/import/import-worker.ts';
import { AppError, invalid } from '#platform/errors.ts';
import type { Handlers } from '#platform/http/serve.ts';
import { readPage } from '#database/read-page.ts';
import { areAllLive } from '#store/server/store-views.ts';
import type { MenuServices } from '#menu/server/services.ts';

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

export function importHandlers({ jobs }: Pick<MenuServices, 'jobs'>): Handlers<typeof imports, Db, Tx> {
  return {
    'POST /v1/menu-imports': async ({ db, body, viewer, now }) => {
      if (!(await areAllLive(db, [body.store_id]))) throw invalid('store_id', m.store_not_found());
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

async function find(db: Db, id: string): Promise<ImportRow> {
  const row = await db.selectFrom('menu_imports').select(shown).where('id', '=', id).executeTakeFirst();
  if (!row) throw new AppError('not_found', m.platform_not_found());
  return row;
}

function present(row: ImportRow): MenuImport {
  return { ...row, created_at: row.created_at.toISOString(), finished_at: row.finished_at?.toISOString() ?? null };
}
