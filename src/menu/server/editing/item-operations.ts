import type { Selectable } from 'kysely';
import { m } from '#messages';
import type { ItemsTable, Tx } from '#database/schema.ts';
import type { KnownAllergens } from '#menu/allergen-answers.ts';
import { ShownItem } from '#menu/contract-items.ts';
import { AllergenAnswers } from '#menu/menu-shapes.ts';
import type { ItemFields } from '#menu/fields.ts';
import type { Change, Create, Link, Remove, Reorder, Restore, Unlink } from '#menu/operations/menu-operation.ts';
import { startPart } from '#menu/operations/new-part.ts';
import { stockFields } from '#menu/sold-out.ts';
import { byId, changeMenu, findItem, storeFor } from '#menu/server/editing/change-menu.ts';
import { dropLostConditions, setConditions } from '#menu/server/editing/conditions.ts';
import { allergenColumns } from '#menu/server/editing/menu-tables.ts';
import type { OperationContext } from '#menu/server/editing/operation-context.ts';
import { keepInBin, restorePart } from '#menu/server/editing/menu-bin.ts';
import { findRefusedPriceLink } from '#menu/server/editing/price-groups.ts';
import {
  addLinks,
  categoryItems,
  closeGaps,
  itemGroups,
  removeLinks,
  reorder,
} from '#menu/server/editing/ordered-lists.ts';
import { presentItems } from '#menu/server/reading/present-items.ts';
import { AppError, invalid } from '#platform/errors.ts';
import { refuseIfChanged } from '#platform/http/guarded-change.ts';
import type { MenuServices } from '#menu/server/services.ts';

const EditedItem = ShownItem.extend({ allergen_answers: AllergenAnswers });

export function itemOperations(services: Pick<MenuServices, 'config' | 'menus' | 'outbox'>) {
  return {
    create: (call: OperationContext, { fields }: Create<'item'>) =>
      changeMenu(services, call, storeFor(services, fields.store_id), async (tx, { store_id: storeId }) => {
        const { allergens, allergen_answers, ...columns } = startPart('item', fields);
        const row = await tx
          .insertInto('items')
          .values({ ...columns, ...allergenColumns({ allergens, allergen_answers }), store_id: storeId })
          .onConflict((conflict) => conflict.column('id').doNothing())
          .returningAll()
          .executeTakeFirst();
        return row ?? (await findCreated(tx, fields.id));
      }),

    change: (call: OperationContext, { id, fields, was }: Change<'item'>) =>
      changeMenu(services, call, byId(findItem, id), async (tx, found) => {
        const { option_groups: conditions, ...own } = fields;
        if (was) {
          const [shown] = await presentItems(tx, [found], conditions ? 1 : 0);
          refuseIfChanged(EditedItem, { ...shown, allergen_answers: found.allergen_answers }, { ...fields, was });
        }
        const columns = toColumns(own, found);
        if (Object.keys(columns).length > 0)
          await tx.updateTable('items').set(columns).where('id', '=', found.id).execute();
        if (conditions) {
          await setConditions(tx, found.id, conditions);
          await refuseOddPrices(tx, found.id);
        }
        return findItem(tx, found.id);
      }),

    remove: (call: OperationContext, { id }: Remove<'item'>) =>
      changeMenu(services, call, byId(findItem, id), async (tx, found) => {
        await keepInBin(tx, 'items', found, call.now);
        const links = await tx
          .deleteFrom('category_items')
          .where('item_id', '=', found.id)
          .returning('category_id')
          .execute();
        await tx.deleteFrom('item_option_groups').where('item_id', '=', found.id).execute();
        await tx.updateTable('items').set({ deleted_at: call.now }).where('id', '=', found.id).execute();
        await closeGaps(
          tx,
          categoryItems,
          links.map((link) => link.category_id),
        );
      }),

    restore: (call: OperationContext, { id }: Restore<'item'>) => restorePart(services, call, 'items', findItem, id),

    link: (call: OperationContext, { id, children }: Link<'item'>) =>
      changeMenu(services, call, byId(findItem, id), async (tx, found) => {
        await addLinks(tx, itemGroups, found.store_id, found.id, { field: 'option_groups', ids: children });
        await refuseOddPrices(tx, found.id);
        return found;
      }),

    unlink: (call: OperationContext, { id, children }: Unlink<'item'>) =>
      changeMenu(services, call, byId(findItem, id), async (tx, found) => {
        await removeLinks(tx, itemGroups, found.store_id, found.id, { field: 'option_groups', ids: children });
        await dropLostConditions(tx, found.store_id);
        return found;
      }),

    reorder: (call: OperationContext, { id, children }: Reorder<'item'>) =>
      changeMenu(services, call, byId(findItem, id), async (tx, found) => {
        await reorder(tx, itemGroups, found.id, { field: 'optionGroupIds', ids: children });
        return found;
      }),
  };
}

async function refuseOddPrices(tx: Tx, itemId: string): Promise<void> {
  const refused = await findRefusedPriceLink(tx, { itemId });
  if (refused) throw invalid('option_groups', refused);
}

/** The item that the same operation created before. */
async function findCreated(tx: Tx, id: string): Promise<Selectable<ItemsTable>> {
  const row = await tx.selectFrom('items').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  if (row.deleted_at) throw new AppError('conflict', m.menu_item_was_deleted());
  return row;
}

function toColumns({ allergens, allergen_answers: answers, ...fields }: Partial<ItemFields>, before: KnownAllergens) {
  return { ...fields, ...stockFields(fields), ...allergenColumns({ allergens, allergen_answers: answers }, before) };
}
