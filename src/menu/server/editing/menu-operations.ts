import { m } from '#messages';
import type { Tx } from '#database/schema.ts';
import { ShownMenu } from '#menu/contract-menus.ts';
import type { Change, Create, Remove, ReorderCategories, Restore } from '#menu/operations/menu-operation.ts';
import { startPart } from '#menu/operations/new-part.ts';
import { invalidField, byId, changeMenu, findCategory, findMenu, storeFor } from '#menu/server/editing/change-menu.ts';
import type { OperationContext } from '#menu/server/editing/operation-context.ts';
import { keepInBin, restorePart } from '#menu/server/editing/menu-bin.ts';
import { closeGaps, endOf, menuCategories, reorder, storeMenus } from '#menu/server/editing/ordered-lists.ts';
import { refuseIfChanged } from '#platform/http/guarded-change.ts';
import type { MenuServices } from '#menu/server/services.ts';

export function menuOperations(services: Pick<MenuServices, 'config' | 'menus' | 'outbox'>) {
  return {
    create: (call: OperationContext, { fields }: Create<'menu'>) =>
      changeMenu(services, call, storeFor(services, fields.store_id), async (tx, { store_id: storeId }) => {
        const { availability, ...columns } = startPart('menu', fields);
        const row = await tx
          .insertInto('menus')
          .values({
            ...columns,
            store_id: storeId,
            position: endOf(storeMenus, storeId),
            availability: availability && JSON.stringify(availability),
          })
          .onConflict((conflict) => conflict.column('id').doNothing())
          .returningAll()
          .executeTakeFirst();
        return row ?? (await findMenu(tx, fields.id));
      }),

    change: (call: OperationContext, { id, fields, was }: Change<'menu'>) =>
      changeMenu(services, call, byId(findMenu, id), async (tx, found) => {
        refuseIfChanged(ShownMenu, found, { ...fields, was });
        const { availability, ...others } = fields;
        const columns = {
          ...others,
          ...(availability !== undefined && { availability: availability && JSON.stringify(availability) }),
        };
        if (Object.keys(columns).length > 0)
          await tx.updateTable('menus').set(columns).where('id', '=', found.id).execute();
        return findMenu(tx, found.id);
      }),

    remove: (call: OperationContext, { id }: Remove<'menu'>) =>
      changeMenu(services, call, byId(findMenu, id), async (tx, found) => {
        await keepInBin(tx, 'menus', found, call.now);
        await tx.deleteFrom('menus').where('id', '=', found.id).execute();
        await closeGaps(tx, storeMenus, [found.store_id]);
      }),

    restore: (call: OperationContext, { id }: Restore<'menu'>) => restorePart(services, call, 'menus', findMenu, id),

    /** Answers with a category of the menu. */
    reorder: (call: OperationContext, { children }: ReorderCategories) =>
      changeMenu(services, call, byId(findNamed, children[0] ?? ''), async (tx, found) => {
        await reorder(tx, menuCategories, found.menu_id, { field: 'ids', ids: children });
        return found;
      }),
  };
}

/** As named in a body: an unknown one is the field's fault. */
async function findNamed(tx: Tx, id: string) {
  return findCategory(tx, id).catch(invalidField('ids', m.menu_ids_unknown()));
}
