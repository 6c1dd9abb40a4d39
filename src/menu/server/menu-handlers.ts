import { randomUUIDv7 } from 'node:crypto';
import type { Db, Tx } from '#database/schema.ts';
import type { menus as calls } from '#menu/contract-menus.ts';
import { change, create, remove } from '#menu/operations/menu-operation.ts';
import type { EditMenu } from '#menu/server/editing/edit-menu.ts';
import type { Handlers } from '#platform/http/serve.ts';
import type { ShownMenusCall } from '#menu/server/services.ts';

export function menusHandlers(edit: EditMenu): Handlers<Omit<typeof calls, ShownMenusCall>, Db, Tx> {
  return {
    'POST /v1/menus': async ({ body: { id = randomUUIDv7(), ...fields }, ...call }) => ({
      data: await edit(call, create('menu', { ...fields, id })),
    }),

    'PATCH /v1/menus/{id}': async ({ params, body: { was, ...fields }, ...call }) => ({
      data: await edit(call, change('menu', params.id, fields, was)),
    }),

    'DELETE /v1/menus/{id}': async ({ params, ...call }) => {
      await edit(call, remove('menu', params.id));
    },
  };
}
