import type { DeliveryAddress } from '#store/delivery-address.ts';

export const maxAddresses = 20;

/**
 * Replaces the address at `index`, or appends `address` if `index` is null. The first address of a list is the default
 * one.
 */
export function replaceOrAppendAddress(
  addresses: readonly DeliveryAddress[],
  index: number | null,
  address: DeliveryAddress,
): DeliveryAddress[] {
  return index === null ? [...addresses, address] : addresses.with(index, address);
}

export function removeAddressAt(addresses: readonly DeliveryAddress[], index: number): DeliveryAddress[] {
  return addresses.toSpliced(index, 1);
}

export function withDefaultAddress(addresses: readonly DeliveryAddress[], index: number): DeliveryAddress[] {
  return [...addresses.slice(index, index + 1), ...addresses.toSpliced(index, 1)];
}

export function isSameAddress(a: DeliveryAddress, b: DeliveryAddress): boolean {
  return hasSameLinesAndPostcode(a, b) && a.city === b.city && a.instructions === b.instructions;
}

/**
 * Whether two addresses have the same lines and postcode, without regard to case, spaces and punctuation. The towns are
 * not compared, because the postcode implies the town.
 */
export function hasSameLinesAndPostcode(a: DeliveryAddress, b: DeliveryAddress): boolean {
  return doorOf(a) === doorOf(b);
}

function doorOf({ line1, line2, postcode }: DeliveryAddress): string {
  const words = [line1, line2].map((line) => line.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
  return [...words.flat(), postcode.replaceAll(/\s/g, '').toUpperCase()].join(' ');
}

/**
 * Puts an order's address into the list of saved ones: in place of `replaced`, or else of an equal address, or else at
 * the end. No address is listed twice.
 */
export function mergeOrderAddress(
  addresses: readonly DeliveryAddress[],
  address: DeliveryAddress,
  replaced: DeliveryAddress | null,
): DeliveryAddress[] {
  const placeOf = (wanted: DeliveryAddress) => addresses.findIndex((each) => hasSameLinesAndPostcode(each, wanted));
  const old = replaced ? placeOf(replaced) : -1;
  const place = old < 0 ? placeOf(address) : old;
  const next = replaceOrAppendAddress(addresses, place < 0 ? null : place, address);
  const kept = place < 0 ? next.length - 1 : place;
  return next.filter((each, at) => at === kept || !hasSameLinesAndPostcode(each, address));
}

/** Formats an address in one line: `2 Low Road, Rugby, CV21 2AA`. */
export function savedAddressWords({ line1, line2, city, postcode }: DeliveryAddress): string {
  return [line1, line2, city, postcode].filter(Boolean).join(', ');
}
