import type { User } from '#accounts/contract.ts';
import { allergenChoices } from '#menu/web/allergen-words.ts';

/** The profile's allergies as a note for the kitchen: `Milk, peanuts`. */
export function allergyNote({ allergies }: Pick<User, 'allergies'>): string {
  const words = allergenChoices.filter(([code]) => allergies.includes(code)).map(([, name]) => name());
  const note = words.join(', ');
  return note.charAt(0).toUpperCase() + note.slice(1);
}
