import { randomUUIDv7 } from 'node:crypto';
import type { Db, Tx } from '#database/schema.ts';
import type { menus as calls } from '#menu/contract-menus.ts';
import { change, create, remove } from '#menu/operations/menu-operation.ts';
import type { MenuOperations } from '#menu/server/editing/operation-table.ts';
import type { Handlers } from '#platform/http/serve.ts';
import type { ShownMenusCall } from '#menu/server/services.ts';

export function menusHandlers({ menu }: MenuOperations): Handlers<Omit<typeof calls, ShownMenusCall>, Db, Tx> {
  return {
    'POST /v1/menus': async ({ body: { id = randomUUIDv7(), ...fields }, ...call }) => ({
      data: await menu.create(call, create('menu', { ...fields, id })),
    }),

    'PATCH /v1/menus/{id}': async ({ params, body: { was, ...fields }, ...call }) => ({
      data: await menu.change(call, change('menu', params.id, fields, was)),
    }),

    'DELETE /v1/menus/{id}': ({ params, ...call }) => menu.remove(call, remove('menu', params.id)),
  };
}
