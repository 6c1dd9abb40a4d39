import { describe, expect, test } from 'vitest';
import { avoidedAllergenAnswers, allergenConflictsOf, dishConflicts } from '#menu/allergen-conflicts.ts';
import type { Allergens } from '#menu/menu-shapes.ts';
import { aGroup, anItem, anOption } from '#ordering/testing/samples.ts';

type Codes = NonNullable<Allergens>['contains'];
const holds = (contains: Codes, may: Codes = []): Allergens => ({ contains, may_contain: may });

describe('an avoided allergen', () => {
  test.each([
    ['is contained', [holds(['nuts'])], 'contains'],
    ['is contained though another part is not stated', [null, holds(['nuts'])], 'contains'],
    ['is possible', [holds(['milk'], ['nuts'])], 'may_contain'],
    ['is possible though another part is not stated', [holds([], ['nuts']), null], 'may_contain'],
    ['is not stated', [holds(['milk']), null], 'not_stated'],
    ['is contained by one part and possible by another', [holds([], ['nuts']), holds(['nuts'])], 'contains'],
  ] as const)('%s', (_case, parts, kind) => {
    expect(allergenConflictsOf(parts, ['nuts'])).toEqual([{ code: 'nuts', kind }]);
  });

  test('that nothing has is no conflict, nor is one that nobody avoids', () => {
    expect(allergenConflictsOf([holds(['milk'])], ['nuts'])).toEqual([]);
    expect(allergenConflictsOf([holds(['nuts']), null], [])).toEqual([]);
  });

  test('is named once each, in the order of the law, and unknown codes are none', () => {
    const parts = [holds(['nuts', 'celery'], ['milk'])];
    expect(allergenConflictsOf(parts, ['nuts', 'milk', 'nuts', 'kryptonite', 'celery'])).toEqual([
      { code: 'celery', kind: 'contains' },
      { code: 'milk', kind: 'may_contain' },
      { code: 'nuts', kind: 'contains' },
    ]);
  });
});

describe('a dish before anything is chosen', () => {
  const one = { min_select: 1, max_select: 1, max_per_option: 1 };
  const nutty = anOption('nutty', { allergens: holds(['nuts']) });

  test('conflicts with what every choice brings, and not with what only some bring', () => {
    const all = anItem('a', { option_groups: [aGroup('g', [nutty], one)] });
    const some = anItem('b', { option_groups: [aGroup('g', [nutty, anOption('plain')], one)] });
    expect(dishConflicts(all, ['nuts'])).toEqual([{ code: 'nuts', kind: 'contains' }]);
    expect(dishConflicts(some, ['nuts'])).toEqual([]);
  });

  test('keeps what it says of itself when its choices are not stated', () => {
    const groups = [aGroup('g', [anOption('secret', { allergens: null })], one)];
    expect(dishConflicts(anItem('a', { allergens: holds(['nuts']), option_groups: groups }), ['nuts', 'milk'])).toEqual(
      [
        { code: 'milk', kind: 'not_stated' },
        { code: 'nuts', kind: 'contains' },
      ],
    );
  });

  test('conflicts with what every choice brings that is still to make, also beside what is not stated', () => {
    const size = aGroup('size', [anOption('small'), anOption('large')], one);
    const item = anItem('a', { allergens: null, option_groups: [size, aGroup('g', [nutty], one)] });
    const small = { group: size, option: anOption('small'), quantity: 1 };
    const kinds = (own: Allergens) => dishConflicts({ ...item, allergens: own }, ['nuts', 'milk'], [small]);
    expect(kinds(holds([]))).toEqual([{ code: 'nuts', kind: 'contains' }]);
    expect(kinds(null)).toEqual([
      { code: 'milk', kind: 'not_stated' },
      { code: 'nuts', kind: 'contains' },
    ]);
  });
});

describe('a dish answers about an avoided allergen', () => {
  const sauce = (allergens: Allergens, min = 0) =>
    aGroup('sauce', [anOption('plain', { allergens: holds([]) }), anOption('satay', { allergens })], {
      min_select: min,
    });
  test.each([
    ['contains', holds(['nuts']), [], 'contains'],
    ['may contain', holds([], ['nuts']), [], 'may_contain'],
    ['ask the shop', null, [], 'not_stated'],
    ['ask the shop about a choice', holds([]), [sauce(null)], 'not_stated'],
    ['depends on a required choice', holds([]), [sauce(holds(['nuts']), 1)], 'by_choice'],
    ['depends on an extra', holds([]), [sauce(holds(['nuts']))], 'by_choice'],
    ['not in it', holds(['milk']), [sauce(holds(['milk']))], 'free'],
  ] as const)('%s', (_case, allergens, groups, kind) => {
    const dish = anItem('curry', { allergens, option_groups: [...groups] });
    expect(avoidedAllergenAnswers(dish, ['nuts'])).toEqual([{ code: 'nuts', kind }]);
    expect(avoidedAllergenAnswers(dish, [])).toEqual([]);
  });
});
