import { expect, test } from 'vitest';
import type { Allergens } from '#menu/menu-shapes.ts';
import { passesDishFilter } from '#menu/filter-dishes.ts';
import { aGroup, anItem, anOption } from '#ordering/testing/samples.ts';

const contains = (...codes: NonNullable<Allergens>['contains']): Allergens => ({ contains: codes, may_contain: [] });
const free = contains();
const without = (...codes: string[]) => ({ diets: [], without: codes });

test('a dish whose allergens are not stated passes no free-from filter, and passes without one', () => {
  const item = anItem('dish', { allergens: null });
  expect(passesDishFilter(item, without('milk'))).toBe(false);
  expect(passesDishFilter(item, without())).toBe(true);
});

test('what may contain an allergen is left out as what contains it', () => {
  expect(
    passesDishFilter(anItem('dish', { allergens: { contains: [], may_contain: ['nuts'] } }), without('nuts')),
  ).toBe(false);
  expect(passesDishFilter(anItem('dish', { allergens: contains('eggs') }), without('nuts'))).toBe(true);
});

test('a dish passes when something free of the allergen can be chosen wherever a choice must be made', () => {
  const brioche = anOption('brioche', { allergens: contains('milk') });
  const plain = anOption('plain', { allergens: free });
  const unstated = anOption('unstated', { allergens: null });
  const bun = (options: (typeof plain)[], min = 1) =>
    anItem('dish', {
      allergens: free,
      option_groups: [aGroup('bun', options, { min_select: min, max_select: 2, max_per_option: 1 })],
    });
  expect(passesDishFilter(bun([brioche, plain]), without('milk'))).toBe(true);
  expect(passesDishFilter(bun([brioche, plain], 2), without('milk'))).toBe(false);
  expect(passesDishFilter(bun([brioche, unstated]), without('milk'))).toBe(false);
  expect(passesDishFilter(bun([brioche], 0), without('milk'))).toBe(true);
});

test('a vegan dish is found as vegetarian, and two diets must both hold', () => {
  const item = anItem('dish', { dietary: ['vegan', 'halal'] });
  expect(passesDishFilter(item, { diets: ['vegetarian'], without: [] })).toBe(true);
  expect(passesDishFilter(item, { diets: ['halal', 'gluten_free'], without: [] })).toBe(false);
});
