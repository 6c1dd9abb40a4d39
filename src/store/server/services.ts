import type { Db } from '#database/schema.ts';
import type { Outbox } from '#realtime/server/outbox.ts';
import type { CardKeys } from '#store/card-provider.ts';
import type { StaffStore, Store } from '#store/contract.ts';

/** The services of this domain's handlers. */
export interface StoreServices {
  config: { PAYMENT_SANDBOX: boolean };
  keySets: ShopKeys;
  menus: CachedStores;
  orders: StoreOrders;
  outbox: Outbox;
}

/** The stores as pages see them, which are cached with their menus and passed in. */
export interface CachedStores {
  find(idSlugOrName: string): Promise<{ store: StaffStore } | null>;
  /** A store, or the one that `/` shows without a name, read with the caller's own connection. */
  store(db: Db, idSlugOrName?: string): Promise<{ store: StaffStore } | null>;
  /** Drops a store from the cache, unless it has this version or a newer one. */
  forget(storeId: string, version: number): void;
}

/** The shop's keys at a card provider, which depend on stores and are passed in. */
export interface ShopKeys {
  /** Their state for every store; a new one begins with it. */
  cards(): CardKeys;
}

/** A store's questions about its orders, which depend on stores and are passed in. */
export interface StoreOrders {
  /** The number of orders in each future slot, by its start. */
  countSlotOrders(
    db: Db,
    store: Pick<Store, 'id' | 'timezone' | 'slot_minutes'>,
    now: Date,
  ): Promise<ReadonlyMap<string, number>>;
  /** Whether the store ever had an order. */
  hasAny(db: Db, storeId: string): Promise<boolean>;
}
