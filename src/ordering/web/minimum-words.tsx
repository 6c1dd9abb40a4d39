import { m } from '#messages';
import type { Problem, Quote } from '#ordering/basket.ts';
import type { BasketView } from '#ordering/web/basket-view.ts';
import { formatMoney } from '#platform/money.ts';
import type { Store } from '#store/contract.ts';

/** Free delivery that falls away with a dish that is sold out. */
export function FreeDeliveryWords({ view, price }: { view: BasketView; price: Pick<Quote, 'subtotal'> }) {
  const lost = lostFreeDelivery(view, price);
  return (
    <p role="status" className="num rounded-box bg-warn-soft px-4 py-3 font-semibold empty:hidden">
      {lost &&
        m.ordering_free_delivery_lost({
          dishes: lost.dishes.join(', '),
          amount: formatMoney(lost.over, view.store.currency),
        })}
    </p>
  );
}

/**
 * The amount still to be added for a delivery: to the zone's minimum, or while the address is not known to the lowest
 * there is.
 */
export function MinimumWords({ view, problems }: { view: BasketView; problems: readonly Problem[] }) {
  const { toLowestMinimum: missing, store } = view;
  const problem = problems.find(({ code }) => code === 'below_minimum');
  if (!problem && missing === 0) return null;
  return (
    <p role="status" className="num rounded-box bg-warn-soft px-4 py-3 font-semibold">
      {problem?.message ?? lowestWords(missing, store)}
    </p>
  );
}

function lowestWords(missing: number, { delivery_zones: zones, currency }: Store): string {
  const minimums = zones.map((zone) => zone.minimum_order);
  const lowest = Math.min(...minimums);
  const words = { amount: formatMoney(missing, currency), minimum: formatMoney(lowest, currency) };
  return Math.max(...minimums) > lowest ? m.ordering_below_lowest_minimum(words) : m.ordering_below_any_minimum(words);
}

/**
 * The dishes that can no longer be had, if delivery is only charged because they are missing; null otherwise. `over` is the
 * amount from which it is free, minor units.
 */
export function lostFreeDelivery(
  { zone, lines }: Pick<BasketView, 'zone' | 'lines'>,
  { subtotal }: Pick<Quote, 'subtotal'>,
): { dishes: readonly string[]; over: number } | null {
  const over = zone?.fee ? zone.free_over : null;
  if (over === null || subtotal >= over) return null;
  const gone = lines.filter(({ now, problems }) => !now || problems.some(({ code }) => code === 'item_sold_out'));
  const missing = gone.reduce((sum, { line }) => sum + line.seen_price * line.quantity, 0);
  return missing > 0 && subtotal + missing >= over ? { dishes: gone.map(({ line }) => line.name), over } : null;
}
