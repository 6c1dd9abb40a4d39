import { m } from '#messages';
import { useNow } from '#platform/web/clock.ts';
import { Icon } from '#ui/web/icon.tsx';
import type { Store } from '#store/contract.ts';
import { detailWords } from '#store/open-sign-words.ts';
import { takesOrders } from '#store/web/fulfilment.ts';
import { signOf } from '#store/web/sign-of.ts';

/** Shown while the shop takes no orders for now: the reason, and whether customers can order for later. */
export function ClosedBanner({ store }: { store: Store }) {
  const now = useNow();
  const { state, isTaking, words } = signOf(store, now);
  if (isTaking) return null;
  return (
    <p className="num flex w-full gap-3 rounded-box bg-warn-soft p-4 text-ink">
      <Icon name="clock" className="mt-0.5 size-5 text-warn-text" />
      <span>
        <strong>{words}.</strong> {state.detail && `${detailWords(state.detail)} `}
        {takesOrders(store, now) ? m.store_closed_order_ahead() : m.store_closed_look()}
      </span>
    </p>
  );
}
