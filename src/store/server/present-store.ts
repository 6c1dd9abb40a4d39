import type { Selectable } from 'kysely';
import type { StoresTable } from '#database/schema.ts';
import { cardProviderFor } from '#store/card-provider.ts';
import type { StaffStore, Store } from '#store/contract.ts';
import { forStaff } from '#store/for-staff.ts';

export type StoreRow = Selectable<StoresTable>;

/** A row of `stores` as its staff may read it. */
export function presentStore(row: StoreRow, config: { PAYMENT_SANDBOX: boolean }): StaffStore {
  const {
    latitude,
    longitude,
    is_demo: _isDemo,
    has_card_keys: _hasKeys,
    created_at: _created,
    deleted_at: _deleted,
    ...rest
  } = row;
  return {
    ...rest,
    location: { latitude, longitude },
    paused_until: row.paused_until?.toISOString() ?? null,
    card_provider: cardProviderFor(row, config),
  };
}

/** The store without what only its staff are told. */
export function publicStore(store: Store): Store {
  // The rest is every public field.
  return Object.fromEntries(Object.entries(store).filter(([field]) => !(field in forStaff))) as Store;
}
