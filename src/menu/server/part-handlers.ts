import { randomUUIDv7 } from 'node:crypto';
import type { Db, ItemsTable, OptionGroupsTable, OptionsTable, Tx } from '#database/schema.ts';
import type {
  menuEndpoints as calls,
  categoryEndpoints,
  categoryRelations,
  itemEndpoints,
  optionGroupEndpoints,
  optionEndpoints,
} from '#menu/contract-parts.ts';
import {
  makeChangeOperation,
  makeCreateOperation,
  makeLinkOperation,
  makeRemoveOperation,
  makeReorderOperation,
  makeReorderCategoriesOperation,
  makeUnlinkOperation,
} from '#menu/operations/menu-operation.ts';
import { type EditMenu, findPartRow } from '#menu/server/editing/edit-menu.ts';
import type { Handlers } from '#platform/http/serve.ts';
import type { CachedMenuCall } from '#menu/server/services.ts';
import { m } from '#messages';
import { inSnapshot } from '#database/transaction.ts';
import type { Category, Menu } from '#menu/menu-shapes.ts';
import {
  loadItemsOf,
  presentGroups,
  presentItems,
  presentOptions,
  limitCategoryDepth,
} from '#menu/server/reading/load-menus.ts';
import {
  readableCategories,
  readableItems,
  readableOptionGroups,
  readableOptions,
} from '#menu/server/reading/readable-parts.ts';
import { AppError } from '#platform/errors.ts';
import { isStaff, isStaffOf } from '#platform/http/viewer.ts';
import { readPage } from '#database/read-page.ts';
import type { Selectable } from 'kysely';

export function menuPartHandlers(edit: EditMenu): Handlers<Omit<typeof calls, CachedMenuCall>, Db, Tx> {
  return {
    'POST /v1/menus': async ({ body: { id = randomUUIDv7(), ...fields }, ...call }) => ({
      data: await edit(call, makeCreateOperation('menu', { ...fields, id })),
    }),

    'PATCH /v1/menus/{id}': async ({ params, body: { was, ...fields }, ...call }) => ({
      data: await edit(call, makeChangeOperation('menu', params.id, fields, was)),
    }),

    'DELETE /v1/menus/{id}': async ({ params, ...call }) => {
      await edit(call, makeRemoveOperation('menu', params.id));
    },
  };
}

type Relation = (typeof categoryRelations)[number];

export function categoryHandlers(edit: EditMenu): Handlers<typeof categoryEndpoints, Db, Tx> {
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
      data: await edit(call, makeCreateOperation('category', { ...fields, id })),
    }),

    'PATCH /v1/categories/{id}': async ({ params, body: { was, ...fields }, ...call }) => ({
      data: await edit(call, makeChangeOperation('category', params.id, fields, was)),
    }),

    'DELETE /v1/categories/{id}': async ({ params, ...call }) => {
      await edit(call, makeRemoveOperation('category', params.id));
    },

    'POST /v1/categories/reorder': async ({ body: { ids }, ...call }) => {
      const { id: menuId } = await edit(call, makeReorderCategoriesOperation(ids));
      const rows = await call.db
        .selectFrom('categories')
        .selectAll()
        .where('menu_id', '=', menuId)
        .orderBy('position')
        .execute();
      return { data: rows };
    },

    'POST /v1/categories/{id}/items/add': async ({ params, body, ...call }) =>
      withItems(call.db, await edit(call, makeLinkOperation('category', params.id, body.items))),

    'POST /v1/categories/{id}/items/remove': async ({ params, body, ...call }) =>
      withItems(call.db, await edit(call, makeUnlinkOperation('category', params.id, body.items))),

    'POST /v1/categories/{id}/items/reorder': async ({ params, body, ...call }) =>
      withItems(call.db, await edit(call, makeReorderOperation('category', params.id, body.itemIds))),
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
    return { ...limitCategoryDepth({ ...row, items: items?.get(row.id) ?? [] }, depth), ...(menu && { menu }) };
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

type ItemRow = Selectable<ItemsTable>;

export function itemHandlers(edit: EditMenu): Handlers<typeof itemEndpoints, Db, Tx> {
  return {
    'GET /v1/items': ({ db, query, viewer }) =>
      inSnapshot(db, (tx) =>
        readPage(tx, '/v1/items', query, readableItems(tx, viewer, query), (rows: ItemRow[]) =>
          presentItems(tx, rows, query.include.length),
        ),
      ),

    'GET /v1/items/{id}': ({ db, params, query, viewer }) =>
      inSnapshot(db, async (tx) => {
        const rows = await readableItems(tx, viewer).where('items.id', '=', params.id).execute();
        return answer(tx, rows, query.include.length);
      }),

    'POST /v1/items': async ({ body: { id = randomUUIDv7(), ...fields }, ...call }) =>
      answer(call.db, [await edit(call, makeCreateOperation('item', { ...fields, id }))], 0),

    'PATCH /v1/items/{id}': async ({ params, body: { was, ...fields }, ...call }) =>
      answer(
        call.db,
        [await edit(call, makeChangeOperation('item', params.id, fields, was))],
        fields.option_groups ? 1 : 0,
      ),

    'DELETE /v1/items/{id}': async ({ params, ...call }) => {
      await edit(call, makeRemoveOperation('item', params.id));
    },

    'POST /v1/items/{id}/availability': async ({ params, body, viewer, ...call }) => {
      const found = await findPartRow(call.db, 'item', params.id);
      if (!isStaffOf(viewer, found.store_id)) throw new AppError('forbidden', m.platform_forbidden());
      return answer(call.db, [await edit(call, makeChangeOperation('item', params.id, body))], 2);
    },

    'POST /v1/items/{id}/option-groups/add': async ({ params, body, ...call }) =>
      answer(call.db, [await edit(call, makeLinkOperation('item', params.id, body.option_groups))], 1),

    'POST /v1/items/{id}/option-groups/remove': async ({ params, body, ...call }) =>
      answer(call.db, [await edit(call, makeUnlinkOperation('item', params.id, body.option_groups))], 1),

    'POST /v1/items/{id}/option-groups/reorder': async ({ params, body, ...call }) =>
      answer(call.db, [await edit(call, makeReorderOperation('item', params.id, body.optionGroupIds))], 1),
  };
}

