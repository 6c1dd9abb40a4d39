import { randomUUIDv7 } from 'node:crypto';
import { sql, type Selectable } from 'kysely';
import { m } from '#messages';
import type { Db, OptionGroupsTable, Tx } from '#database/schema.ts';
import { inSnapshot } from '#database/transaction.ts';
import { type optionGroups as calls, ShownGroup } from '#menu/endpoints-items.ts';
import { changeMenu, byId, findOptionGroup, storeFor } from '#menu/server/change-menu.ts';
import { dropLostConditions } from '#menu/server/conditions.ts';
import { loadOptionsOf } from '#menu/server/load-menus.ts';
import { keepInBin } from '#menu/server/menu-bin.ts';
import { addLinks, closeGaps, groupOptions, itemGroups, removeLinks, reorder } from '#menu/server/ordered-lists.ts';
import { pruneGroup } from '#menu/server/prune.ts';
import { readableOptionGroups } from '#menu/server/readable.ts';
import { AppError, invalid } from '#platform/errors.ts';
import { refuseIfChanged } from '#platform/http/guarded-change.ts';
import type { Handlers } from '#platform/http/serve.ts';
import { readPage } from '#database/read-page.ts';
import type { MenuServices } from '#menu/server/services.ts';

type GroupRow = Selectable<OptionGroupsTable>;
/** One may be chosen, or none: what a group is until it is told otherwise. */
const usualRules = { min_select: 0, max_select: 1, free_select: 0 };

export function optionGroupEndpoints(
  services: Pick<MenuServices, 'config' | 'menus' | 'outbox'>,
): Handlers<typeof calls, Db, Tx> {
  return {
    'GET /v1/option-groups': ({ db, query, viewer }) =>
      inSnapshot(db, (tx) =>
        readPage('/v1/option-groups', query, readableOptionGroups(tx, viewer, query), (rows: GroupRow[]) =>
          present(tx, rows, query.include.length),
        ),
      ),

    'GET /v1/option-groups/{id}': ({ db, params, query, viewer }) =>
      inSnapshot(db, async (tx) => {
        const rows = await readableOptionGroups(tx, viewer).where('option_groups.id', '=', params.id).execute();
        return answer(tx, rows, query.include.length);
      }),

    'POST /v1/option-groups': ({ body: { id = randomUUIDv7(), store_id, ...body }, ...call }) =>
      changeMenu(services, call, storeFor(services, store_id), async (tx, store) => {
        // A required group of which only the minimum is named allows just as many.
        const rules = { ...usualRules, max_select: Math.max(1, body.min_select ?? 0, body.free_select ?? 0), ...body };
        refuseOddRules(rules);
        const row = await tx
          .insertInto('option_groups')
          .values({ ...rules, id, store_id: store.store_id })
          .onConflict((conflict) => conflict.column('id').doNothing())
          .returningAll()
          .executeTakeFirst();
        return answer(tx, [row ?? (await findOptionGroup(tx, id))], 0);
      }),

    'PATCH /v1/option-groups/{id}': async ({ params, body: { was, ...change }, ...call }) => {
      const { options: prices, ...body } = change;
      return changeMenu(services, call, byId(findOptionGroup, params.id), async (tx, found) => {
        if (was) refuseIfChanged(ShownGroup, (await answer(tx, [found], prices ? 1 : 0)).data, { ...change, was });
        refuseOddRules({ ...found, ...body });
        if (Object.keys(body).length > 0)
          await tx.updateTable('option_groups').set(body).where('id', '=', found.id).execute();
        if (prices) await setPrices(tx, found.id, prices);
        return answer(tx, [await findOptionGroup(tx, found.id)], prices ? 1 : 0);
      });
    },

    'DELETE /v1/option-groups/{id}': ({ params, now, ...call }) =>
      changeMenu(services, call, byId(findOptionGroup, params.id), async (tx, found) => {
        await keepInBin(tx, 'option_groups', found, now);
        const links = await tx
          .deleteFrom('item_option_groups')
          .where('option_group_id', '=', found.id)
          .returning('item_id')
          .execute();
        await tx.deleteFrom('option_groups').where('id', '=', found.id).execute();
        await closeGaps(
          tx,
          itemGroups,
          links.map((link) => link.item_id),
        );
        await dropLostConditions(tx, found.store_id);
      }),

    'POST /v1/option-groups/{id}/options/add': ({ params, body, ...call }) =>
      changeMenu(services, call, byId(findOptionGroup, params.id), async (tx, found) => {
        await addLinks(tx, groupOptions, found.store_id, found.id, { field: 'options', ids: body.options });
        return answer(tx, [found], 1);
      }),

    'POST /v1/option-groups/{id}/options/remove': ({ params, body, ...call }) =>
      changeMenu(services, call, byId(findOptionGroup, params.id), async (tx, found) => {
        await removeLinks(tx, groupOptions, found.store_id, found.id, { field: 'options', ids: body.options });
        await dropLostConditions(tx, found.store_id);
        return answer(tx, [found], 1);
      }),

    'POST /v1/option-groups/{id}/options/reorder': ({ params, body, ...call }) =>
      changeMenu(services, call, byId(findOptionGroup, params.id), async (tx, found) => {
        await reorder(tx, groupOptions, found.id, { field: 'optionIds', ids: body.optionIds });
        return answer(tx, [found], 1);
      }),
  };
}

/** `depth` 1: with its options. */
async function present(db: Db, rows: readonly GroupRow[], depth: number) {
  const options =
    depth > 0
      ? await loadOptionsOf(
          db,
          rows.map(({ id }) => id),
        )
      : null;
  return rows.map((row) => pruneGroup({ ...row, options: options?.get(row.id) ?? [] }, depth));
}

async function answer(db: Db, rows: readonly GroupRow[], depth: number) {
  const [group] = await present(db, rows, depth);
  if (!group) throw new AppError('not_found', m.menu_option_group_not_found());
  return { data: group };
}

function refuseOddRules(rules: Pick<GroupRow, 'min_select' | 'max_select' | 'free_select'>): void {
  if (rules.min_select > rules.max_select) throw invalid('min_select', m.menu_group_min_over_max());
  if (rules.free_select > rules.max_select) throw invalid('free_select', m.menu_group_free_over_max());
}

/** Says what options cost in this group. Throws 422 for one that the group has not. */
async function setPrices(
  tx: Tx,
  groupId: string,
  prices: readonly { id: string; price_override: number | null }[],
): Promise<void> {
  const { rows } = await sql`
    update option_group_options as link set price = wanted.price_override
    from jsonb_to_recordset(${JSON.stringify(prices)}::jsonb) as wanted (id uuid, price_override int)
    where link.option_group_id = ${groupId} and link.option_id = wanted.id
    returning 1`.execute(tx);
  if (rows.length !== prices.length) throw invalid('options', m.menu_ids_unknown());
}
