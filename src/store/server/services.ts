import type { Db } from '#database/schema.ts';
import type { Outbox } from '#realtime/server/outbox.ts';
import type { Store } from '#store/contract.ts';

/** What this domain's handlers work with. */
export interface StoreServices {
  config: { PAYMENT_SANDBOX: boolean };
  menus: ShownStores;
  orders: StoreOrders;
  outbox: Outbox;
}

/** The stores as they are shown, which are kept with their menus and handed in. */
export interface ShownStores {
  /** By id, slug or name. */
  find(idSlugOrName: string): Promise<{ store: Store } | null>;
  /** The same, or the one that `/` shows, read with the caller's own connection. */
  store(db: Db, idSlugOrName?: string): Promise<{ store: Store } | null>;
  /** Drops what is kept of a store, unless it is of this version or newer. */
  forget(storeId: string, version: number): void;
}

/** What a store asks of its orders, which know stores and are handed in. */
export interface StoreOrders {
  /** How many orders each slot from now on holds, by its start. */
  readTaken(
    db: Db,
    store: Pick<Store, 'id' | 'timezone' | 'slot_minutes'>,
    now: Date,
  ): Promise<ReadonlyMap<string, number>>;
  /** Whether anything was ever ordered from it. */
  hasAny(db: Db, storeId: string): Promise<boolean>;
}
