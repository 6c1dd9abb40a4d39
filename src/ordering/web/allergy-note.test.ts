import { expect, test } from 'vitest';
import { allergyNote } from '#ordering/web/allergy-note.ts';

test.each([
  [[], ''],
  [['peanuts'], 'Peanuts'],
  [['peanuts', 'milk'], 'Milk, peanuts'],
  [['no allergen that we know', 'eggs'], 'Eggs'],
])('allergies to %j are said to the kitchen as %j', (allergies, note) => {
  expect(allergyNote({ allergies })).toBe(note);
});
