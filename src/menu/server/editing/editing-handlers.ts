import { m } from '#messages';
import type { Db, Tx } from '#database/schema.ts';
import { inSnapshot } from '#database/transaction.ts';
import type { editing as calls } from '#menu/contract-editing.ts';
import { restore } from '#menu/operations/menu-operation.ts';
import { findRow } from '#menu/server/editing/find-row.ts';
import type { EditMenu } from '#menu/server/editing/edit-menu.ts';
import { loadParts } from '#menu/server/reading/load-parts.ts';
import { presentItem } from '#menu/server/reading/load-menus.ts';
import { makeChanges } from '#menu/server/editing/make-changes.ts';
import { showOption } from '#menu/server/reading/show-option.ts';
import { AppError } from '#platform/errors.ts';
import type { Handlers } from '#platform/http/serve.ts';
import type { MenuServices } from '#menu/server/services.ts';

export function editingHandlers(
  { orders }: Pick<MenuServices, 'orders'>,
  edit: EditMenu,
): Handlers<typeof calls, Db, Tx> {
  return {
    'POST /v1/menus/{id}/restore': async ({ params, ...call }) => ({
      data: await edit(call, restore('menu', params.id)),
    }),
    'POST /v1/categories/{id}/restore': async ({ params, ...call }) => ({
      data: await edit(call, restore('category', params.id)),
    }),
    'POST /v1/items/{id}/restore': async ({ params, ...call }) => {
      const row = await edit(call, restore('item', params.id));
      return { data: { ...presentItem(row), store_id: row.store_id } };
    },
    'POST /v1/options/{id}/restore': async ({ params, ...call }) => ({
      data: showOption(await edit(call, restore('option', params.id))),
    }),
    'POST /v1/option-groups/{id}/restore': async ({ params, ...call }) => ({
      data: await edit(call, restore('group', params.id)),
    }),

    'GET /v1/menus/store/{storeId}/parts': async ({ db, params }) => {
      const parts = await inSnapshot(db, (tx) => loadParts(tx, params.storeId.toLowerCase()));
      if (!parts) throw new AppError('not_found', m.store_not_found());
      return { data: parts };
    },

    'POST /v1/menus/changes': async ({ body, ...call }) => {
      await makeChanges(edit, call, body.changes);
    },

    'GET /v1/items/{id}/sold': async ({ db, params }) => {
      const found = await findRow(db, 'item', params.id);
      return { data: { sold: await orders.countSold(db, found.store_id, found.id) } };
    },
  };
}
