import type { DeliveryAddress } from '#ordering/order.ts';

/** The most addresses that an account keeps. */
export const mostAddresses = 20;

/** With `address` in place of the one at `index`, or added to the end. The first is the one used unless another is chosen. */
export function withAddress(
  addresses: readonly DeliveryAddress[],
  index: number | null,
  address: DeliveryAddress,
): DeliveryAddress[] {
  return index === null ? [...addresses, address] : addresses.with(index, address);
}

export function withoutAddress(addresses: readonly DeliveryAddress[], index: number): DeliveryAddress[] {
  return addresses.toSpliced(index, 1);
}

/** The one at `index` first, the others in their order. */
export function withDefault(addresses: readonly DeliveryAddress[], index: number): DeliveryAddress[] {
  return [...addresses.slice(index, index + 1), ...addresses.toSpliced(index, 1)];
}

/** `2 Low Road, Rugby, CV21 2AA`. */
export function addressWords({ line1, line2, city, postcode }: DeliveryAddress): string {
  return [line1, line2, city, postcode].filter(Boolean).join(', ');
}
