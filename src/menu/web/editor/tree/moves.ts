import type { MenuParts } from '#menu/menu-parts.ts';
import {
  changeSeen,
  link,
  type MenuOperation,
  reorder,
  reorderCategories,
  unlink,
} from '#menu/operations/menu-operation.ts';
import { childrenOf, findPart, type PartKind } from '#menu/operations/menu-part.ts';

/** The parent of a thing: a menu for a category, a category for an item, an item for a group, a group for an option. */
export const parentKind = {
  category: 'menu',
  item: 'category',
  group: 'item',
  option: 'group',
} as const satisfies Partial<Record<PartKind, PartKind>>;
export type MovableKind = keyof typeof parentKind;

export interface Move {
  kind: MovableKind;
  id: string;
  /** The current parent. */
  from: string;
  to: string;
  /** Its place among the new parent's children, from 0, as if it were not there yet. */
  at: number;
}

export const isMovable = (kind: PartKind): kind is MovableKind => kind !== 'menu';

/**
 * The operations that move a thing, within a list or into another; none if it stays in its place. If it is in the other
 * list already, only its position there changes.
 */
export function movesOf(parts: MenuParts, { kind, id, from, to, at }: Move): MenuOperation[] {
  const parent = parentKind[kind];
  const siblings = childrenOf(parts, parent, to);
  const without = siblings.filter((one) => one !== id);
  const wanted = [...without.slice(0, at), id, ...without.slice(at)];
  const isInOrder = siblings.length === wanted.length && siblings.every((one, index) => one === wanted[index]);
  if (from === to && isInOrder) return [];
  if (parent === 'menu') {
    const category = findPart(parts, 'category', id);
    if (!category) return [];
    const into: MenuOperation[] = from === to ? [] : [changeSeen('category', category, { menu_id: to })];
    return [...into, reorderCategories(wanted)];
  }
  if (from === to) return [reorder(parent, to, wanted)];
  const linked: MenuOperation[] = siblings.includes(id) ? [] : [link(parent, to, [id])];
  const put = linked.length > 0 && at >= without.length ? [] : isInOrder ? [] : [reorder(parent, to, wanted)];
  return [unlink(parent, from, [id]), ...linked, ...put];
}
