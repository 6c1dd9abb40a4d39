import { m } from '#messages';
import { directionsTo, type Place } from '#store/directions.ts';
import { Icon } from '#ui/web/icon.tsx';

/** A link to the directions, which opens in a new tab; nothing where the shop has no address yet. */
export function DirectionsLink({ store }: { store: Place }) {
  const href = directionsTo(store);
  if (href === null) return null;
  return (
    <a href={href} className="btn btn-quiet" target="_blank" rel="noreferrer">
      <Icon name="pin" />
      {m.store_home_directions()}
    </a>
  );
}
