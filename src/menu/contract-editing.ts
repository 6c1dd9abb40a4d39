import { z } from 'zod';
import { restoring } from '#menu/contract-changing.ts';
import { MenuParts } from '#menu/menu-parts.ts';
import { menuCalls } from '#menu/operations/operation-calls.ts';
import { Id, One } from '#platform/http/shapes.ts';

/** Calls that change a menu, in order. */
export const MenuChanges = z.array(
  z.object({
    /** The call as the contract names it, e.g. `PATCH /v1/items/{id}`. */
    call: z.enum(menuCalls),
    /** The `{id}` of its path. */
    id: Id.toLowerCase().optional(),
    body: z.record(z.string(), z.unknown()).default({}),
  }),
);
export type MenuChangeCall = z.output<typeof MenuChanges>[number];

export const editing = {
  ...restoring,
  'GET /v1/menus/store/{storeId}/parts': {
    access: 'admin',
    summary: "Everything on a store's menus, each thing once, hidden and unlinked things too: what an editor needs.",
    response: One(MenuParts),
  },
  'POST /v1/menus/changes': {
    access: 'admin',
    summary: 'Make several changes of menus as one: all of them or none. An error names the change, from 0.',
    body: z.object({ changes: MenuChanges.min(1).max(1000) }),
    response: null,
    errors: ['conflict', 'changed_meanwhile'],
  },
  'GET /v1/items/{id}/sold': {
    access: 'admin',
    summary: 'How many of an item were ever ordered.',
    response: One(z.object({ sold: z.int() })),
  },
} as const;
