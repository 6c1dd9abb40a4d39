import { m } from '#messages';
import { useNow } from '#platform/web/clock.ts';
import { Icon } from '#ui/web/icon.tsx';
import type { Store } from '#store/contract.ts';
import { signOf } from '#store/web/sign-of.ts';

/** Shown instead of the next step to an order while the shop takes no orders, not even for later. */
export function NoOrders({ store }: { store: Store }) {
  const now = useNow();
  return (
    <p role="status" className="num flex flex-1 gap-2.5 rounded-box bg-warn-soft px-4 py-3">
      <Icon name="clock" className="mt-0.5 size-5 text-warn-text" />
      <span>
        <strong>{signOf(store, now).words}.</strong> {m.store_closed_basket_kept()}
      </span>
    </p>
  );
}
