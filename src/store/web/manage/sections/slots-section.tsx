import { NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { m } from '#messages';
import { dayWords, timeWords } from '#platform/date-words.ts';
import { useNow } from '#platform/web/clock.ts';
import type { FulfilmentType, Store } from '#store/contract.ts';
import { tradingDayOf } from '#store/opening-hours.ts';
import { slotsOn } from '#store/slots.ts';
import { NumberSetting, OptionalNumberSetting } from '#store/web/manage/fields.tsx';
import manage from '#store/web/manage/manage.module.css';
import classes from '#store/web/manage/sections/slots-section.module.css';
import { SettingsSection, sectionFields } from '#store/web/manage/settings-section.tsx';
import type { StoreDraft } from '#store/web/manage/use-store-draft.ts';
import { dateOfDayNumber, dayNumberOf } from '#platform/zone-clock.ts';
import { FieldColumns } from '#ui/web/office/office-page.tsx';
import { useQuery } from '@tanstack/react-query';
import { api } from '#platform/web/api.ts';

/** The number of slots in the preview. The checkout offers all slots. */
const shownSlots = 12;

export function SlotsSection({ draft }: { draft: StoreDraft }) {
  return (
    <SettingsSection
      draft={draft}
      fields={sectionFields.slots}
      title={m.store_manage_slots()}
      hint={m.store_manage_slots_hint()}
    >
      <FieldColumns>
        <NumberSetting draft={draft} field="prep_minutes" hint={m.store_manage_prep_hint()} />
        <NumberSetting draft={draft} field="last_order_minutes" hint={m.store_manage_last_order_hint()} />
        <NumberSetting draft={draft} field="slot_minutes" hint={m.store_manage_slot_hint()} />
        <OptionalNumberSetting draft={draft} field="max_orders_per_slot" hint={m.store_manage_max_orders_hint()} />
        <NumberSetting draft={draft} field="preorder_days" hint={m.store_manage_preorder_hint()} />
      </FieldColumns>
      <SlotPreview store={draft.preview} isCounted={draft.store.max_orders_per_slot !== null} />
    </SettingsSection>
  );
}

function SlotPreview({ store, isCounted }: { store: Store; isCounted: boolean }) {
  const now = useNow();
  const taken = useOrdersPerSlot(store.id);
  const [fulfilment, setFulfilment] = useState<FulfilmentType>('collection');
  const slots = nextSlots(store, fulfilment, now, taken);
  const most = store.max_orders_per_slot;
  return (
    <section className={manage.panel} aria-label={m.store_manage_slots_next()}>
      <h3>{m.store_manage_slots_next()}</h3>
      <NativeSelect
        label={m.store_manage_slots_for()}
        value={fulfilment}
        data={[
          { value: 'collection', label: m.store_collection() },
          { value: 'delivery', label: m.store_delivery() },
        ]}
        onChange={(event) => setFulfilment(event.currentTarget.value === 'delivery' ? 'delivery' : 'collection')}
      />
      {!isCounted && <p className={manage.soft}>{m.store_manage_slots_uncounted()}</p>}
      {slots.length === 0 ? (
        <p className={manage.soft}>{m.store_manage_view_no_slots()}</p>
      ) : (
        <table className={classes.load}>
          <thead>
            <tr>
              <th scope="col">{m.store_manage_slots_time()}</th>
              <th scope="col">{m.store_manage_slots_orders()}</th>
              <th scope="col">
                <span className="visually-hidden">{m.store_manage_slots_full()}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {slots.map(({ starts_at: start, is_available: isFree }) => {
              const orders = taken?.get(start) ?? 0;
              return (
                <tr key={start}>
                  <th scope="row">
                    {timeWords(start, store.timezone)} {dayWords(start, now, store.timezone)}
                  </th>
                  <td>
                    {most === null ? m.store_manage_slots_unlimited() : m.store_manage_slots_of({ orders, most })}
                    {!isFree && ` · ${m.store_manage_slot_gone()}`}
                  </td>
                  <td>
                    {most !== null && (
                      <progress max={most} value={orders} aria-label={m.store_manage_slots_of({ orders, most })} />
                    )}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      )}
    </section>
  );
}

/** Returns the first slots of the days for which customers can order; empty while `slot_minutes` has no valid value. */
function nextSlots(
  store: Store,
  fulfilment: FulfilmentType,
  now: Date,
  taken: ReadonlyMap<string, number> | undefined,
) {
  if (store.slot_minutes < 5) return [];
  const today = dayNumberOf(tradingDayOf(store, now));
  const slots = [];
  for (let day = 0; day <= Math.min(store.preorder_days, 30) && slots.length < shownSlots; day++) {
    slots.push(...slotsOn(store, fulfilment, dateOfDayNumber(today + day), now, taken ? { taken } : {}));
  }
  return slots.slice(0, shownSlots);
}

/**
 * Returns the number of orders in each slot, by its start; undefined while it is unknown. It is refetched every minute.
 */
export function useOrdersPerSlot(storeId: string): ReadonlyMap<string, number> | undefined {
  const { data } = useQuery({
    queryKey: ['slots-taken', storeId],
    queryFn: async ({ signal }) =>
      (await api('GET /v1/stores/{id}/slots/taken', { id: storeId }, { signal, timeout: 20_000 })).data,
    refetchInterval: 60_000,
    select: (slots) => new Map(slots.map(({ starts_at: start, orders }) => [start, orders])),
  });
  return data;
}
