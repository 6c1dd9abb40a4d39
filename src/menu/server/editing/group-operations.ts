import { type Selectable, sql } from 'kysely';
import { m } from '#messages';
import type { OptionGroupsTable, Tx } from '#database/schema.ts';
import { ShownGroup } from '#menu/contract-items.ts';
import type { Change, Create, Link, Remove, Reorder, Restore, Unlink } from '#menu/operations/menu-operation.ts';
import { startPart } from '#menu/operations/new-part.ts';
import { byId, changeMenu, findOptionGroup, storeFor } from '#menu/server/editing/change-menu.ts';
import { dropLostConditions } from '#menu/server/editing/conditions.ts';
import type { OperationContext } from '#menu/server/editing/operation-context.ts';
import { keepInBin, restorePart } from '#menu/server/editing/menu-bin.ts';
import { findRefusedPriceLink } from '#menu/server/editing/price-groups.ts';
import {
  addLinks,
  closeGaps,
  groupOptions,
  itemGroups,
  removeLinks,
  reorder,
} from '#menu/server/editing/ordered-lists.ts';
import { refusedPriceRule } from '#menu/price-group.ts';
import { presentGroups } from '#menu/server/reading/present-groups.ts';
import { invalid } from '#platform/errors.ts';
import { refuseIfChanged } from '#platform/http/guarded-change.ts';
import type { MenuServices } from '#menu/server/services.ts';

export function groupOperations(services: Pick<MenuServices, 'config' | 'menus' | 'outbox'>) {
  return {
    create: (call: OperationContext, { fields }: Create<'group'>) =>
      changeMenu(services, call, storeFor(services, fields.store_id), async (tx, { store_id: storeId }) => {
        const columns = startPart('group', fields);
        refuseOddRules(columns);
        const row = await tx
          .insertInto('option_groups')
          .values({ ...columns, store_id: storeId })
          .onConflict((conflict) => conflict.column('id').doNothing())
          .returningAll()
          .executeTakeFirst();
        return row ?? (await findOptionGroup(tx, fields.id));
      }),

    change: (call: OperationContext, { id, fields, was }: Change<'group'>) =>
      changeMenu(services, call, byId(findOptionGroup, id), async (tx, found) => {
        const { options: prices, ...columns } = fields;
        if (was) {
          const [shown] = await presentGroups(tx, [found], prices ? 1 : 0);
          refuseIfChanged(ShownGroup, shown, { ...fields, was });
        }
        refuseOddRules({ ...found, ...columns });
        if (Object.keys(columns).length > 0)
          await tx.updateTable('option_groups').set(columns).where('id', '=', found.id).execute();
        if (columns.pricing === 'is_price') {
          const refused = await findRefusedPriceLink(tx, { storeId: found.store_id });
          if (refused) throw invalid('pricing', refused);
        }
        if (prices) await setPrices(tx, found.id, prices);
        return findOptionGroup(tx, found.id);
      }),

    remove: (call: OperationContext, { id }: Remove<'group'>) =>
      changeMenu(services, call, byId(findOptionGroup, id), async (tx, found) => {
        await keepInBin(tx, 'option_groups', found, call.now);
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

    restore: (call: OperationContext, { id }: Restore<'group'>) =>
      restorePart(services, call, 'option_groups', findOptionGroup, id),

    link: (call: OperationContext, { id, children }: Link<'group'>) =>
      changeMenu(services, call, byId(findOptionGroup, id), async (tx, found) => {
        await addLinks(tx, groupOptions, found.store_id, found.id, { field: 'options', ids: children });
        return found;
      }),

    unlink: (call: OperationContext, { id, children }: Unlink<'group'>) =>
      changeMenu(services, call, byId(findOptionGroup, id), async (tx, found) => {
        await removeLinks(tx, groupOptions, found.store_id, found.id, { field: 'options', ids: children });
        await dropLostConditions(tx, found.store_id);
        return found;
      }),

    reorder: (call: OperationContext, { id, children }: Reorder<'group'>) =>
      changeMenu(services, call, byId(findOptionGroup, id), async (tx, found) => {
        await reorder(tx, groupOptions, found.id, { field: 'optionIds', ids: children });
        return found;
      }),
  };
}

type Rules = Pick<Selectable<OptionGroupsTable>, 'pricing' | 'min_select' | 'max_select' | 'free_select'>;

function refuseOddRules(rules: Rules): void {
  if (rules.min_select > rules.max_select) throw invalid('min_select', m.menu_group_min_over_max());
  if (rules.free_select > rules.max_select) throw invalid('free_select', m.menu_group_free_over_max());
  const refused = refusedPriceRule(rules);
  if (refused) throw invalid(refused.field, refused.words);
}

/** Sets the prices of options in this group. Throws 422 for an option that the group does not have. */
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
