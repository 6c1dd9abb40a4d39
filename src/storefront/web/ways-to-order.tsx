import { m } from '#messages';
import { setFulfilment } from '#ordering/web/basket-store.ts';
import { useSoonestWords } from '#ordering/web/use-soonest.ts';
import { formatMoney } from '#platform/money.ts';
import { Icon } from '#ui/web/icon.tsx';
import { addressWords } from '#store/address-words.ts';
import type { DeliveryZone, FulfilmentType, Store } from '#store/contract.ts';
import { offeredFulfilments } from '#store/web/fulfilment.ts';
import { Link } from '#platform/web/navigation.tsx';

/** Collection and delivery side by side, with how soon and for how much before anything is chosen. */
export function WaysToOrder({ store }: { store: Store }) {
  const soonest = useSoonestWords();
  const offered = offeredFulfilments(store);
  const cheapest = store.delivery_zones.toSorted((a, b) => a.fee - b.fee)[0];
  return (
    <section aria-label={m.store_ways()} className="grid grid-cols-1 gap-4 sm:grid-cols-2 lg:gap-6">
      {offered.includes('collection') && (
        <Way
          type="collection"
          title={m.store_collection()}
          time={soonest('collection')}
          detail={addressWords({ line1: store.address.line1, postcode: store.address.postcode })}
        />
      )}
      {offered.includes('delivery') && cheapest && (
        <Way
          type="delivery"
          title={m.store_delivery()}
          time={soonest('delivery')}
          detail={deliveryWords(cheapest, store.currency)}
        />
      )}
    </section>
  );
}

function deliveryWords(zone: DeliveryZone, currency: string): string {
  const fee = formatMoney(zone.fee, currency);
  if (zone.minimum_order === 0) {
    return zone.fee === 0 ? m.store_delivery_free_any() : m.store_delivery_from_any({ fee });
  }
  const minimum = formatMoney(zone.minimum_order, currency);
  return zone.fee === 0 ? m.store_delivery_free_from({ minimum }) : m.store_delivery_from({ fee, minimum });
}

interface WayProps {
  type: FulfilmentType;
  title: string;
  time: string;
  detail: string;
}

function Way({ type, title, time, detail }: WayProps) {
  return (
    <Link
      href="/menu"
      onClick={() => setFulfilment({ fulfilment_type: type })}
      className="card group flex flex-wrap items-center gap-4 p-5 transition-colors hover:border-accent-text lg:p-6"
    >
      <span className="grid size-14 shrink-0 place-items-center rounded-full bg-warm text-warm-ink">
        <Icon name={type} className="size-7" />
      </span>
      <span className="grid min-w-0 flex-[1_1_8rem] gap-0.5">
        <span className="display text-xl lg:text-2xl">{title}</span>
        <span className="num font-semibold first-letter:uppercase">{time}</span>
        <span className="num text-ink-soft">{detail}</span>
      </span>
      <Icon
        name="chevronRight"
        className="size-6 text-accent-text tight:hidden transition-transform group-hover:translate-x-1"
      />
    </Link>
  );
}
