import fc from 'fast-check';
import { allergenCodes } from '#database/page-values.ts';
import type { AllergenAnswers } from '#menu/menu-shapes.ts';

/** Values of the fields that dishes and choices share. */
export const allergens = fc.constantFrom(null, {
  contains: allergenCodes.slice(0, 2),
  may_contain: allergenCodes.slice(3, 4),
});
export const answers = fc.constantFrom<AllergenAnswers>(
  null,
  { contains: allergenCodes.slice(0, 2), may_contain: [], not_in: allergenCodes.slice(3, 5) },
  { contains: [], may_contain: allergenCodes.slice(13), not_in: allergenCodes.slice(0, 13) },
);
export const stock = fc.constantFrom(
  {},
  { is_available: true },
  { is_available: false },
  { is_available: false, unavailable_until: '2026-11-25T05:00:00.000Z' },
  { is_available: true, unavailable_until: '2026-11-25T05:00:00.000Z' },
);
