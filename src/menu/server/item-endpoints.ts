import { randomUUIDv7 } from 'node:crypto';
import type { Selectable } from 'kysely';
import { m } from '#messages';
import type { Db, ItemsTable, Tx } from '#database/schema.ts';
import { inSnapshot } from '#database/transaction.ts';
import { type items as calls, ShownItem } from '#menu/endpoints-items.ts';
import type { ItemFields } from '#menu/fields.ts';
import { changeMenu, byId, findItem, storeFor } from '#menu/server/change-menu.ts';
import { dropLostConditions, setConditions } from '#menu/server/conditions.ts';
import { loadGroupsOf, presentItem } from '#menu/server/load-menus.ts';
import { keepInBin } from '#menu/server/menu-bin.ts';
import { addLinks, categoryItems, closeGaps, itemGroups, removeLinks, reorder } from '#menu/server/ordered-lists.ts';
import { pruneItem } from '#menu/server/prune.ts';
import { readableItems } from '#menu/server/readable.ts';
import { stockFields } from '#menu/operations/stock.ts';
import { AppError } from '#platform/errors.ts';
import { refuseIfChanged } from '#platform/http/guarded-change.ts';
import type { Handlers } from '#platform/http/serve.ts';
import { isStaffOf } from '#platform/http/viewer.ts';
import { readPage } from '#database/read-page.ts';
import type { MenuServices } from '#menu/server/services.ts';

type ItemRow = Selectable<ItemsTable>;
/** Hot takeaway food is standard-rated in the UK (VAT Notice 709/1). */
const usualVatRate = 2000;

export function itemEndpoints(
  services: Pick<MenuServices, 'config' | 'menus' | 'outbox'>,
): Handlers<typeof calls, Db, Tx> {
  return {
    'GET /v1/items': ({ db, query, viewer }) =>
      inSnapshot(db, (tx) =>
        readPage('/v1/items', query, readableItems(tx, viewer, query), (rows: ItemRow[]) =>
          present(tx, rows, query.include.length),
        ),
      ),

    'GET /v1/items/{id}': ({ db, params, query, viewer }) =>
      inSnapshot(db, async (tx) => {
        const rows = await readableItems(tx, viewer).where('items.id', '=', params.id).execute();
        return answer(tx, rows, query.include.length);
      }),

    'POST /v1/items': ({ body: { id = randomUUIDv7(), store_id, ...body }, ...call }) =>
      changeMenu(services, call, storeFor(services, store_id), async (tx, store) => {
        const { name, price, vat_rate = usualVatRate } = body;
        const row = await tx
          .insertInto('items')
          .values({ ...toColumns(body), name, price, vat_rate, id, store_id: store.store_id })
          .onConflict((conflict) => conflict.column('id').doNothing())
          .returningAll()
          .executeTakeFirst();
        return answer(tx, [row ?? (await findCreated(tx, id))], 0);
      }),

    'PATCH /v1/items/{id}': async ({ params, body: { was, ...change }, ...call }) => {
      const { option_groups: conditions, ...body } = change;
      return changeMenu(services, call, byId(findItem, params.id), async (tx, found) => {
        if (was) refuseIfChanged(ShownItem, (await answer(tx, [found], conditions ? 1 : 0)).data, { ...change, was });
        const columns = toColumns(body);
        if (Object.keys(columns).length > 0)
          await tx.updateTable('items').set(columns).where('id', '=', found.id).execute();
        if (conditions) await setConditions(tx, found.id, conditions);
        return answer(tx, [await findItem(tx, found.id)], conditions ? 1 : 0);
      });
    },

    'DELETE /v1/items/{id}': ({ params, now, ...call }) =>
      changeMenu(services, call, byId(findItem, params.id), async (tx, found) => {
        await keepInBin(tx, 'items', found, now);
        const links = await tx
          .deleteFrom('category_items')
          .where('item_id', '=', found.id)
          .returning('category_id')
          .execute();
        await tx.deleteFrom('item_option_groups').where('item_id', '=', found.id).execute();
        await tx.updateTable('items').set({ deleted_at: now }).where('id', '=', found.id).execute();
        await closeGaps(
          tx,
          categoryItems,
          links.map((link) => link.category_id),
        );
      }),

    'POST /v1/items/{id}/availability': async ({ params, body, viewer, ...call }) => {
      const findOwn = async (tx: Tx) => {
        const item = await findItem(tx, params.id);
        if (!isStaffOf(viewer, item.store_id)) throw new AppError('forbidden', m.platform_forbidden());
        return item;
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

    'POST /v1/items/{id}/option-groups/add': ({ params, body, ...call }) =>
      changeMenu(services, call, byId(findItem, params.id), async (tx, found) => {
        await addLinks(tx, itemGroups, found.store_id, found.id, { field: 'option_groups', ids: body.option_groups });
        return answer(tx, [found], 1);
      }),

    'POST /v1/items/{id}/option-groups/remove': ({ params, body, ...call }) =>
      changeMenu(services, call, byId(findItem, params.id), async (tx, found) => {
        await removeLinks(tx, itemGroups, found.store_id, found.id, {
          field: 'option_groups',
          ids: body.option_groups,
        });
        await dropLostConditions(tx, found.store_id);
        return answer(tx, [found], 1);
      }),

    'POST /v1/items/{id}/option-groups/reorder': ({ params, body, ...call }) =>
      changeMenu(services, call, byId(findItem, params.id), async (tx, found) => {
        await reorder(tx, itemGroups, found.id, { field: 'optionGroupIds', ids: body.optionGroupIds });
        return answer(tx, [found], 1);
      }),
  };
}

/** `depth` 1: with the option groups; 2: with their options. */
async function present(db: Db, rows: readonly ItemRow[], depth: number) {
  const groups =
    depth > 0
      ? await loadGroupsOf(
          db,
          rows.map(({ id }) => id),
        )
      : null;
  return rows.map((row) => {
    const item = { ...presentItem(row), store_id: row.store_id, option_groups: groups?.get(row.id) ?? [] };
    return pruneItem(item, depth);
  });
}

async function answer(db: Db, rows: readonly ItemRow[], depth: number) {
  const [item] = await present(db, rows, depth);
  if (!item) throw new AppError('not_found', m.menu_item_not_found());
  return { data: item };
}

/** The item that the same call made before. */
async function findCreated(tx: Tx, id: string): Promise<ItemRow> {
  const row = await tx.selectFrom('items').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  if (row.deleted_at) throw new AppError('conflict', m.menu_item_was_deleted());
  return row;
}

function toColumns({ allergens, ...fields }: Partial<ItemFields>) {
  return {
    ...fields,
    ...stockFields(fields),
    ...(allergens !== undefined && { allergens: allergens && JSON.stringify(allergens) }),
  };
}
