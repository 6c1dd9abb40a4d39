import type { MenuParts } from '#menu/menu-parts.ts';
import type { Reorder, ReorderCategories } from '#menu/operations/menu-operation.ts';
import { childrenOf, findPart } from '#menu/operations/menu-part.ts';

/**
 * The order that somebody wished for a list, over what the list holds by now: what is gone is left out, and what came
 * stands after the entry it stands after today.
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

/** A reorder over the list as it is in `parts`; unchanged where none of its categories is there any more. */
export function mergeReorder<T extends Reorder | ReorderCategories>(parts: MenuParts, operation: T): T {
  const { children } = operation;
  if (operation.part !== 'menu')
    return { ...operation, children: mergeOrder(children, childrenOf(parts, operation.part, operation.id)) };
  const menuId = children.map((id) => findPart(parts, 'category', id)?.menu_id).find((id) => id !== undefined);
  if (menuId === undefined) return operation;
  return { ...operation, children: mergeOrder(children, childrenOf(parts, 'menu', menuId)) };
}
