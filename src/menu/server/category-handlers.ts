import { randomUUIDv7 } from 'node:crypto';
import { m } from '#messages';
import type { Db, Tx } from '#database/schema.ts';
import { inSnapshot } from '#database/transaction.ts';
import type { Category, Menu } from '#menu/menu-shapes.ts';
import type { categories as calls, categoryRelations } from '#menu/contract-menus.ts';
import { change, create, link, remove, reorder, reorderCategories, unlink } from '#menu/operations/menu-operation.ts';
import type { EditMenu } from '#menu/server/editing/edit-menu.ts';
import { loadItemsOf } from '#menu/server/reading/load-menus.ts';
import { trimCategory } from '#menu/server/reading/trim-relations.ts';
import { readableCategories } from '#menu/server/reading/readable-parts.ts';
import { AppError } from '#platform/errors.ts';
import type { Handlers } from '#platform/http/serve.ts';
import { isStaff } from '#platform/http/viewer.ts';
import { readPage } from '#database/read-page.ts';

type Relation = (typeof categoryRelations)[number];

export function categoryHandlers(edit: EditMenu): Handlers<typeof calls, Db, Tx> {
  return {
    'GET /v1/categories': ({ db, query, viewer }) =>
      inSnapshot(db, (tx) =>
        readPage(tx, '/v1/categories', query, readableCategories(tx, viewer, query), (rows: Category[]) =>
          present(tx, rows, query.include, { activeOnly: !isStaff(viewer) }),
        ),
      ),

    'GET /v1/categories/{id}': ({ db, params, query, viewer }) =>
      inSnapshot(db, async (tx) => {
        const rows = await readableCategories(tx, viewer).where('categories.id', '=', params.id).execute();
        return { data: one(await present(tx, rows, query.include, { activeOnly: !isStaff(viewer) })) };
      }),

    'POST /v1/categories': async ({ body: { id = randomUUIDv7(), ...fields }, ...call }) => ({
      data: await edit(call, create('category', { ...fields, id })),
    }),

    'PATCH /v1/categories/{id}': async ({ params, body: { was, ...fields }, ...call }) => ({
      data: await edit(call, change('category', params.id, fields, was)),
    }),

    'DELETE /v1/categories/{id}': async ({ params, ...call }) => {
      await edit(call, remove('category', params.id));
    },

    'POST /v1/categories/reorder': async ({ body: { ids }, ...call }) => {
      const { id: menuId } = await edit(call, reorderCategories(ids));
      const rows = await call.db
        .selectFrom('categories')
        .selectAll()
        .where('menu_id', '=', menuId)
        .orderBy('position')
        .execute();
      return { data: rows };
    },

    'POST /v1/categories/{id}/items/add': async ({ params, body, ...call }) =>
      withItems(call.db, await edit(call, link('category', params.id, body.items))),

    'POST /v1/categories/{id}/items/remove': async ({ params, body, ...call }) =>
      withItems(call.db, await edit(call, unlink('category', params.id, body.items))),

    'POST /v1/categories/{id}/items/reorder': async ({ params, body, ...call }) =>
      withItems(call.db, await edit(call, reorder('category', params.id, body.itemIds))),
  };
}

async function withItems(db: Db, row: Category) {
  return { data: one(await present(db, [row], ['items'])) };
}

async function present(db: Db, rows: Category[], include: readonly Relation[], { activeOnly } = { activeOnly: false }) {
  const depth = include.filter((relation) => relation !== 'menu').length;
  const items =
    depth > 0
      ? await loadItemsOf(
          db,
          rows.map(({ id }) => id),
          activeOnly,
        )
      : null;
  const menus = include.includes('menu') ? await loadMenusOf(db, rows) : null;
  return rows.map((row) => {
    const menu = menus?.get(row.menu_id);
    return { ...trimCategory({ ...row, items: items?.get(row.id) ?? [] }, depth), ...(menu && { menu }) };
  });
}

async function loadMenusOf(db: Db, rows: readonly Category[]): Promise<Map<string, Menu>> {
  const ids = rows.map((row) => row.menu_id);
  if (ids.length === 0) return new Map();
  const menus = await db.selectFrom('menus').selectAll().where('id', 'in', ids).execute();
  return new Map(menus.map((menu) => [menu.id, menu]));
}

function one<T>([row]: T[]): T {
  if (row === undefined) throw new AppError('not_found', m.menu_category_not_found());
  return row;
}
