import type { Db, Tx } from '#database/schema.ts';
import type { menu } from '#menu/contract.ts';
import { categoryHandlers } from '#menu/server/category-handlers.ts';
import { menuEditor } from '#menu/server/editing/edit-menu.ts';
import { editingHandlers } from '#menu/server/editing/editing-handlers.ts';
import { importHandlers } from '#menu/server/import/import-handlers.ts';
import { startImports } from '#menu/server/import/import-worker.ts';
import { itemHandlers } from '#menu/server/item-handlers.ts';
import { menusHandlers } from '#menu/server/menu-handlers.ts';
import { optionHandlers } from '#menu/server/option-handlers.ts';
import { optionGroupHandlers } from '#menu/server/option-group-handlers.ts';
import type { Handlers } from '#platform/http/serve.ts';
import type { MenuServices, ShownMenusCall } from '#menu/server/services.ts';

export function menuHandlers(
  services: Pick<MenuServices, 'config' | 'jobs' | 'menus' | 'orders' | 'outbox'>,
): Handlers<Omit<typeof menu, ShownMenusCall>, Db, Tx> {
  const edit = menuEditor(services);
  return {
    ...menusHandlers(edit),
    ...categoryHandlers(edit),
    ...itemHandlers(edit),
    ...optionHandlers(edit),
    ...optionGroupHandlers(edit),
    ...editingHandlers(services, edit),
    ...importHandlers(services),
  };
}

/** Starts the worker for `POST /v1/menu-imports`. */
export async function startMenuImports(
  services: Pick<
    MenuServices,
    'config' | 'db' | 'findPerson' | 'jobs' | 'log' | 'menus' | 'menuTurns' | 'now' | 'outbox'
  >,
): Promise<void> {
  await startImports(services, menuEditor(services));
}
