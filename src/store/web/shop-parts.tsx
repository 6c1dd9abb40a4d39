import { useNow } from '#platform/web/clock.ts';
import type { Store } from '#store/contract.ts';
import { closureDetailWords, openSignStatusAt } from '#store/web/opening-status.ts';
import { m } from '#messages';
import { Icon } from '#ui/web/icon.tsx';
import { canPlaceOrder } from '#store/web/fulfilment.ts';

/**
 * A sign that says whether orders are taken now, and until when. With `onlyOpen` it renders nothing while no orders are
 * taken, because a banner then says so.
 */
export function OpenSign({ store, onlyOpen = false }: { store: Store; onlyOpen?: boolean }) {
  const now = useNow();
  const { isTaking, words } = openSignStatusAt(store, now);
  if (onlyOpen && !isTaking) return null;
  const colours = isTaking ? 'bg-good-soft text-good-text' : 'bg-warn-soft text-warn-text';
  return (
    <p className={`chip py-1.5 text-sm ${colours}`}>
      <svg aria-hidden="true" viewBox="0 0 8 8" className="size-2.5 shrink-0">
        {isTaking ? (
          <circle cx="4" cy="4" r="4" fill="currentColor" />
        ) : (
          <circle cx="4" cy="4" r="3" fill="none" stroke="currentColor" strokeWidth="2" />
        )}
      </svg>
      <span className="num">{words}</span>
    </p>
  );
}

/** Shown while no orders are taken: the reason, and whether customers can order for later. */
export function ClosedBanner({ store }: { store: Store }) {
  const now = useNow();
  const { state, isTaking, words } = openSignStatusAt(store, now);
  if (isTaking) return null;
  return (
    <p className="num flex w-full gap-3 rounded-box bg-warn-soft p-4 text-ink">
      <Icon name="clock" className="mt-0.5 size-5 text-warn-text" />
      <span>
        <strong>{words}.</strong> {state.detail && `${closureDetailWords(state.detail)} `}
        {canPlaceOrder(store, now) ? m.store_closed_order_ahead() : m.store_closed_look()}
      </span>
    </p>
  );
}

/** Shown in place of the next step while no order can be placed, not even for later. */
export function NoOrdersNotice({ store }: { store: Store }) {
  const now = useNow();
  return (
    <p role="status" className="num flex flex-1 gap-2.5 rounded-box bg-warn-soft px-4 py-3">
      <Icon name="clock" className="mt-0.5 size-5 text-warn-text" />
      <span>
        <strong>{openSignStatusAt(store, now).words}.</strong> {m.store_closed_basket_kept()}
      </span>
    </p>
  );
}

export function PhoneLink({ store }: { store: Pick<Store, 'phone'> }) {
  if (!store.phone) return null;
  return (
    <a href={`tel:${store.phone.replaceAll(' ', '')}`} className="btn btn-quiet num justify-self-start">
      <Icon name="phone" />
      {store.phone}
    </a>
  );
}
