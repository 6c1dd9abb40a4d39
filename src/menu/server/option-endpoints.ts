import { randomUUIDv7 } from 'node:crypto';
import type { Selectable } from 'kysely';
import { m } from '#messages';
import type { Db, OptionsTable, Tx } from '#database/schema.ts';
import { inSnapshot } from '#database/transaction.ts';
import { type options as calls, ShownOption } from '#menu/endpoints-items.ts';
import type { OptionFields } from '#menu/fields.ts';
import { changeMenu, byId, findOption, storeFor } from '#menu/server/change-menu.ts';
import { presentOption } from '#menu/server/load-menus.ts';
import { keepInBin } from '#menu/server/menu-bin.ts';
import { closeGaps, groupOptions } from '#menu/server/ordered-lists.ts';
import { readableOptions } from '#menu/server/readable.ts';
import { stockFields } from '#menu/operations/stock.ts';
import { AppError } from '#platform/errors.ts';
import { refuseIfChanged } from '#platform/http/guarded-change.ts';
import type { Handlers } from '#platform/http/serve.ts';
import { isStaffOf } from '#platform/http/viewer.ts';
import { readPage } from '#database/read-page.ts';
import type { MenuServices } from '#menu/server/services.ts';

export function optionEndpoints(
  services: Pick<MenuServices, 'config' | 'menus' | 'outbox'>,
): Handlers<typeof calls, Db, Tx> {
  return {
    'GET /v1/options': ({ db, query, viewer }) =>
      inSnapshot(db, (tx) =>
        readPage('/v1/options', query, readableOptions(tx, viewer, query), async (rows: Selectable<OptionsTable>[]) =>
          rows.map(present),
        ),
      ),

    'GET /v1/options/{id}': async ({ db, params, viewer }) => {
      const row = await readableOptions(db, viewer).where('options.id', '=', params.id).executeTakeFirst();
      if (!row) throw new AppError('not_found', m.menu_option_not_found());
      return { data: present(row) };
    },

    'POST /v1/options': ({ body: { id = randomUUIDv7(), store_id, ...body }, ...call }) =>
      changeMenu(services, call, storeFor(services, store_id), async (tx, store) => {
        const { name, price = 0 } = body;
        const row = await tx
          .insertInto('options')
          .values({ ...toColumns(body), name, price, id, store_id: store.store_id })
          .onConflict((conflict) => conflict.column('id').doNothing())
          .returningAll()
          .executeTakeFirst();
        return { data: present(row ?? (await findOption(tx, id))) };
      }),

    'PATCH /v1/options/{id}': ({ params, body: { was, ...body }, ...call }) =>
      changeMenu(services, call, byId(findOption, params.id), async (tx, found) => {
        refuseIfChanged(ShownOption, present(found), { ...body, was });
        const columns = toColumns(body);
        if (Object.keys(columns).length > 0)
          await tx.updateTable('options').set(columns).where('id', '=', found.id).execute();
        return { data: present(await findOption(tx, found.id)) };
      }),

    'DELETE /v1/options/{id}': ({ params, now, ...call }) =>
      changeMenu(services, call, byId(findOption, params.id), async (tx, found) => {
        await keepInBin(tx, 'options', found, now);
        const links = await tx
          .deleteFrom('option_group_options')
          .where('option_id', '=', found.id)
          .returning('option_group_id')
          .execute();
        await tx.deleteFrom('options').where('id', '=', found.id).execute();
        await closeGaps(
          tx,
          groupOptions,
          links.map((link) => link.option_group_id),
        );
      }),

    'POST /v1/options/{id}/availability': async ({ params, body, viewer, ...call }) => {
      const findOwn = async (tx: Tx) => {
        const option = await findOption(tx, params.id);
        if (!isStaffOf(viewer, option.store_id)) throw new AppError('forbidden', m.platform_forbidden());
        return option;
      };
      return changeMenu(services, call, findOwn, async (tx, found) => {
        const row = await tx
          .updateTable('options')
          .set(stockFields(body))
          .where('id', '=', found.id)
          .returningAll()
          .executeTakeFirstOrThrow();
        return { data: present(row) };
      });
    },
  };
}

function present(row: Selectable<OptionsTable>) {
  return { ...presentOption(row), store_id: row.store_id };
}

function toColumns({ allergens, ...fields }: Partial<OptionFields>) {
  return {
    ...fields,
    ...stockFields(fields),
    ...(allergens !== undefined && { allergens: allergens && JSON.stringify(allergens) }),
  };
}
