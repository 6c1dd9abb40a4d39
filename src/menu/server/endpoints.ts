import type { Db } from '#database/schema.ts';
import type { menu } from '#menu/endpoints.ts';
import { categoryEndpoints } from '#menu/server/category-endpoints.ts';
import { editingEndpoints } from '#menu/server/editing-endpoints.ts';
import { itemEndpoints } from '#menu/server/item-endpoints.ts';
import { menusEndpoints } from '#menu/server/menu-endpoints.ts';
import { optionEndpoints } from '#menu/server/option-endpoints.ts';
import { optionGroupEndpoints } from '#menu/server/option-group-endpoints.ts';
import type { Handlers } from '#platform/http/serve.ts';
import type { FastPath } from '#platform/server/fast-path.ts';
import type { Services } from '#services.ts';

export function menuEndpoints(services: Services, fastPath: FastPath): Handlers<typeof menu, Db> {
  const each = {
    ...menusEndpoints(services, fastPath),
    ...categoryEndpoints(services),
    ...itemEndpoints(services),
    ...optionEndpoints(services),
    ...optionGroupEndpoints(services),
  };
  // Each handler takes the call of its own contract's line; together they are a table of handlers.
  return { ...each, ...editingEndpoints(services, each as unknown as Parameters<typeof editingEndpoints>[1]) };
}
