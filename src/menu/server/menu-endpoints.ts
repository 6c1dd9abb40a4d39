import { randomUUIDv7 } from 'node:crypto';
import type { Db, Tx } from '#database/schema.ts';
import { type menus as calls, ShownMenu } from '#menu/endpoints-menus.ts';
import { changeMenu, byId, findMenu, storeFor } from '#menu/server/change-menu.ts';
import { keepInBin } from '#menu/server/menu-bin.ts';
import { closeGaps, endOf, storeMenus } from '#menu/server/ordered-lists.ts';
import { refuseIfChanged } from '#platform/http/guarded-change.ts';
import type { Handlers } from '#platform/http/serve.ts';
import type { MenuServices, ShownMenusCall } from '#menu/server/services.ts';

export function menusEndpoints(
  services: Pick<MenuServices, 'config' | 'menus' | 'outbox'>,
): Handlers<Omit<typeof calls, ShownMenusCall>, Db, Tx> {
  return {
    'POST /v1/menus': ({ body: { id = randomUUIDv7(), store_id, availability = null, ...fields }, ...call }) =>
      changeMenu(services, call, storeFor(services, store_id), async (tx, store) => {
        const row = await tx
          .insertInto('menus')
          .values({
            ...fields,
            id,
            store_id: store.store_id,
            position: endOf(storeMenus, store.store_id),
            availability: availability && JSON.stringify(availability),
          })
          .onConflict((conflict) => conflict.column('id').doNothing())
          .returningAll()
          .executeTakeFirst();
        return { data: row ?? (await findMenu(tx, id)) };
      }),

    'PATCH /v1/menus/{id}': async ({ params, body: { was, ...change }, ...call }) => {
      const { availability, ...fields } = change;
      return changeMenu(services, call, byId(findMenu, params.id), async (tx, found) => {
        refuseIfChanged(ShownMenu, found, { ...change, was });
        const columns = {
          ...fields,
          ...(availability !== undefined && { availability: availability && JSON.stringify(availability) }),
        };
        if (Object.keys(columns).length > 0)
          await tx.updateTable('menus').set(columns).where('id', '=', params.id).execute();
        return { data: await findMenu(tx, params.id) };
      });
    },

    'DELETE /v1/menus/{id}': ({ params, now, ...call }) =>
      changeMenu(services, call, byId(findMenu, params.id), async (tx, found) => {
        await keepInBin(tx, 'menus', found, now);
        await tx.deleteFrom('menus').where('id', '=', found.id).execute();
        await closeGaps(tx, storeMenus, [found.store_id]);
      }),
  };
}
