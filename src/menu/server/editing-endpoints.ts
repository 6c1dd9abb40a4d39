import { m } from '#messages';
import type { Db, Tx } from '#database/schema.ts';
import { inSnapshot } from '#database/transaction.ts';
import type { editing as calls } from '#menu/endpoints-editing.ts';
import { changeMenu, findCategory, findItem, findMenu, findOption, findOptionGroup } from '#menu/server/change-menu.ts';
import type { ChangingCall } from '#store/server/change-store.ts';
import { loadParts } from '#menu/server/load-parts.ts';
import { presentItem, presentOption } from '#menu/server/load-menus.ts';
import { type ChangeTable, makeChanges } from '#menu/server/make-changes.ts';
import { type BinKind, findInBin, restoreFromBin } from '#menu/server/menu-bin.ts';
import { AppError } from '#platform/errors.ts';
import type { Handlers } from '#platform/http/serve.ts';
import type { MenuServices } from '#menu/server/services.ts';

type Restoring = `POST /v1/${string}/{id}/restore` & keyof typeof calls;

interface Found {
  id: string;
  store_id: string;
}

/** `changes` are the handlers of every other change that can be part of several. */
export function editingEndpoints(
  services: Pick<MenuServices, 'menus' | 'orders' | 'outbox'>,
  changes: Omit<ChangeTable, Restoring>,
): Handlers<typeof calls, Db, Tx> {
  /** Puts a deleted thing back; one that is there already is the answer. */
  const restore = async <T extends Found>(
    kind: BinKind,
    find: (tx: Tx, id: string) => Promise<T>,
    id: string,
    call: ChangingCall,
  ): Promise<T> => {
    const known = (tx: Tx): Promise<{ store_id: string }> =>
      findInBin(tx, kind, id).then((inBin) => inBin ?? find(tx, id));
    return changeMenu(services, call, known, async (tx) => {
      if (await findInBin(tx, kind, id)) await restoreFromBin(tx, kind, id);
      return find(tx, id);
    });
  };

  const restoring: Pick<Handlers<typeof calls, Db, Tx>, Restoring> = {
    'POST /v1/menus/{id}/restore': async ({ params, ...call }) => ({
      data: await restore('menus', findMenu, params.id, call),
    }),
    'POST /v1/categories/{id}/restore': async ({ params, ...call }) => ({
      data: await restore('categories', findCategory, params.id, call),
    }),
    'POST /v1/items/{id}/restore': async ({ params, ...call }) => {
      const row = await restore('items', findItem, params.id, call);
      return { data: { ...presentItem(row), store_id: row.store_id } };
    },
    'POST /v1/options/{id}/restore': async ({ params, ...call }) => {
      const row = await restore('options', findOption, params.id, call);
      return { data: { ...presentOption(row), store_id: row.store_id } };
    },
    'POST /v1/option-groups/{id}/restore': async ({ params, ...call }) => ({
      data: await restore('option_groups', findOptionGroup, params.id, call),
    }),
  };
  const table: ChangeTable = { ...changes, ...restoring };

  return {
    ...restoring,

    'GET /v1/menus/store/{storeId}/parts': async ({ db, params }) => {
      const parts = await inSnapshot(db, (tx) => loadParts(tx, params.storeId.toLowerCase()));
      if (!parts) throw new AppError('not_found', m.store_not_found());
      return { data: parts };
    },

    'POST /v1/menus/changes': async ({ body, ...call }) => {
      await makeChanges(table, call, body.changes);
    },

    'GET /v1/items/{id}/sold': async ({ db, params }) => {
      const item = await findItem(db, params.id);
      return { data: { sold: await services.orders.countSold(db, item.store_id, item.id) } };
    },
  };
}
