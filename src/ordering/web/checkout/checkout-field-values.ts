import { useState } from 'react';
import type { User } from '#accounts/contract.ts';
import { allergenNameEntries } from '#menu/allergen-words.ts';
import type { CheckoutDraft } from '#ordering/web/checkout/checkout-draft.ts';
import { readGuestDetails } from '#ordering/web/checkout/guest-details.ts';
import type { SoldOutWish } from '#ordering/order.ts';
import { formFieldText } from '#ui/web/form-errors.ts';

export interface ContactFields {
  name: string;
  phone: string;
  email: string;
}

/**
 * The current values of fields that may be in folded parts. The price may depend on them. At first they have the form's
 * initial values.
 */
export interface CheckoutFieldValues {
  contact: ContactFields;
  allergies: string;
  note: string;
  if_sold_out: SoldOutWish;
  cutlery: boolean;
}

/** `forgotten` is the number of times that the guest's details were deleted; each deletion resets the fields. */
export function useCheckoutFieldValues(
  { draft, forgotten }: { draft: CheckoutDraft; forgotten: number },
  user: User | null,
): [CheckoutFieldValues, (form: HTMLFormElement) => void] {
  const start = (): CheckoutFieldValues => ({
    contact: initialContact(draft, user),
    allergies: initialAllergyNote(draft, user),
    note: draft['note'] ?? '',
    if_sold_out: soldOutWishOf(draft['if_sold_out']),
    cutlery: draft['cutlery'] !== undefined,
  });
  const [fields, setFields] = useState(start);
  const [begun, setBegun] = useState(forgotten);
  if (begun !== forgotten) {
    setBegun(forgotten);
    setFields(start());
  }
  const read = (form: HTMLFormElement) => {
    const typed = new FormData(form);
    const text = (name: string) => formFieldText(typed, name);
    setFields({
      contact: { name: text('contact.name'), phone: text('contact.phone'), email: text('contact.email') },
      allergies: text('allergy_note'),
      note: text('note'),
      ...readOrderPreferences(typed),
    });
  };
  return [fields, read];
}

export function readOrderPreferences(form: FormData): Pick<CheckoutFieldValues, 'if_sold_out' | 'cutlery'> {
  return { if_sold_out: soldOutWishOf(formFieldText(form, 'if_sold_out')), cutlery: form.has('cutlery') };
}

function soldOutWishOf(value: string | undefined): SoldOutWish {
  return value === 'remove' ? 'remove' : 'ring';
}

/**
 * The initial name, phone and email: as typed in this tab, otherwise from the account, or for a guest from this
 * device's last order.
 */
export function initialContact(draft: CheckoutDraft, user: User | null): ContactFields {
  const known = user ?? readGuestDetails();
  return {
    name: draft['contact.name'] || (known?.name ?? ''),
    phone: draft['contact.phone'] || (known?.phone ?? ''),
    email: draft['contact.email'] || (known?.email ?? ''),
  };
}

/**
 * The initial allergy note. A note that the customer has edited is kept, even if it is empty. Otherwise the note lists
 * the profile's allergies; for a guest it is empty.
 */
export function initialAllergyNote(draft: CheckoutDraft, user: Pick<User, 'allergies'> | null): string {
  return draft['allergy_note'] ?? (user ? allergyNote(user) : '');
}

/** The profile's allergies as a note for the kitchen: `Milk, peanuts`. */
export function allergyNote({ allergies }: Pick<User, 'allergies'>): string {
  const words = allergenNameEntries.filter(([code]) => allergies.includes(code)).map(([, name]) => name());
  const note = words.join(', ');
  return note.charAt(0).toUpperCase() + note.slice(1);
}
