import { m } from '#messages';
import { menusTakenOffSale } from '#menu/operations/apply-operation.ts';
import {
  findPart,
  type MenuOperation,
  type PartKind,
  type PartsIndex,
  makeRemoveOperation,
} from '#menu/operations/menu-operation.ts';
import type { MenuEditingState } from '#menu/web/editor/session/editing-context.ts';
import { confirm } from '#ui/web/office/dialogs.tsx';
import { api } from '#platform/web/api.ts';
import { shopNow } from '#platform/web/clock.ts';
import { openOrderWords } from '#store/web/confirm-service-end.ts';

export async function confirmAndDeletePart(
  editing: MenuEditingState,
  kind: PartKind,
  ids: readonly string[],
): Promise<boolean> {
  const names = ids.map((id) => findPart(editing.parts, kind, id)?.name ?? '');
  const [id = ''] = ids;
  const operations = ids.map((one) => makeRemoveOperation(kind, one));
  const [effects, endings] = await Promise.all([
    ids.length === 1 ? effectsOf(editing.index, kind, id) : [m.menu_edit_delete_undo()],
    endingsOf(editing, operations),
  ]);
  const title =
    ids.length === 1
      ? m.menu_edit_delete_title({ name: names[0] ?? '' })
      : m.menu_edit_delete_many({ count: ids.length });
  const isSure = await confirm({
    title,
    body: (
      <ul>
        {[...endings, ...effects].map((effect) => (
          <li key={effect}>{effect}</li>
        ))}
        {ids.length > 1 && <li>{names.join(', ')}</li>}
      </ul>
    ),
    action: m.menu_edit_delete(),
    isDangerous: true,
  });
  if (!isSure) return false;
  const label =
    ids.length === 1 ? m.menu_edit_deleted({ name: names[0] ?? '' }) : m.menu_edit_deleted_many({ count: ids.length });
  // The session's own `edit` is called, because it does not ask for a confirmation again.
  editing.session.edit(label, operations);
  return true;
}

/** The warning that a menu disappears for customers, with the number of open orders; empty if no menu disappears. */
async function endingsOf(
  { store, parts, countOpen }: MenuEditingState,
  operations: readonly MenuOperation[],
): Promise<string[]> {
  const ended = menusTakenOffSale(store, parts, operations, new Date(shopNow()));
  if (ended.length === 0) return [];
  const name = ended.map((menu) => menu.name).join(', ');
  return [m.menu_edit_delete_ends({ name }), await openOrderWords(countOpen, [store.id])].filter(Boolean);
}

const placeWords: Record<PartKind, (index: PartsIndex, id: string) => string> = {
  menu: (index, id) => m.menu_edit_delete_menu({ count: index.categoriesOfMenu.get(id)?.length ?? 0 }),
  category: (index, id) => m.menu_edit_delete_category({ count: index.categories.get(id)?.item_ids.length ?? 0 }),
  item: (index, id) => m.menu_edit_in_categories({ count: index.categoriesOfItem.get(id)?.length ?? 0 }),
  group: (index, id) => m.menu_edit_delete_group({ count: index.itemsOfGroup.get(id)?.length ?? 0 }),
  option: (index, id) => m.menu_edit_delete_option({ count: index.groupsOfOption.get(id)?.length ?? 0 }),
};

async function effectsOf(index: PartsIndex, kind: PartKind, id: string): Promise<string[]> {
  const sold = kind === 'item' ? [await soldWords(id)] : [];
  const deals = kind === 'item' ? [...index.options.values()].filter(({ item_id }) => item_id === id) : [];
  const inDeals = deals.length > 0 ? [m.menu_edit_delete_in_deals({ count: deals.length })] : [];
  return [placeWords[kind](index, id), ...inDeals, ...sold, m.menu_edit_delete_undo()];
}

async function soldWords(id: string): Promise<string> {
  const sold = await api('GET /v1/items/{id}/sold', { id }, { timeout: 4000 }).then(
    (answer) => answer.data.sold,
    () => null,
  );
  if (sold === null) return m.menu_edit_delete_unknown();
  return sold === 0 ? m.menu_edit_delete_unsold() : m.menu_edit_delete_sold({ count: sold });
}
