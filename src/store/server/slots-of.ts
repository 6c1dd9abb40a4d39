import type { Db } from '#database/schema.ts';
import type { StoreOrders } from '#store/server/services.ts';
import type { FulfilmentType, Slot, Store } from '#store/contract.ts';
import { extraMinutesTo } from '#store/delivery-zones.ts';
import { tradingDayOf } from '#store/opening-hours.ts';
import { slotsOn } from '#store/slots.ts';

/** The slots of a trading day (today by default), with their free capacity. */
export async function slotsOf(
  db: Db,
  store: Store,
  wanted: {
    fulfilment_type: FulfilmentType;
    date?: string | undefined;
    postcode?: string | undefined;
    prep_minutes?: number | undefined;
  },
  now: Date,
  { readTaken }: Pick<StoreOrders, 'readTaken'>,
): Promise<Slot[]> {
  const taken = store.max_orders_per_slot === null ? undefined : await readTaken(db, store, now);
  const date = wanted.date ?? tradingDayOf(store, now);
  return slotsOn(store, wanted.fulfilment_type, date, now, {
    itemsPrepMinutes: wanted.prep_minutes ?? 0,
    zoneExtraMinutes: extraMinutesTo(store.delivery_zones, wanted.postcode ?? ''),
    ...(taken && { taken }),
  });
}
