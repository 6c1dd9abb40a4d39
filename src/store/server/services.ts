import type { AddressLookup } from '#store/server/address-lookup.ts';
import type { Db } from '#database/schema.ts';
import type { Outbox } from '#realtime/server/outbox.ts';
import type { CardKeyColumns } from '#store/card-provider.ts';
import type { StaffStore, Store } from '#store/contract.ts';

export interface StoreServices {
  addresses: AddressLookup;
  config: { PAYMENT_SANDBOX: boolean };
  keySets: ShopCardKeyReads;
  menus: StoreCache;
  orders: OrderReadsForStore;
  outbox: Outbox;
}

/** The cache of stores. The `shop` domain implements it, because that domain caches the menus with the stores. */
export interface StoreCache {
  find(idSlugOrName: string): Promise<{ store: StaffStore } | null>;
  /** Finds a store; without a name, the store that `/` shows. Reads with the caller's own connection `db`. */
  store(db: Db, idSlugOrName?: string): Promise<{ store: StaffStore } | null>;
  /** Drops a store from the cache, unless the cached version is this version or newer. */
  forget(storeId: string, version: number): void;
}

/**
 * The shop's keys at a card provider. The `payment` domain passes in the implementation, because this domain must not
 * depend on `payment`.
 */
export interface ShopCardKeyReads {
  /** Returns the state of the keys. Every store's row has a copy of this state. */
  cards(): CardKeyColumns;
}

/**
 * Reads of a store's orders. The `ordering` domain passes in the implementation, because this domain must not depend on
 * `ordering`.
 */
export interface OrderReadsForStore {
  countSlotOrders(
    db: Db,
    store: Pick<Store, 'id' | 'timezone' | 'slot_minutes'>,
    now: Date,
  ): Promise<ReadonlyMap<string, number>>;
  hasAny(db: Db, storeId: string): Promise<boolean>;
}
