import type { MenuParts } from '#menu/menu-parts.ts';
import type { Reorder, ReorderCategories } from '#menu/operations/menu-operation.ts';
import { childrenOf, findPart } from '#menu/operations/menu-part.ts';

/**
 * The wished order of a list, applied to its current content: removed entries are left out, and new ones
 * keep their place after the entry before them.
 */
export function mergeOrder(wished: readonly string[], today: readonly string[]): string[] {
  const merged = wished.filter((id) => today.includes(id));
  for (const [index, id] of today.entries()) {
    if (merged.includes(id)) continue;
    const before = today[index - 1];
    merged.splice(before === undefined ? 0 : merged.indexOf(before) + 1, 0, id);
  }
  return merged;
}

/** A reorder applied to the list in `parts`; unchanged if none of its categories exists any more. */
export function mergeReorder<T extends Reorder | ReorderCategories>(parts: MenuParts, operation: T): T {
  const { children } = operation;
  if (operation.part !== 'menu')
    return { ...operation, children: mergeOrder(children, childrenOf(parts, operation.part, operation.id)) };
  const menuId = children.map((id) => findPart(parts, 'category', id)?.menu_id).find((id) => id !== undefined);
  if (menuId === undefined) return operation;
  return { ...operation, children: mergeOrder(children, childrenOf(parts, 'menu', menuId)) };
}
