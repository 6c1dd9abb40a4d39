import type { Selectable } from 'kysely';
import type { StoresTable } from '#database/schema.ts';
import { cardProviderFor } from '#store/card-provider.ts';
import type { Store } from '#store/contract.ts';

export type StoreRow = Selectable<StoresTable>;

/** A row of `stores` as everyone may read it. */
export function presentStore(row: StoreRow, config: { PAYMENT_SANDBOX: boolean }): Store {
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
