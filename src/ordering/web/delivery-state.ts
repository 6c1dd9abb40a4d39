import type { BasketView } from '#ordering/web/basket-view.ts';
import { parsePostcode } from '#store/postcodes.ts';

/** The state of delivery: not wanted, to an unknown address or one without a zone, or to a known address. */
export type DeliveryState = 'none' | 'open' | 'refused' | 'known';

export function deliveryState({ fulfilment, zone, held }: BasketView): DeliveryState {
  if (fulfilment === 'collection') return 'none';
  if (zone) return 'known';
  return parsePostcode(held.postcode) ? 'refused' : 'open';
}
