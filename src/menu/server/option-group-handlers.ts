import { randomUUIDv7 } from 'node:crypto';
import type { Selectable } from 'kysely';
import { m } from '#messages';
import type { Db, OptionGroupsTable, Tx } from '#database/schema.ts';
import { inSnapshot } from '#database/transaction.ts';
import type { optionGroups as calls } from '#menu/contract-items.ts';
import { change, create, link, remove, reorder, unlink } from '#menu/operations/menu-operation.ts';
import type { EditMenu } from '#menu/server/editing/edit-menu.ts';
import { readableOptionGroups } from '#menu/server/reading/readable-parts.ts';
import { presentGroups } from '#menu/server/reading/present-groups.ts';
import { AppError } from '#platform/errors.ts';
import type { Handlers } from '#platform/http/serve.ts';
import { readPage } from '#database/read-page.ts';

type GroupRow = Selectable<OptionGroupsTable>;

export function optionGroupHandlers(edit: EditMenu): Handlers<typeof calls, Db, Tx> {
  return {
    'GET /v1/option-groups': ({ db, query, viewer }) =>
      inSnapshot(db, (tx) =>
        readPage(tx, '/v1/option-groups', query, readableOptionGroups(tx, viewer, query), (rows: GroupRow[]) =>
          presentGroups(tx, rows, query.include.length),
        ),
      ),

    'GET /v1/option-groups/{id}': ({ db, params, query, viewer }) =>
      inSnapshot(db, async (tx) => {
        const rows = await readableOptionGroups(tx, viewer).where('option_groups.id', '=', params.id).execute();
        return answer(tx, rows, query.include.length);
      }),

    'POST /v1/option-groups': async ({ body: { id = randomUUIDv7(), ...fields }, ...call }) =>
      answer(call.db, [await edit(call, create('group', { ...fields, id }))], 0),

    'PATCH /v1/option-groups/{id}': async ({ params, body: { was, ...fields }, ...call }) =>
      answer(call.db, [await edit(call, change('group', params.id, fields, was))], fields.options ? 1 : 0),

    'DELETE /v1/option-groups/{id}': async ({ params, ...call }) => {
      await edit(call, remove('group', params.id));
    },

    'POST /v1/option-groups/{id}/options/add': async ({ params, body, ...call }) =>
      answer(call.db, [await edit(call, link('group', params.id, body.options))], 1),

    'POST /v1/option-groups/{id}/options/remove': async ({ params, body, ...call }) =>
      answer(call.db, [await edit(call, unlink('group', params.id, body.options))], 1),

    'POST /v1/option-groups/{id}/options/reorder': async ({ params, body, ...call }) =>
      answer(call.db, [await edit(call, reorder('group', params.id, body.optionIds))], 1),
  };
}

async function answer(db: Db, rows: readonly GroupRow[], depth: number) {
  const [shown] = await presentGroups(db, rows, depth);
  if (!shown) throw new AppError('not_found', m.menu_option_group_not_found());
  return { data: shown };
}
