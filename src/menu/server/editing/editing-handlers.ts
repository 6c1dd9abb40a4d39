import { m } from '#messages';
import type { Db, Tx } from '#database/schema.ts';
import { inSnapshot } from '#database/transaction.ts';
import type { editing as calls, MenuChangeCall } from '#menu/contract.ts';
import { type MenuOperation, restore } from '#menu/operations/menu-operation.ts';
import { type EditMenu, findRow, type OperationContext } from '#menu/server/editing/edit-menu.ts';
import { loadParts, presentItem, showOption } from '#menu/server/reading/load-menus.ts';
import { AppError } from '#platform/errors.ts';
import type { Handlers } from '#platform/http/serve.ts';
import type { MenuServices } from '#menu/server/services.ts';
import { randomUUIDv7 } from 'node:crypto';
import { menuChanges } from '#menu/contract-parts.ts';
import type { MenuParts } from '#menu/fields.ts';
import { readOperation } from '#menu/operations/operation-calls.ts';
import type { Endpoint } from '#platform/http/endpoint.ts';
import { parse } from '#platform/http/parse.ts';

export function editingHandlers(
  { orders }: Pick<MenuServices, 'orders'>,
  edit: EditMenu,
): Handlers<typeof calls, Db, Tx> {
  return {
    'POST /v1/menus/{id}/restore': async ({ params, ...call }) => ({
      data: await edit(call, restore('menu', params.id)),
    }),
    'POST /v1/categories/{id}/restore': async ({ params, ...call }) => ({
      data: await edit(call, restore('category', params.id)),
    }),
    'POST /v1/items/{id}/restore': async ({ params, ...call }) => {
      const row = await edit(call, restore('item', params.id));
      return { data: { ...presentItem(row), store_id: row.store_id } };
    },
    'POST /v1/options/{id}/restore': async ({ params, ...call }) => ({
      data: showOption(await edit(call, restore('option', params.id))),
    }),
    'POST /v1/option-groups/{id}/restore': async ({ params, ...call }) => ({
      data: await edit(call, restore('group', params.id)),
    }),

    'GET /v1/menus/store/{storeId}/parts': async ({ db, params }) => {
      const parts = await inSnapshot(db, (tx) => loadParts(tx, params.storeId.toLowerCase()));
      if (!parts) throw new AppError('not_found', m.store_not_found());
      return { data: parts };
    },

    'POST /v1/menus/changes': async ({ body, ...call }) => {
      await makeChanges(edit, call, body.changes);
    },

    'GET /v1/items/{id}/sold': async ({ db, params }) => {
      const found = await findRow(db, 'item', params.id);
      return { data: { sold: await orders.countSold(db, found.store_id, found.id) } };
    },
  };
}

/**
 * Makes several changes in the transaction `call.db`, and announces them as one. A refusal names the change:
 * `change` counts from 0, and its fields are below `changes.N.body`.
 */
export async function makeChanges(
  edit: EditMenu,
  call: OperationContext,
  changes: readonly MenuChangeCall[],
  onProgress: (done: number) => void = () => {},
): Promise<void> {
  const one = {
    ...call,
    announced: new Set<string>(),
    ...(changes.length > 1 && { parts: new Map<string, MenuParts>() }),
  };
  for (const [index, change] of changes.entries()) {
    try {
      await edit(one, parseChange(change));
    } catch (error) {
      throw error instanceof AppError ? within(error, index) : error;
    }
    onProgress(index + 1);
  }
}

/** Throws 422 for an invalid body, and 404 if the call needs an id and has none. */
function parseChange(change: MenuChangeCall): MenuOperation {
  const { body: schema }: Endpoint = menuChanges[change.call];
  const body = schema ? parse(schema, change.body) : {};
  const operation = readOperation({ ...change, body: Object(body) }, randomUUIDv7);
  if (!operation || ('id' in operation && operation.id === '')) throw new AppError('not_found', m.platform_not_found());
  return operation;
}

/** The refusal of one of several changes: its fields are named below the change, which `change` counts from 0. */
function within(error: AppError, index: number): AppError {
  const { errors, extra, headers } = error.detail;
  const named = Object.fromEntries(
    Object.entries(errors ?? {}).map(([field, messages]) => [`changes.${index}.body.${field}`, messages]),
  );
  return new AppError(error.code, error.message, {
    ...(errors && { errors: named }),
    extra: { ...extra, change: index },
    ...(headers && { headers }),
  });
}
