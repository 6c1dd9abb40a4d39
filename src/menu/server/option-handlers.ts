import { randomUUIDv7 } from 'node:crypto';
import type { Selectable } from 'kysely';
import { m } from '#messages';
import type { Db, OptionsTable, Tx } from '#database/schema.ts';
import { inSnapshot } from '#database/transaction.ts';
import type { options as calls } from '#menu/contract-items.ts';
import { change, create, remove } from '#menu/operations/menu-operation.ts';
import { findRow } from '#menu/server/editing/find-row.ts';
import type { EditMenu } from '#menu/server/editing/edit-menu.ts';
import { readableOptions } from '#menu/server/reading/readable-parts.ts';
import { showOption } from '#menu/server/reading/show-option.ts';
import { AppError } from '#platform/errors.ts';
import type { Handlers } from '#platform/http/serve.ts';
import { isStaffOf } from '#platform/http/viewer.ts';
import { readPage } from '#database/read-page.ts';

export function optionHandlers(edit: EditMenu): Handlers<typeof calls, Db, Tx> {
  return {
    'GET /v1/options': ({ db, query, viewer }) =>
      inSnapshot(db, (tx) =>
        readPage(
          tx,
          '/v1/options',
          query,
          readableOptions(tx, viewer, query),
          async (rows: Selectable<OptionsTable>[]) => rows.map(showOption),
        ),
      ),

    'GET /v1/options/{id}': async ({ db, params, viewer }) => {
      const row = await readableOptions(db, viewer).where('options.id', '=', params.id).executeTakeFirst();
      if (!row) throw new AppError('not_found', m.menu_option_not_found());
      return { data: showOption(row) };
    },

    'POST /v1/options': async ({ body: { id = randomUUIDv7(), ...fields }, ...call }) => ({
      data: showOption(await edit(call, create('option', { ...fields, id }))),
    }),

    'PATCH /v1/options/{id}': async ({ params, body: { was, ...fields }, ...call }) => ({
      data: showOption(await edit(call, change('option', params.id, fields, was))),
    }),

    'DELETE /v1/options/{id}': async ({ params, ...call }) => {
      await edit(call, remove('option', params.id));
    },

    'POST /v1/options/{id}/availability': async ({ params, body, viewer, ...call }) => {
      const found = await findRow(call.db, 'option', params.id);
      if (!isStaffOf(viewer, found.store_id)) throw new AppError('forbidden', m.platform_forbidden());
      return { data: showOption(await edit(call, change('option', params.id, body))) };
    },
  };
}
