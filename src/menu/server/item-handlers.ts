import { randomUUIDv7 } from 'node:crypto';
import type { Selectable } from 'kysely';
import { m } from '#messages';
import type { Db, ItemsTable, Tx } from '#database/schema.ts';
import { inSnapshot } from '#database/transaction.ts';
import type { items as calls } from '#menu/contract-items.ts';
import { change, create, link, remove, reorder, unlink } from '#menu/operations/menu-operation.ts';
import { findRow } from '#menu/server/editing/find-row.ts';
import type { EditMenu } from '#menu/server/editing/edit-menu.ts';
import { readableItems } from '#menu/server/reading/readable-parts.ts';
import { presentItems } from '#menu/server/reading/present-items.ts';
import { AppError } from '#platform/errors.ts';
import type { Handlers } from '#platform/http/serve.ts';
import { isStaffOf } from '#platform/http/viewer.ts';
import { readPage } from '#database/read-page.ts';

type ItemRow = Selectable<ItemsTable>;

export function itemHandlers(edit: EditMenu): Handlers<typeof calls, Db, Tx> {
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
      answer(call.db, [await edit(call, create('item', { ...fields, id }))], 0),

    'PATCH /v1/items/{id}': async ({ params, body: { was, ...fields }, ...call }) =>
      answer(call.db, [await edit(call, change('item', params.id, fields, was))], fields.option_groups ? 1 : 0),

    'DELETE /v1/items/{id}': async ({ params, ...call }) => {
      await edit(call, remove('item', params.id));
    },

    'POST /v1/items/{id}/availability': async ({ params, body, viewer, ...call }) => {
      const found = await findRow(call.db, 'item', params.id);
      if (!isStaffOf(viewer, found.store_id)) throw new AppError('forbidden', m.platform_forbidden());
      return answer(call.db, [await edit(call, change('item', params.id, body))], 2);
    },

    'POST /v1/items/{id}/option-groups/add': async ({ params, body, ...call }) =>
      answer(call.db, [await edit(call, link('item', params.id, body.option_groups))], 1),

    'POST /v1/items/{id}/option-groups/remove': async ({ params, body, ...call }) =>
      answer(call.db, [await edit(call, unlink('item', params.id, body.option_groups))], 1),

    'POST /v1/items/{id}/option-groups/reorder': async ({ params, body, ...call }) =>
      answer(call.db, [await edit(call, reorder('item', params.id, body.optionGroupIds))], 1),
  };
}

async function answer(db: Db, rows: readonly ItemRow[], depth: number) {
  const [shown] = await presentItems(db, rows, depth);
  if (!shown) throw new AppError('not_found', m.menu_item_not_found());
  return { data: shown };
}
