import type { Db, Tx } from '#database/schema.ts';
import type { menu } from '#menu/contract.ts';
import {
  categoryHandlers,
  itemHandlers,
  menusHandlers,
  optionGroupHandlers,
  optionHandlers,
} from '#menu/server/part-handlers.ts';
import { menuEditor } from '#menu/server/editing/edit-menu.ts';
import { editingHandlers } from '#menu/server/editing/editing-handlers.ts';
import { importHandlers, startImports } from '#menu/server/import-handlers.ts';
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

export async function startMenuImports(
  services: Pick<
    MenuServices,
    'config' | 'db' | 'findPerson' | 'jobs' | 'log' | 'menus' | 'menuTurns' | 'now' | 'outbox'
  >,
): Promise<void> {
  await startImports(services, menuEditor(services));
}
