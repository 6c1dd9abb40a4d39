import { m } from '#messages';
import type { Tx } from '#database/schema.ts';
import { ShownCategory } from '#menu/contract-menus.ts';
import type { Change, Create, Link, Remove, Reorder, Restore, Unlink } from '#menu/operations/menu-operation.ts';
import { startPart } from '#menu/operations/new-part.ts';
import { invalidField, byId, changeMenu, findCategory, findMenu } from '#menu/server/editing/change-menu.ts';
import type { OperationContext } from '#menu/server/editing/operation-context.ts';
import { keepInBin, restorePart } from '#menu/server/editing/menu-bin.ts';
import {
  addLinks,
  categoryItems,
  closeGaps,
  endOf,
  menuCategories,
  removeLinks,
  reorder,
} from '#menu/server/editing/ordered-lists.ts';
import { invalid } from '#platform/errors.ts';
import { refuseIfChanged } from '#platform/http/guarded-change.ts';
import type { MenuServices } from '#menu/server/services.ts';

export function categoryOperations(services: Pick<MenuServices, 'menus' | 'outbox'>) {
  return {
    create: (call: OperationContext, { fields }: Create<'category'>) =>
      changeMenu(services, call, byId(findMenuNamed, fields.menu_id), async (tx) => {
        const row = await tx
          .insertInto('categories')
          .values({ ...startPart('category', fields), position: endOf(menuCategories, fields.menu_id) })
          .onConflict((conflict) => conflict.column('id').doNothing())
          .returningAll()
          .executeTakeFirst();
        return row ?? (await findCategory(tx, fields.id));
      }),

    change: (call: OperationContext, { id, fields, was }: Change<'category'>) =>
      changeMenu(services, call, byId(findCategory, id), async (tx, found) => {
        refuseIfChanged(ShownCategory, found, { ...fields, was });
        const { menu_id: menuId = found.menu_id } = fields;
        const moves = menuId !== found.menu_id;
        if (moves && (await findMenuNamed(tx, menuId)).store_id !== found.store_id)
          throw invalid('menu_id', m.menu_not_found());
        const columns = { ...fields, ...(moves && { position: endOf(menuCategories, menuId) }) };
        if (Object.keys(columns).length > 0)
          await tx.updateTable('categories').set(columns).where('id', '=', found.id).execute();
        if (moves) await closeGaps(tx, menuCategories, [found.menu_id]);
        return findCategory(tx, found.id);
      }),

    remove: (call: OperationContext, { id }: Remove<'category'>) =>
      changeMenu(services, call, byId(findCategory, id), async (tx, found) => {
        await keepInBin(tx, 'categories', found, call.now);
        await tx.deleteFrom('categories').where('id', '=', found.id).execute();
        await closeGaps(tx, menuCategories, [found.menu_id]);
      }),

    restore: (call: OperationContext, { id }: Restore<'category'>) =>
      restorePart(services, call, 'categories', findCategory, id),

    link: (call: OperationContext, { id, children }: Link<'category'>) =>
      changeMenu(services, call, byId(findCategory, id), async (tx, found) => {
        await addLinks(tx, categoryItems, found.store_id, found.id, { field: 'items', ids: children });
        return found;
      }),

    unlink: (call: OperationContext, { id, children }: Unlink<'category'>) =>
      changeMenu(services, call, byId(findCategory, id), async (tx, found) => {
        await removeLinks(tx, categoryItems, found.store_id, found.id, { field: 'items', ids: children });
        return found;
      }),

    reorder: (call: OperationContext, { id, children }: Reorder<'category'>) =>
      changeMenu(services, call, byId(findCategory, id), async (tx, found) => {
        await reorder(tx, categoryItems, found.id, { field: 'itemIds', ids: children });
        return found;
      }),
  };
}

/** As named in a body: an unknown one is the field's fault. */
async function findMenuNamed(tx: Tx, id: string) {
  return findMenu(tx, id).catch(invalidField('menu_id', m.menu_not_found()));
}
