import type { Quote } from '#ordering/basket.ts';
import type { BasketView } from '#ordering/web/basket-view.ts';

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
