import { useEffect, useState } from 'react';
import { m } from '#messages';
import type { DeliveryAddress } from '#store/delivery-address.ts';
import { keepAddressWish, readAddressWish } from '#ordering/web/checkout-draft.ts';

/** Whether the address goes into the account once the order is placed; it does unless somebody says no. */
export function SaveAddress({ replaces }: { replaces: DeliveryAddress | null }) {
  const [isWanted, setWanted] = useState(() => readAddressWish().isWanted);
  useEffect(() => keepAddressWish({ isWanted, replaces }), [isWanted, replaces]);
  return (
    <label className="flex min-h-11 items-center gap-3">
      <input
        type="checkbox"
        role="switch"
        checked={isWanted}
        aria-checked={isWanted}
        onChange={(event) => setWanted(event.target.checked)}
        className="size-6 shrink-0 accent-accent-edge"
      />
      <span className="font-semibold">{replaces ? m.ordering_address_save_changes() : m.ordering_address_save()}</span>
    </label>
  );
}
