import { randomUUIDv7 } from 'node:crypto';
import { m } from '#messages';
import { menuChanges } from '#menu/contract-changing.ts';
import type { MenuChangeCall } from '#menu/contract-editing.ts';
import type { MenuParts } from '#menu/menu-parts.ts';
import type { MenuOperation } from '#menu/operations/menu-operation.ts';
import { readOperation } from '#menu/operations/operation-calls.ts';
import type { EditMenu, OperationContext } from '#menu/server/editing/edit-menu.ts';
import { AppError } from '#platform/errors.ts';
import type { Endpoint } from '#platform/http/endpoint.ts';
import { parse } from '#platform/http/parse.ts';

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
