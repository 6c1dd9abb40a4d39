import type { Selectable } from 'kysely';
import type { Db, OptionGroupsTable } from '#database/schema.ts';
import { loadOptionsOf } from '#menu/server/reading/load-menus.ts';
import { trimGroup } from '#menu/server/reading/trim-relations.ts';

/** Option groups as the API shows them. `depth` 1: with their options. */
export async function presentGroups(db: Db, rows: readonly Selectable<OptionGroupsTable>[], depth: number) {
  const ids = rows.map(({ id }) => id);
  const options = depth > 0 ? await loadOptionsOf(db, ids) : null;
  return rows.map((row) => trimGroup({ ...row, options: options?.get(row.id) ?? [] }, depth));
}
