import { m } from '#messages';
import { isUnderWay } from '#ordering/order-status.ts';
import type { ShownOrder } from '#ordering/web/use-order.ts';
import { addressWords } from '#store/address-words.ts';
import type { Store } from '#store/contract.ts';
import { DirectionsLink } from '#store/web/directions-link.tsx';
import { PhoneLink } from '#store/web/shop-parts.tsx';

/** The address for collection, with directions and the shop's phone, until the order is handed over. */
export function CollectFrom({ order, store }: { order: ShownOrder; store: Store }) {
  if (order.fulfilment_type !== 'collection' || !isUnderWay(order.status)) return null;
  return (
    <section aria-labelledby="collect-from" className="card grid gap-3 p-5 tight:p-3 sm:p-6">
      <h2 id="collect-from" className="text-xl">
        {m.ordering_checkout_collect_from()}
      </h2>
      <address className="text-lg not-italic">{addressWords(store.address)}</address>
      <div className="flex flex-wrap gap-3">
        <DirectionsLink store={store} />
        <PhoneLink store={store} />
      </div>
    </section>
  );
}
