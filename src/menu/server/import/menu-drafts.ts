import { randomUUIDv7 } from 'node:crypto';
import { type Selectable, sql, type SqlBool } from 'kysely';
import { m } from '#messages';
import { readPage } from '#database/read-page.ts';
import type { Db, MenuDraftsTable, Tx } from '#database/schema.ts';
import type { MenuDraftRow, menuDraftEndpoints } from '#menu/contract.ts';
import { AppError, invalidFieldError } from '#platform/errors.ts';
import type { Handlers } from '#platform/http/serve.ts';
import { areStoresLive } from '#store/server/store-views.ts';

/** Milliseconds from a draft's last change until it expires. */
const retention = 7 * 24 * 60 * 60 * 1000;

const answeredColumns = [
  'id',
  'store_id',
  'file_name',
  'file_hash',
  'header_shape',
  'columns',
  'updated_at',
  'imported_at',
] as const;
type DraftRow = Pick<Selectable<MenuDraftsTable>, (typeof answeredColumns)[number]> & { has_content: SqlBool };
const hasContent = sql<SqlBool>`content is not null`.as('has_content');

export function draftHandlers(): Handlers<typeof menuDraftEndpoints, Db, Tx> {
  return {
    'POST /v1/menu-drafts': async ({ db, body, now }) => {
      const { is_imported: isImported, content, ...fields } = body;
      if (!(await areStoresLive(db, [body.store_id]))) throw invalidFieldError('store_id', m.store_not_found());
      const saved = {
        ...fields,
        content: isImported ? null : content,
        updated_at: now,
        ...(isImported && { imported_at: now }),
      };
      const row = await db
        .insertInto('menu_drafts')
        .values({ id: randomUUIDv7(), ...saved })
        .onConflict((conflict) => conflict.columns(['store_id', 'file_hash']).doUpdateSet(saved))
        .returning([...answeredColumns, hasContent])
        .executeTakeFirstOrThrow();
      await db
        .updateTable('menu_drafts')
        .set({ content: null })
        .where('store_id', '=', body.store_id)
        .where('updated_at', '<', new Date(now.getTime() - retention))
        .where('content', 'is not', null)
        .execute();
      return { data: presentDraft(row, now) };
    },

    'GET /v1/menu-drafts': async ({ db, query, now }) => {
      const list = db
        .selectFrom('menu_drafts')
        .select([...answeredColumns, hasContent])
        .where('store_id', '=', query.store_id)
        .orderBy('updated_at', 'desc')
        .orderBy('id', 'desc');
      return readPage(db, '/v1/menu-drafts', query, list, async (rows: DraftRow[]) =>
        rows.map((row) => presentDraft(row, now)),
      );
    },

    'GET /v1/menu-drafts/{id}': async ({ db, params, now }) => {
      const row = await db
        .selectFrom('menu_drafts')
        .select([...answeredColumns, hasContent, 'content'])
        .where('id', '=', params.id)
        .executeTakeFirst();
      if (!row) throw new AppError('not_found', m.platform_not_found());
      const presented = presentDraft(row, now);
      return { data: { ...presented, content: presented.is_open ? row.content : null } };
    },

    'DELETE /v1/menu-drafts/{id}': async ({ db, params, query }) => {
      const row = await db
        .selectFrom('menu_drafts')
        .select('updated_at')
        .where('id', '=', params.id)
        .executeTakeFirst();
      if (!row) throw new AppError('not_found', m.platform_not_found());
      const seen = query.updated_at === undefined ? row.updated_at : new Date(query.updated_at);
      const discarded = await db
        .updateTable('menu_drafts')
        .set({ content: null })
        .where('id', '=', params.id)
        .where('updated_at', '=', seen)
        .returning('id')
        .execute();
      if (discarded.length === 0) throw new AppError('conflict', m.menu_import_draft_in_use());
    },
  };
}

function presentDraft(row: DraftRow, now: Date): MenuDraftRow {
  const { id, store_id, file_name, file_hash, header_shape, columns, updated_at: at, imported_at: imported } = row;
  return {
    id,
    store_id,
    file_name,
    file_hash,
    header_shape,
    columns,
    content: null,
    is_open: imported === null && row.has_content === true && now.getTime() - at.getTime() < retention,
    updated_at: at.toISOString(),
    imported_at: imported?.toISOString() ?? null,
  };
}
