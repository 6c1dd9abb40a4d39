import type { User } from '#accounts/contract.ts';
import { allergenChoices } from '#menu/web/allergen-words.ts';

/** What the profile says that the customer must not eat, as a note for the kitchen: `Milk, peanuts`. */
export function allergyNote({ allergies }: Pick<User, 'allergies'>): string {
  const words = allergenChoices.filter(([code]) => allergies.includes(code)).map(([, name]) => name());
  const note = words.join(', ');
  return note.charAt(0).toUpperCase() + note.slice(1);
}
