import { useEffect, useState } from 'react';
import { isSameAddress, mostAddresses } from '#accounts/addresses.ts';
import type { User } from '#accounts/contract.ts';
import { type CheckoutDraft, keepAddress, readAddressWish } from '#ordering/web/checkout-draft.ts';
import { readGuestDetails } from '#ordering/web/guest-details.ts';
import type { FieldErrors } from '#platform/errors.ts';
import type { Store } from '#store/contract.ts';
import type { DeliveryAddress } from '#store/delivery-address.ts';
import { normalisePostcode, parsePostcode } from '#store/postcodes.ts';

interface AddressContext {
  store: Store;
  draft: CheckoutDraft;
  user: User | null;
  postcode: string;
  onPostcode: (postcode: string) => void;
  errors: FieldErrors;
}

/** The address that is picked or typed, and which of its fields are asked for. */
export function useCheckoutAddress({ store, draft, user, postcode, onPostcode, errors }: AddressContext) {
  const saved = user?.addresses ?? noAddresses;
  const [start] = useState(() => startAddress(draft, user ? saved : keptOfGuest(), postcode));
  const [picked, setPicked] = useState(user ? start.picked : null);
  const [typed, setTyped] = useState({ ...start.typed, city: start.typed.city || store.address.city });
  const [isEditing, setEditing] = useState(() => picked !== null && !isSameAddress(picked, start.typed));
  const [isLeft, setLeft] = useState(false);
  const isMalformed = isLeft && postcode.trim() !== '' && !parsePostcode(postcode);
  const isRefused = Object.keys(errors).some((name) => name.startsWith('address.'));
  const address = { ...typed, postcode: normalisePostcode(postcode) ?? postcode };
  const isNew = !saved.some((each) => isSameAddress(each, address));
  const hasRoom = picked !== null || saved.length < mostAddresses;

  const pick = (chosen: DeliveryAddress | null) => {
    setPicked(chosen);
    setEditing(false);
    setTyped(chosen ?? { ...noAddress, city: store.address.city });
    onPostcode(chosen?.postcode ?? '');
  };
  useEffect(() => {
    if (start.picked && !postcode) onPostcode(start.picked.postcode);
    // oxlint-disable-next-line react/exhaustive-deps -- once, for returning customers: later changes are theirs
  }, []);
  // Fields filled in automatically survive a reload, as typed ones do.
  useEffect(() => keepAddress(typed), [typed]);
  // A complete saved address is not shown as fields, unless something is wrong with it.
  const isAsked = picked === null || isEditing || isRefused;
  return {
    saved,
    picked,
    pick,
    typed,
    setTyped,
    isEditing,
    edit: () => setEditing(true),
    leave: setLeft,
    isMalformed,
    isAsked,
    canSave: user !== null && isNew && hasRoom,
  };
}

const noAddresses: readonly DeliveryAddress[] = [];
const noAddress: DeliveryAddress = { line1: '', line2: '', city: '', postcode: '', instructions: '' };

function keptOfGuest(): readonly DeliveryAddress[] {
  const kept = readGuestDetails()?.address;
  return kept ? [kept] : noAddresses;
}

/**
 * The initial fields: earlier input, or else the first known address; if a postcode was given already, the first one
 * with that postcode.
 */
function startAddress(
  draft: CheckoutDraft,
  known: readonly DeliveryAddress[],
  postcode: string,
): { picked: DeliveryAddress | null; typed: DeliveryAddress } {
  const given = normalisePostcode(postcode) ?? postcode;
  const before = {
    line1: draft['address.line1'] ?? '',
    line2: draft['address.line2'] ?? '',
    city: draft['address.city'] ?? '',
    postcode: given,
    instructions: draft['address.instructions'] ?? '',
  };
  const { replaces } = readAddressWish();
  const isOf = (wanted: DeliveryAddress | null) => (each: DeliveryAddress) => wanted && isSameAddress(each, wanted);
  if (before.line1) return { picked: known.find(isOf(before)) ?? known.find(isOf(replaces)) ?? null, typed: before };
  const picked = known.find((each) => !given || each.postcode === given) ?? null;
  return { picked, typed: picked ?? before };
}
