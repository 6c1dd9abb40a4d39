import type { Db, Tx } from '#database/schema.ts';
import { inSnapshot } from '#database/transaction.ts';
import { indexMenus } from '#menu/menu-index.ts';
import { loadMenus } from '#menu/server/reading/load-menus.ts';
import type { KnownStore, Shop } from '#shop/server/shop.ts';
import { presentStore, type StoreRow } from '#store/server/present-store.ts';
import { findStoreRow } from '#store/server/store-views.ts';

interface ShopConfig {
  PAYMENT_SANDBOX: boolean;
}

/** The store with its public menu, as of one moment; null when there is no such store. */
export function readShop(db: Db, config: ShopConfig, storeId: string): Promise<Shop | null> {
  return inSnapshot(db, async (tx) => {
    const row = await findStoreRow(tx, storeId);
    return row ? withMenus(tx, row, config) : null;
  });
}

export function knownStore(row: StoreRow, config: ShopConfig): KnownStore {
  return { store: presentStore(row, config), isDemo: row.is_demo, version: row.version };
}

export async function withMenus(tx: Tx, row: StoreRow, config: ShopConfig): Promise<Shop> {
  const menus = await loadMenus(tx, row.id, { activeOnly: true });
  return { ...knownStore(row, config), menus, index: indexMenus(menus), built: new Map() };
}
