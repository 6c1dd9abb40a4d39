import type { Tx } from '#database/schema.ts';
import { changeMenu } from '#menu/server/editing/change-menu.ts';
import { type BinKind, findInBin, restoreFromBin } from '#menu/server/editing/menu-bin.ts';
import type { ChangingCall, StoreChanges } from '#store/server/change-store.ts';

interface Found {
  id: string;
  store_id: string;
}

/** Restores a removed part; an existing one is returned. */
export async function restorePart<T extends Found>(
  services: StoreChanges,
  call: ChangingCall,
  kind: BinKind,
  find: (tx: Tx, id: string) => Promise<T>,
  id: string,
): Promise<T> {
  const known = async (tx: Tx): Promise<{ store_id: string }> => (await findInBin(tx, kind, id)) ?? find(tx, id);
  return changeMenu(services, call, known, async (tx) => {
    if (await findInBin(tx, kind, id)) await restoreFromBin(tx, kind, id);
    return find(tx, id);
  });
}
