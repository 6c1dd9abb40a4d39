import type { Tx } from '#database/schema.ts';
import type { MenuParts } from '#menu/fields.ts';
import { removeDanglingConditions, renumberPositions } from '#menu/operations/apply-operation.ts';
import {
  findPart,
  partListNames,
  type NewFields,
  type PartKind,
  type PartOf,
  type RemoveOperation,
  newPartWithDefaults,
} from '#menu/operations/menu-operation.ts';
import { type MenuRows, type TableRow, menuRowsOf } from '#menu/server/editing/write-difference.ts';

/** The deleted rows by table. A row that an earlier release stored may lack newer columns. */
type Content = { [List in (typeof partListNames)[PartKind]]?: PartRow[] } & {
  category_items?: { category_id: string; item_id: string; position: number }[];
  item_option_groups?: GroupLinkRow[];
  option_group_options?: { option_group_id: string; option_id: string; position: number; price: number | null }[];
  /** The links with a condition on the deleted option, or on an option of the deleted group. */
  conditions?: GroupLinkRow[];
};
type PartRow = TableRow & { id: string; position?: number; menu_id?: string; store_id?: string };
interface GroupLinkRow {
  item_id: string;
  option_group_id: string;
  position: number;
  shown_when_option_id: string | null;
}

/** Days for which a deletion can be undone. */
const RETENTION_DAYS = 30;

/**
 * Stores the rows that a removal deletes, and the links that lose their condition. Erases the bin's rows that are older
 * than `RETENTION_DAYS`.
 */
export async function moveToMenuBin(
  tx: Tx,
  before: MenuParts,
  { part, id }: RemoveOperation,
  removed: MenuRows,
  now: Date,
): Promise<void> {
  const content = { ...removed, conditions: conditionsOn(before, part, id) };
  const fields = { store_id: before.store_id, deleted_at: now, content: JSON.stringify(content) };
  await tx
    .insertInto('menu_bin')
    .values({ kind: partListNames[part], id, ...fields })
    .onConflict((conflict) => conflict.columns(['kind', 'id']).doUpdateSet(fields))
    .execute();
  const oldest = new Date(now.getTime() - RETENTION_DAYS * 86_400_000);
  await tx.deleteFrom('menu_bin').where('deleted_at', '<', oldest).execute();
}

/** The rows of the links whose condition is this option, or an option of this group. */
function conditionsOn(parts: MenuParts, part: PartKind, id: string): TableRow[] {
  const offered = part === 'group' ? (findPart(parts, 'group', id)?.options ?? []) : [];
  const options = new Set(part === 'option' ? [id] : offered.map((option) => option.id));
  return menuRowsOf(parts).item_option_groups.filter((link) => options.has(String(link['shown_when_option_id'])));
}

export async function findInMenuBin(
  tx: Tx,
  part: PartKind,
  id: string,
): Promise<{ id: string; store_id: string } | null> {
  const row = await tx
    .selectFrom('menu_bin')
    .select(['id', 'store_id'])
    .where('kind', '=', partListNames[part])
    .where('id', '=', id)
    .executeTakeFirst();
  return row ?? null;
}

/** Removes a deleted part's rows from the bin and returns them; null if the bin does not have the part. */
export async function removeFromMenuBin(tx: Tx, part: PartKind, id: string): Promise<Content | null> {
  const kept = await tx
    .deleteFrom('menu_bin')
    .where('kind', '=', partListNames[part])
    .where('id', '=', id)
    .returning('content')
    .executeTakeFirst();
  // The cast is right: only this file writes the content, from rows of these tables.
  return (kept?.content as Content | undefined) ?? null;
}

/** Restores a deleted part at its place in the menu, with its links to existing parts. */
export function restoreMenuParts(parts: MenuParts, content: Content): MenuParts {
  let now = parts;
  for (const part of ['option', 'group', 'item', 'menu', 'category'] as const)
    for (const row of byPosition(content[partListNames[part]])) now = withPart(now, part, row);
  const shown = (id: string | null) => (id !== null && findPart(now, 'option', id) ? id : null);
  for (const { option_group_id: parent, option_id: id, position, price } of byPosition(content.option_group_options))
    if (findPart(now, 'option', id))
      now = changed(now, 'group', parent, ({ options }) => ({
        options: insert(options, position, { id, price_override: price }),
      }));
  for (const { item_id: parent, option_group_id: id, position, ...link } of byPosition(content.item_option_groups))
    if (findPart(now, 'group', id))
      now = changed(now, 'item', parent, ({ option_groups: groups }) => ({
        option_groups: insert(groups, position, { id, shown_when_option_id: shown(link.shown_when_option_id) }),
      }));
  for (const { category_id: parent, item_id: id, position } of byPosition(content.category_items))
    if (findPart(now, 'item', id))
      now = changed(now, 'category', parent, ({ item_ids: ids }) => ({
        item_ids: ids.includes(id) ? ids : ids.toSpliced(position, 0, id),
      }));
  for (const { item_id: parent, option_group_id: id, shown_when_option_id: option } of content.conditions ?? [])
    now = changed(now, 'item', parent, ({ option_groups: groups }) => ({
      option_groups: groups.map((one) =>
        one.id === id ? { ...one, shown_when_option_id: one.shown_when_option_id ?? shown(option) } : one,
      ),
    }));
  return removeDanglingConditions(renumberPositions(now));
}

/** Restores the deleted part. Returns `parts` unchanged if the part exists, or if a category's menu was deleted. */
function withPart(parts: MenuParts, part: PartKind, row: PartRow): MenuParts {
  if (findPart(parts, part, row.id) || (row.menu_id !== undefined && !findPart(parts, 'menu', row.menu_id)))
    return parts;
  const { store_id, deleted_at: _deleted, ...own } = row;
  const links = {
    menu: { store_id },
    category: { item_ids: [] },
    item: { option_groups: [] },
    group: { options: [] },
    option: {},
  };
  // The row has the columns that existed when it was deleted; newer columns get their defaults.
  const back = { ...newPartWithDefaults(part, own as unknown as NewFields<PartKind>), ...links[part] };
  const list: readonly { id: string; position?: number; menu_id?: string }[] = parts[partListNames[part]];
  const isAfter = (one: (typeof list)[number]) =>
    one.menu_id === row.menu_id && (one.position ?? 0) >= (row.position ?? Infinity);
  const place = list.findIndex(isAfter);
  // The cast is needed, because TypeScript cannot tie the list's name to the part's kind.
  return {
    ...parts,
    [partListNames[part]]: list.toSpliced(place < 0 ? list.length : place, 0, back as PartOf<PartKind>),
  } as MenuParts;
}

function changed<K extends 'category' | 'item' | 'group'>(
  parts: MenuParts,
  part: K,
  id: string,
  change: (one: PartOf<K>) => Partial<PartOf<K>>,
): MenuParts {
  const list: readonly { id: string }[] = parts[partListNames[part]];
  return {
    ...parts,
    [partListNames[part]]: list.map((one) => (one.id === id ? { ...one, ...change(one as PartOf<K>) } : one)),
  };
}

function insert<T extends { id: string }>(links: T[], position: number, link: T): T[] {
  return links.some(({ id }) => id === link.id) ? links : links.toSpliced(position, 0, link);
}

function byPosition<R extends { position?: number }>(rows: readonly R[] = []): R[] {
  return rows.toSorted((a, b) => (a.position ?? 0) - (b.position ?? 0));
}