async function answer(db: Db, rows: readonly ItemRow[], depth: number) {
  const [shown] = await presentItems(db, rows, depth);
  if (!shown) throw new AppError('not_found', m.menu_item_not_found());
  return { data: shown };
}

type GroupRow = Selectable<OptionGroupsTable>;

export function optionGroupHandlers(edit: EditMenu): Handlers<typeof optionGroupEndpoints, Db, Tx> {
  return {
    'GET /v1/option-groups': ({ db, query, viewer }) =>
      inSnapshot(db, (tx) =>
        readPage(tx, '/v1/option-groups', query, readableOptionGroups(tx, viewer, query), (rows: GroupRow[]) =>
          presentGroups(tx, rows, query.include.length),
        ),
      ),

    'GET /v1/option-groups/{id}': ({ db, params, query, viewer }) =>
      inSnapshot(db, async (tx) => {
        const rows = await readableOptionGroups(tx, viewer).where('option_groups.id', '=', params.id).execute();
        return answerGroup(tx, rows, query.include.length);
      }),

    'POST /v1/option-groups': async ({ body: { id = randomUUIDv7(), ...fields }, ...call }) =>
      answerGroup(call.db, [await edit(call, makeCreateOperation('group', { ...fields, id }))], 0),

    'PATCH /v1/option-groups/{id}': async ({ params, body: { was, ...fields }, ...call }) =>
      answerGroup(
        call.db,
        [await edit(call, makeChangeOperation('group', params.id, fields, was))],
        fields.options ? 1 : 0,
      ),

    'DELETE /v1/option-groups/{id}': async ({ params, ...call }) => {
      await edit(call, makeRemoveOperation('group', params.id));
    },

    'POST /v1/option-groups/{id}/options/add': async ({ params, body, ...call }) =>
      answerGroup(call.db, [await edit(call, makeLinkOperation('group', params.id, body.options))], 1),

    'POST /v1/option-groups/{id}/options/remove': async ({ params, body, ...call }) =>
      answerGroup(call.db, [await edit(call, makeUnlinkOperation('group', params.id, body.options))], 1),

    'POST /v1/option-groups/{id}/options/reorder': async ({ params, body, ...call }) =>
      answerGroup(call.db, [await edit(call, makeReorderOperation('group', params.id, body.optionIds))], 1),
  };
}

async function answerGroup(db: Db, rows: readonly GroupRow[], depth: number) {
  const [shown] = await presentGroups(db, rows, depth);
  if (!shown) throw new AppError('not_found', m.menu_option_group_not_found());
  return { data: shown };
}

export function optionHandlers(edit: EditMenu): Handlers<typeof optionEndpoints, Db, Tx> {
  return {
    'GET /v1/options': ({ db, query, viewer }) =>
      inSnapshot(db, (tx) =>
        readPage(tx, '/v1/options', query, readableOptions(tx, viewer, query), (rows: Selectable<OptionsTable>[]) =>
          presentOptions(tx, rows),
        ),
      ),

    'GET /v1/options/{id}': ({ db, params, viewer }) =>
      inSnapshot(db, async (tx) =>
        presentOptionOrThrow(
          tx,
          await readableOptions(tx, viewer).where('options.id', '=', params.id).executeTakeFirst(),
        ),
      ),

    'POST /v1/options': async ({ body: { id = randomUUIDv7(), ...fields }, ...call }) =>
      presentOptionOrThrow(call.db, await edit(call, makeCreateOperation('option', { ...fields, id }))),

    'PATCH /v1/options/{id}': async ({ params, body: { was, ...fields }, ...call }) =>
      presentOptionOrThrow(call.db, await edit(call, makeChangeOperation('option', params.id, fields, was))),

    'DELETE /v1/options/{id}': async ({ params, ...call }) => {
      await edit(call, makeRemoveOperation('option', params.id));
    },

    'POST /v1/options/{id}/availability': async ({ params, body, viewer, ...call }) => {
      const found = await findPartRow(call.db, 'option', params.id);
      if (!isStaffOf(viewer, found.store_id)) throw new AppError('forbidden', m.platform_forbidden());
      // A choice that is a dish is sold out with its dish.
      if (found.item_id !== null) await edit(call, makeChangeOperation('item', found.item_id, body));
      return presentOptionOrThrow(
        call.db,
        found.item_id === null ? await edit(call, makeChangeOperation('option', params.id, body)) : found,
      );
    },
  };
}

export async function presentOptionOrThrow(db: Db, row: Selectable<OptionsTable> | undefined) {
  const [shown] = await presentOptions(db, row ? [row] : []);
  if (!shown) throw new AppError('not_found', m.menu_option_not_found());
  return { data: shown };
}
