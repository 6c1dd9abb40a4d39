import { m } from '#messages';
import type { Db, Tx } from '#database/schema.ts';
import { menuChanges, type MenuChangeCall, type MenuChange } from '#menu/endpoints-editing.ts';
import { AppError } from '#platform/errors.ts';
import type { Endpoint } from '#platform/http/endpoint.ts';
import { parse } from '#platform/http/parse.ts';
import type { Call, Handlers } from '#platform/http/serve.ts';

type AnyCall = Call<MenuChange, Endpoint, Tx>;
/** The handlers of every change that can be one of several; without one of them it does not compile. */
export type ChangeTable = Pick<Handlers<typeof menuChanges, Db, Tx>, MenuChange>;

/** What a change needs to know of the call, or of the job, that it is part of. */
export type Making = Pick<AnyCall, 'db' | 'viewer' | 'now' | 'afterCommit'>;

/**
 * Makes several changes in the transaction that `call.db` is, and announces them as one. A refusal names the change:
 * `change` counts from 0, and its fields stand below `changes.N.body`.
 */
export async function makeChanges(
  table: ChangeTable,
  call: Making,
  changes: readonly MenuChangeCall[],
  onProgress: (done: number) => void = () => {},
): Promise<void> {
  const announced = new Set<string>();
  for (const [index, change] of changes.entries()) {
    const endpoint: Endpoint = menuChanges[change.call];
    try {
      const body = endpoint.body && parse(endpoint.body, change.body);
      if (change.call.includes('{id}') && change.id === undefined) {
        throw new AppError('not_found', m.platform_not_found());
      }
      const own = { ...call, announced, params: { id: change.id ?? '' }, body, query: undefined };
      // A change reads nothing else of a request, and its own line of the contract has checked it for this very handler.
      const make = table[change.call] as unknown as (call: AnyCall) => Promise<unknown>;
      await make(own as unknown as AnyCall);
    } catch (error) {
      throw error instanceof AppError ? within(error, index) : error;
    }
    onProgress(index + 1);
  }
}

/** The refusal of one change among several: its fields are named below the change, which `change` counts from 0. */
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
