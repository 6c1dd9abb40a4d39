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
