/** The 14 allergens that UK law names (Food Information Regulations 2014, Annex II). */
export const allergenCodes = [
  'celery',
  'gluten',
  'crustaceans',
  'eggs',
  'fish',
  'lupin',
  'milk',
  'molluscs',
  'mustard',
  'nuts',
  'peanuts',
  'sesame',
  'soya',
  'sulphites',
] as const;
export type AllergenCode = (typeof allergenCodes)[number];

/**
 * How certain it is that a dish has an allergen, the most certain first. `not_stated`: the shop has not said whether
 * the dish has the allergen.
 */
export const conflictKinds = ['contains', 'may_contain', 'not_stated'] as const;
export type ConflictKind = (typeof conflictKinds)[number];

export const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;
export type Weekday = (typeof weekdays)[number];
