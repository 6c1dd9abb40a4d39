import { m } from '#messages';
import type { Db, Tx } from '#database/schema.ts';
import { inSnapshot } from '#database/transaction.ts';
import type { editing as calls } from '#menu/contract-editing.ts';
import { restore } from '#menu/operations/menu-operation.ts';
import { findItem } from '#menu/server/editing/change-menu.ts';
import type { MenuOperations } from '#menu/server/editing/operation-table.ts';
import { loadParts } from '#menu/server/reading/load-parts.ts';
import { presentItem } from '#menu/server/reading/load-menus.ts';
import { makeChanges } from '#menu/server/editing/make-changes.ts';
import { showOption } from '#menu/server/reading/show-option.ts';
import { AppError } from '#platform/errors.ts';
import type { Handlers } from '#platform/http/serve.ts';
import type { MenuServices } from '#menu/server/services.ts';

export function editingHandlers(
  { orders }: Pick<MenuServices, 'orders'>,
  operations: MenuOperations,
): Handlers<typeof calls, Db, Tx> {
  const { menu, category, item, group, option } = operations;
  return {
    'POST /v1/menus/{id}/restore': async ({ params, ...call }) => ({
      data: await menu.restore(call, restore('menu', params.id)),
    }),
    'POST /v1/categories/{id}/restore': async ({ params, ...call }) => ({
      data: await category.restore(call, restore('category', params.id)),
    }),
    'POST /v1/items/{id}/restore': async ({ params, ...call }) => {
      const row = await item.restore(call, restore('item', params.id));
      return { data: { ...presentItem(row), store_id: row.store_id } };
    },
    'POST /v1/options/{id}/restore': async ({ params, ...call }) => ({
      data: showOption(await option.restore(call, restore('option', params.id))),
    }),
    'POST /v1/option-groups/{id}/restore': async ({ params, ...call }) => ({
      data: await group.restore(call, restore('group', params.id)),
    }),

    'GET /v1/menus/store/{storeId}/parts': async ({ db, params }) => {
      const parts = await inSnapshot(db, (tx) => loadParts(tx, params.storeId.toLowerCase()));
      if (!parts) throw new AppError('not_found', m.store_not_found());
      return { data: parts };
    },

    'POST /v1/menus/changes': async ({ body, ...call }) => {
      await makeChanges(operations, call, body.changes);
    },

    'GET /v1/items/{id}/sold': async ({ db, params }) => {
      const found = await findItem(db, params.id);
      return { data: { sold: await orders.countSold(db, found.store_id, found.id) } };
    },
  };
}
