import { randomUUIDv7 } from 'node:crypto';
import { m } from '#messages';
import type { Db, Tx } from '#database/schema.ts';
import { inSnapshot } from '#database/transaction.ts';
import type { Category, Menu } from '#menu/contract.ts';
import { type categories as calls, type categoryRelations, ShownCategory } from '#menu/endpoints-menus.ts';
import { changeMenu, byId, findCategory, findMenu } from '#menu/server/change-menu.ts';
import { loadItemsOf } from '#menu/server/load-menus.ts';
import { keepInBin } from '#menu/server/menu-bin.ts';
import {
  addLinks,
  categoryItems,
  closeGaps,
  endOf,
  menuCategories,
  removeLinks,
  reorder,
} from '#menu/server/ordered-lists.ts';
import { pruneCategory } from '#menu/server/prune.ts';
import { readableCategories } from '#menu/server/readable.ts';
import { AppError, invalid } from '#platform/errors.ts';
import { refuseIfChanged } from '#platform/http/guarded-change.ts';
import type { Handlers } from '#platform/http/serve.ts';
import { isStaff } from '#platform/http/viewer.ts';
import { readPage } from '#database/read-page.ts';
import type { MenuServices } from '#menu/server/services.ts';

type Relation = (typeof categoryRelations)[number];

export function categoryEndpoints(services: Pick<MenuServices, 'menus' | 'outbox'>): Handlers<typeof calls, Db, Tx> {
  return {
    'GET /v1/categories': ({ db, query, viewer }) =>
      inSnapshot(db, (tx) =>
        readPage('/v1/categories', query, readableCategories(tx, viewer, query), (rows: Category[]) =>
          present(tx, rows, query.include, { activeOnly: !isStaff(viewer) }),
        ),
      ),

    'GET /v1/categories/{id}': ({ db, params, query, viewer }) =>
      inSnapshot(db, async (tx) => {
        const rows = await readableCategories(tx, viewer).where('categories.id', '=', params.id).execute();
        return { data: one(await present(tx, rows, query.include, { activeOnly: !isStaff(viewer) })) };
      }),

    'POST /v1/categories': ({ body: { id = randomUUIDv7(), ...body }, ...call }) =>
      changeMenu(services, call, byId(findMenuNamed, body.menu_id), async (tx) => {
        const row = await tx
          .insertInto('categories')
          .values({ ...body, id, position: endOf(menuCategories, body.menu_id) })
          .onConflict((conflict) => conflict.column('id').doNothing())
          .returningAll()
          .executeTakeFirst();
        return { data: row ?? (await findCategory(tx, id)) };
      }),

    'PATCH /v1/categories/{id}': ({ params, body: { was, ...body }, ...call }) =>
      changeMenu(services, call, byId(findCategory, params.id), async (tx, found) => {
        refuseIfChanged(ShownCategory, found, { ...body, was });
        const { menu_id: menuId = found.menu_id } = body;
        const moves = menuId !== found.menu_id;
        if (moves && (await findMenuNamed(tx, menuId)).store_id !== found.store_id)
          throw invalid('menu_id', m.menu_not_found());
        const columns = { ...body, ...(moves && { position: endOf(menuCategories, menuId) }) };
        if (Object.keys(columns).length > 0)
          await tx.updateTable('categories').set(columns).where('id', '=', found.id).execute();
        if (moves) await closeGaps(tx, menuCategories, [found.menu_id]);
        return { data: await findCategory(tx, found.id) };
      }),

    'DELETE /v1/categories/{id}': ({ params, now, ...call }) =>
      changeMenu(services, call, byId(findCategory, params.id), async (tx, found) => {
        await keepInBin(tx, 'categories', found, now);
        await tx.deleteFrom('categories').where('id', '=', found.id).execute();
        await closeGaps(tx, menuCategories, [found.menu_id]);
      }),

    'POST /v1/categories/reorder': async ({ body: { ids }, ...call }) => {
      const [first = ''] = ids;
      return changeMenu(services, call, byId(findNamed, first), async (tx, found) => {
        await reorder(tx, menuCategories, found.menu_id, { field: 'ids', ids });
        const rows = await tx
          .selectFrom('categories')
          .selectAll()
          .where('menu_id', '=', found.menu_id)
          .orderBy('position')
          .execute();
        return { data: rows };
      });
    },

    'POST /v1/categories/{id}/items/add': ({ params, body, ...call }) =>
      changeMenu(services, call, byId(findCategory, params.id), async (tx, found) => {
        await addLinks(tx, categoryItems, found.store_id, found.id, { field: 'items', ids: body.items });
        return { data: one(await present(tx, [found], ['items'])) };
      }),

    'POST /v1/categories/{id}/items/remove': ({ params, body, ...call }) =>
      changeMenu(services, call, byId(findCategory, params.id), async (tx, found) => {
        await removeLinks(tx, categoryItems, found.store_id, found.id, { field: 'items', ids: body.items });
        return { data: one(await present(tx, [found], ['items'])) };
      }),

    'POST /v1/categories/{id}/items/reorder': ({ params, body, ...call }) =>
      changeMenu(services, call, byId(findCategory, params.id), async (tx, found) => {
        await reorder(tx, categoryItems, found.id, { field: 'itemIds', ids: body.itemIds });
        return { data: one(await present(tx, [found], ['items'])) };
      }),
  };
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
    return { ...pruneCategory({ ...row, items: items?.get(row.id) ?? [] }, depth), ...(menu && { menu }) };
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

/** As named in a body: an unknown one is the field's fault. */
async function findMenuNamed(tx: Tx, id: string) {
  return findMenu(tx, id).catch(blame('menu_id', m.menu_not_found()));
}

async function findNamed(tx: Tx, id: string) {
  return findCategory(tx, id).catch(blame('ids', m.menu_ids_unknown()));
}

function blame(field: string, message: string) {
  return (error: unknown): never => {
    throw error instanceof AppError && error.code === 'not_found' ? invalid(field, message) : error;
  };
}
