import type { BasketView } from '#ordering/web/basket-view.ts';
import { parsePostcode } from '#store/postcodes.ts';

/** Whether it is brought to an address: not at all, to one that is not known yet or that no zone has, or to a door we know. */
export type DeliveryState = 'none' | 'open' | 'refused' | 'known';

export function deliveryState({ fulfilment, zone, held }: BasketView): DeliveryState {
  if (fulfilment === 'collection') return 'none';
  if (zone) return 'known';
  return parsePostcode(held.postcode) ? 'refused' : 'open';
}
