import { randomUUIDv7 } from 'node:crypto';
import type { Selectable } from 'kysely';
import { m } from '#messages';
import type { Db, ItemsTable, Tx } from '#database/schema.ts';
import { inSnapshot } from '#database/transaction.ts';
import type { items as calls } from '#menu/contract-items.ts';
import { change, create, link, remove, reorder, unlink } from '#menu/operations/menu-operation.ts';
import { stockFields } from '#menu/sold-out.ts';
import { changeMenu, findItem } from '#menu/server/editing/change-menu.ts';
import type { MenuOperations } from '#menu/server/editing/operation-table.ts';
import { readableItems } from '#menu/server/reading/readable-parts.ts';
import { presentItems } from '#menu/server/reading/present-items.ts';
import { AppError } from '#platform/errors.ts';
import type { Handlers } from '#platform/http/serve.ts';
import { isStaffOf } from '#platform/http/viewer.ts';
import { readPage } from '#database/read-page.ts';
import type { MenuServices } from '#menu/server/services.ts';

type ItemRow = Selectable<ItemsTable>;

export function itemHandlers(
  services: Pick<MenuServices, 'menus' | 'outbox'>,
  { item }: MenuOperations,
): Handlers<typeof calls, Db, Tx> {
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
      answer(call.db, [await item.create(call, create('item', { ...fields, id }))], 0),

    'PATCH /v1/items/{id}': async ({ params, body: { was, ...fields }, ...call }) =>
      answer(call.db, [await item.change(call, change('item', params.id, fields, was))], fields.option_groups ? 1 : 0),

    'DELETE /v1/items/{id}': ({ params, ...call }) => item.remove(call, remove('item', params.id)),

    'POST /v1/items/{id}/availability': async ({ params, body, viewer, ...call }) => {
      const findOwn = async (tx: Tx) => {
        const found = await findItem(tx, params.id);
        if (!isStaffOf(viewer, found.store_id)) throw new AppError('forbidden', m.platform_forbidden());
        return found;
      };
      return changeMenu(services, call, findOwn, async (tx, found) => {
        const row = await tx
          .updateTable('items')
          .set(stockFields(body))
          .where('id', '=', found.id)
          .returningAll()
          .executeTakeFirstOrThrow();
        return answer(tx, [row], 2);
      });
    },

    'POST /v1/items/{id}/option-groups/add': async ({ params, body, ...call }) =>
      answer(call.db, [await item.link(call, link('item', params.id, body.option_groups))], 1),

    'POST /v1/items/{id}/option-groups/remove': async ({ params, body, ...call }) =>
      answer(call.db, [await item.unlink(call, unlink('item', params.id, body.option_groups))], 1),

    'POST /v1/items/{id}/option-groups/reorder': async ({ params, body, ...call }) =>
      answer(call.db, [await item.reorder(call, reorder('item', params.id, body.optionGroupIds))], 1),
  };
}

async function answer(db: Db, rows: readonly ItemRow[], depth: number) {
  const [shown] = await presentItems(db, rows, depth);
  if (!shown) throw new AppError('not_found', m.menu_item_not_found());
  return { data: shown };
}
