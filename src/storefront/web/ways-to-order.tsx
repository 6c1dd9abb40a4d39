import { m } from '#messages';
import { setFulfilment } from '#ordering/web/basket-store.ts';
import { formatMoney } from '#platform/money.ts';
import { Icon, type IconName } from '#platform/web/ui/icon.tsx';
import type { FulfilmentType, Store } from '#store/contract.ts';
import { Link } from '#platform/web/navigation.tsx';

/** Collection and delivery side by side, with what each takes and costs before anything is chosen. */
export function WaysToOrder({ store }: { store: Store }) {
  const collection = store.prep_minutes + store.busy_extra_minutes;
  const zones = store.delivery_zones;
  const cheapest = zones.toSorted((a, b) => a.fee - b.fee)[0];
  const quickest = Math.min(...zones.map((zone) => zone.extra_minutes));
  return (
    <section aria-label={m.store_ways()} className="grid gap-4 sm:grid-cols-2 lg:gap-6">
      {store.collection_enabled && (
        <Way
          type="collection"
          icon="collection"
          title={m.store_collection()}
          time={m.store_minutes_about({ minutes: collection })}
          detail={[store.address.line1, store.address.postcode].filter(Boolean).join(', ')}
        />
      )}
      {store.delivery_enabled && cheapest && (
        <Way
          type="delivery"
          icon="delivery"
          title={m.store_delivery()}
          time={m.store_minutes_about({ minutes: collection + quickest })}
          detail={
            cheapest.fee === 0
              ? m.store_delivery_free_from({ minimum: formatMoney(cheapest.minimum_order, store.currency) })
              : m.store_delivery_from({
                  fee: formatMoney(cheapest.fee, store.currency),
                  minimum: formatMoney(cheapest.minimum_order, store.currency),
                })
          }
        />
      )}
    </section>
  );
}

interface WayProps {
  type: FulfilmentType;
  icon: IconName;
  title: string;
  time: string;
  detail: string;
}

function Way({ type, icon, title, time, detail }: WayProps) {
  return (
    <Link
      href="/menu"
      onClick={() => setFulfilment({ fulfilment_type: type })}
      className="card group flex items-center gap-4 p-5 transition-colors hover:border-accent-text lg:p-6"
    >
      <span className="grid size-14 shrink-0 place-items-center rounded-full bg-warm text-warm-ink">
        <Icon name={icon} className="size-7" />
      </span>
      <span className="grid flex-1 gap-0.5">
        <span className="display text-xl lg:text-2xl">{title}</span>
        <span className="num font-semibold">{time}</span>
        <span className="num text-ink-soft">{detail}</span>
      </span>
      <Icon name="chevronRight" className="size-6 text-accent-text transition-transform group-hover:translate-x-1" />
    </Link>
  );
}
