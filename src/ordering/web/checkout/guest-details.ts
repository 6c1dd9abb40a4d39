import { personalStorageKeys } from '#accounts/web/personal-storage.ts';
import type { DeliveryAddress } from '#store/delivery-address.ts';
import type { Order } from '#ordering/order.ts';
import { setBasketFulfilment } from '#ordering/web/basket/basket-store.ts';
import { removePersonFromDraft } from '#ordering/web/checkout/checkout-draft.ts';
import { removePersonFromUnpaidOrder } from '#ordering/web/checkout/unpaid-order.ts';

const storageKey = personalStorageKeys.guestDetails;

/** Contact and address of this device's last guest order. They are stored until somebody deletes them. */
export interface GuestDetails {
  name: string;
  phone: string;
  /** Empty if none was given. */
  email: string;
  /** The address of the last delivery; null before the first delivery. */
  address: DeliveryAddress | null;
}

export function readGuestDetails(): GuestDetails | null {
  try {
    const held = JSON.parse(localStorage.getItem(storageKey) ?? 'null') as Partial<GuestDetails> | null;
    if (!held) return null;
    const { name = '', phone = '', email = '', address = null } = held;
    return { name, phone, email, address };
  } catch {
    return null;
  }
}

/** Stores the details of a guest's order. A collection does not change the stored address. */
export function saveGuestDetails({ contact, address }: Pick<Order, 'contact' | 'address'>): void {
  const { name, phone, email } = contact;
  const held = readGuestDetails();
  const details: GuestDetails = {
    name,
    phone,
    email: email || (held?.email ?? ''),
    address: address ?? held?.address ?? null,
  };
  try {
    localStorage.setItem(storageKey, JSON.stringify(details));
  } catch {
    // If the storage is blocked or full, the next order starts with empty fields.
  }
}

/** Deletes the stored details, the contact and address in the checkout's draft, and the basket's postcode. */
export function forgetGuestDetails(): void {
  try {
    localStorage.removeItem(storageKey);
  } catch {
    // Without storage there is nothing to remove.
  }
  removePersonFromDraft();
  removePersonFromUnpaidOrder();
  setBasketFulfilment({ postcode: '' });
}
