import { m } from '#messages';
import type { Db } from '#database/schema.ts';
import type { PartKind } from '#menu/operations/menu-part.ts';
import { AppError } from '#platform/errors.ts';

/** How each kind of part is read; with its store, and a deleted item too. */
const rows = {
  menu: (db: Db, id: string) => db.selectFrom('menus').selectAll().where('id', '=', id).executeTakeFirst(),
  category: (db: Db, id: string) =>
    db
      .selectFrom('categories')
      .innerJoin('menus', 'menus.id', 'categories.menu_id')
      .selectAll('categories')
      .select('menus.store_id')
      .where('categories.id', '=', id)
      .executeTakeFirst(),
  item: (db: Db, id: string) => db.selectFrom('items').selectAll().where('id', '=', id).executeTakeFirst(),
  group: (db: Db, id: string) => db.selectFrom('option_groups').selectAll().where('id', '=', id).executeTakeFirst(),
  option: (db: Db, id: string) => db.selectFrom('options').selectAll().where('id', '=', id).executeTakeFirst(),
};

export type RowOf<K extends PartKind> = { [P in K]: NonNullable<Awaited<ReturnType<(typeof rows)[P]>>> }[K];

const missing: Record<PartKind, () => string> = {
  menu: m.menu_not_found,
  category: m.menu_category_not_found,
  item: m.menu_item_not_found,
  group: m.menu_option_group_not_found,
  option: m.menu_option_not_found,
};

/** The part's row, of whichever store; a deleted item has one too. */
export async function findKnown<K extends PartKind>(db: Db, part: K, id: string): Promise<RowOf<K> | null> {
  // The row is of the part that was asked for; the compiler cannot follow the union through its name.
  return ((await rows[part](db, id)) as RowOf<K> | undefined) ?? null;
}

/** Throws 404 for a part that does not exist, or no longer does. */
export async function findRow<K extends PartKind>(db: Db, part: K, id: string): Promise<RowOf<K>> {
  const row = await findKnown(db, part, id);
  if (!row || isDeleted(row)) throw new AppError('not_found', missing[part]());
  return row;
}

export function isDeleted(row: RowOf<PartKind>): boolean {
  return 'deleted_at' in row && row.deleted_at !== null;
}
