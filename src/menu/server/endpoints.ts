import type { Db, Tx } from '#database/schema.ts';
import type { menu } from '#menu/endpoints.ts';
import { categoryEndpoints } from '#menu/server/category-endpoints.ts';
import { createOperations } from '#menu/server/editing/operation-table.ts';
import { editingEndpoints } from '#menu/server/editing/editing-endpoints.ts';
import { importEndpoints } from '#menu/server/import/import-endpoints.ts';
import { startImports } from '#menu/server/import/import-worker.ts';
import { itemEndpoints } from '#menu/server/item-endpoints.ts';
import { menusEndpoints } from '#menu/server/menu-endpoints.ts';
import { optionEndpoints } from '#menu/server/option-endpoints.ts';
import { optionGroupEndpoints } from '#menu/server/option-group-endpoints.ts';
import type { Handlers } from '#platform/http/serve.ts';
import type { MenuServices, ShownMenusCall } from '#menu/server/services.ts';

export function menuEndpoints(
  services: Pick<MenuServices, 'config' | 'jobs' | 'menus' | 'orders' | 'outbox'>,
): Handlers<Omit<typeof menu, ShownMenusCall>, Db, Tx> {
  const operations = createOperations(services);
  return {
    ...menusEndpoints(operations),
    ...categoryEndpoints(operations),
    ...itemEndpoints(services, operations),
    ...optionEndpoints(services, operations),
    ...optionGroupEndpoints(operations),
    ...editingEndpoints(services, operations),
    ...importEndpoints(services),
  };
}

/** Starts making what `POST /v1/menu-imports` owes. */
export async function startMenuImports(
  services: Pick<
    MenuServices,
    'config' | 'db' | 'findPerson' | 'jobs' | 'log' | 'menus' | 'menuTurns' | 'now' | 'outbox'
  >,
): Promise<void> {
  await startImports(services, createOperations(services));
}
