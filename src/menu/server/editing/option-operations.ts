import type { KnownAllergens } from '#menu/allergen-answers.ts';
import { ShownOption } from '#menu/contract-items.ts';
import { AllergenAnswers } from '#menu/menu-shapes.ts';
import type { OptionFields } from '#menu/fields.ts';
import type { Change, Create, Remove, Restore } from '#menu/operations/menu-operation.ts';
import { startPart } from '#menu/operations/new-part.ts';
import { stockFields } from '#menu/sold-out.ts';
import { byId, changeMenu, findOption, storeFor } from '#menu/server/editing/change-menu.ts';
import { allergenColumns } from '#menu/server/editing/menu-tables.ts';
import type { OperationContext } from '#menu/server/editing/operation-context.ts';
import { keepInBin, restorePart } from '#menu/server/editing/menu-bin.ts';
import { closeGaps, groupOptions } from '#menu/server/editing/ordered-lists.ts';
import { showOption } from '#menu/server/reading/show-option.ts';
import { refuseIfChanged } from '#platform/http/guarded-change.ts';
import type { MenuServices } from '#menu/server/services.ts';

const EditedOption = ShownOption.extend({ allergen_answers: AllergenAnswers });

export function optionOperations(services: Pick<MenuServices, 'config' | 'menus' | 'outbox'>) {
  return {
    create: (call: OperationContext, { fields }: Create<'option'>) =>
      changeMenu(services, call, storeFor(services, fields.store_id), async (tx, { store_id: storeId }) => {
        const { allergens, allergen_answers, ...columns } = startPart('option', fields);
        const row = await tx
          .insertInto('options')
          .values({ ...columns, ...allergenColumns({ allergens, allergen_answers }), store_id: storeId })
          .onConflict((conflict) => conflict.column('id').doNothing())
          .returningAll()
          .executeTakeFirst();
        return row ?? (await findOption(tx, fields.id));
      }),

    change: (call: OperationContext, { id, fields, was }: Change<'option'>) =>
      changeMenu(services, call, byId(findOption, id), async (tx, found) => {
        const shown = { ...showOption(found), allergen_answers: found.allergen_answers };
        refuseIfChanged(EditedOption, shown, { ...fields, was });
        const columns = toColumns(fields, found);
        if (Object.keys(columns).length > 0)
          await tx.updateTable('options').set(columns).where('id', '=', found.id).execute();
        return findOption(tx, found.id);
      }),

    remove: (call: OperationContext, { id }: Remove<'option'>) =>
      changeMenu(services, call, byId(findOption, id), async (tx, found) => {
        await keepInBin(tx, 'options', found, call.now);
        const links = await tx
          .deleteFrom('option_group_options')
          .where('option_id', '=', found.id)
          .returning('option_group_id')
          .execute();
        await tx.deleteFrom('options').where('id', '=', found.id).execute();
        await closeGaps(
          tx,
          groupOptions,
          links.map((link) => link.option_group_id),
        );
      }),

    restore: (call: OperationContext, { id }: Restore<'option'>) =>
      restorePart(services, call, 'options', findOption, id),
  };
}

function toColumns({ allergens, allergen_answers: answers, ...fields }: Partial<OptionFields>, before: KnownAllergens) {
  return { ...fields, ...stockFields(fields), ...allergenColumns({ allergens, allergen_answers: answers }, before) };
}
