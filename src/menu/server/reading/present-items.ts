import type { Selectable } from 'kysely';
import type { Db, ItemsTable } from '#database/schema.ts';
import { loadGroupsOf, presentItem } from '#menu/server/reading/load-menus.ts';
import { trimItem } from '#menu/server/reading/trim-relations.ts';

/** Items as the API shows them. `depth` 1: with the option groups; 2: with their options. */
export async function presentItems(db: Db, rows: readonly Selectable<ItemsTable>[], depth: number) {
  const ids = rows.map(({ id }) => id);
  const groups = depth > 0 ? await loadGroupsOf(db, ids) : null;
  return rows.map((row) => {
    const item = { ...presentItem(row), store_id: row.store_id, option_groups: groups?.get(row.id) ?? [] };
    return trimItem(item, depth);
  });
}
