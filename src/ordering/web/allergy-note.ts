import type { User } from '#accounts/contract.ts';
import { allergenChoices } from '#menu/allergen-words.ts';
import type { CheckoutDraft } from '#ordering/web/checkout-draft.ts';

/** The note at first: as it was edited by hand, also if that left nothing, or else the profile's. */
export function startNote(draft: CheckoutDraft, user: Pick<User, 'allergies'> | null): string {
  return draft['allergy_note'] ?? (user ? allergyNote(user) : '');
}

/** The profile's allergies as a note for the kitchen: `Milk, peanuts`. */
export function allergyNote({ allergies }: Pick<User, 'allergies'>): string {
  const words = allergenChoices.filter(([code]) => allergies.includes(code)).map(([, name]) => name());
  const note = words.join(', ');
  return note.charAt(0).toUpperCase() + note.slice(1);
}
