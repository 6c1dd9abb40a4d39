import { m } from '#messages';
import { Icon } from '#ui/web/icon.tsx';
import { addressWords } from '#store/address-words.ts';
import type { Store } from '#store/contract.ts';

export function DirectionsLink({ store }: { store: Place }) {
  const href = directionsUrl(store);
  if (href === null) return null;
  return (
    <a href={href} className="btn btn-quiet" target="_blank" rel="noreferrer">
      <Icon name="pin" />
      {m.store_home_directions()}
    </a>
  );
}

type Place = Pick<Store, 'name' | 'address' | 'location' | 'location_confirmed'>;

/** The URL of directions to the confirmed pin, or else to the address; null if the shop has neither. */
export function directionsUrl({ name, address, location, location_confirmed: isConfirmed }: Place): string | null {
  const destination = isConfirmed ? `${location.latitude},${location.longitude}` : wordsOf(name, address);
  return destination && `https://www.google.com/maps/dir/?api=1&destination=${encodeURIComponent(destination)}`;
}

function wordsOf(name: string, address: Store['address']): string | null {
  const isKnown = [address.line1, address.postcode].some((line) => line.trim() !== '');
  return isKnown ? `${name}, ${addressWords(address).replaceAll('\u00a0', ' ')}` : null;
}
