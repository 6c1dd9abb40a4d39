import { m } from '#messages';
import { Icon } from '#ui/web/icon.tsx';
import type { Store } from '#store/contract.ts';

/** The address of a map service's directions to the shop. */
export function directionsTo({ location: { latitude, longitude } }: Pick<Store, 'location'>): string {
  return `https://www.google.com/maps/dir/?api=1&destination=${latitude},${longitude}`;
}

/** A link to the directions, which opens in a new tab. */
export function DirectionsLink({ store }: { store: Pick<Store, 'location'> }) {
  return (
    <a href={directionsTo(store)} className="btn btn-quiet" target="_blank" rel="noreferrer">
      <Icon name="pin" />
      {m.store_home_directions()}
    </a>
  );
}
