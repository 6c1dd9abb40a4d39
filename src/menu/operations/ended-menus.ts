import type { MenuParts } from '#menu/menu-parts.ts';
import { isServedAt } from '#menu/menu-availability.ts';
import { applyOperations } from '#menu/operations/apply-operation.ts';
import type { MenuOperation } from '#menu/operations/menu-operation.ts';
import type { MenuPart } from '#menu/operations/menu-part.ts';
import type { Store } from '#store/contract.ts';

/** The menus that customers can order from now, and no longer can once these operations are made. */
export function endedMenus(
  store: Pick<Store, 'timezone'>,
  parts: MenuParts,
  operations: readonly MenuOperation[],
  now: Date,
): MenuPart[] {
  const left = new Set(offeredMenus(store, applyOperations(parts, operations), now).map(({ id }) => id));
  return offeredMenus(store, parts, now).filter(({ id }) => !left.has(id));
}

/** The menus that are active and served now, and have an active dish. */
function offeredMenus(store: Pick<Store, 'timezone'>, parts: MenuParts, now: Date): MenuPart[] {
  const shown = new Set(parts.items.flatMap(({ id, is_active }) => (is_active ? [id] : [])));
  const filled = new Set(
    parts.categories.flatMap(({ menu_id, is_active, item_ids }) =>
      is_active && item_ids.some((id) => shown.has(id)) ? [menu_id] : [],
    ),
  );
  return parts.menus.filter(
    ({ id, is_active, availability }) => is_active && filled.has(id) && isServedAt(store, availability, now),
  );
}
