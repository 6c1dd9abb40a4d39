import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { allergenCodes } from '#database/page-values.ts';
import type { Allergens } from '#menu/menu-shapes.ts';
import { dishAfterChoices, dishAllergens, joinAllergens } from '#menu/dish-allergens.ts';
import { passesDishFilter } from '#menu/filter-dishes.ts';
import { aGroup, anItem, anOption } from '#ordering/testing/samples.ts';

type Codes = NonNullable<Allergens>['contains'];
const holds = (contains: Codes, may: Codes = []): Allergens => ({ contains, may_contain: may });
const one = { min_select: 1, max_select: 1, max_per_option: 1 };

test('what every choice of a required group brings is contained, and what some bring depends on the choice', () => {
  const burgers = aGroup(
    'burger',
    [
      anOption('beef', { allergens: holds(['gluten', 'milk']) }),
      anOption('vegan', { allergens: holds(['gluten'], ['nuts']) }),
    ],
    one,
  );
  expect(dishAllergens(anItem('box', { allergens: holds([], ['gluten']), option_groups: [burgers] }))).toEqual({
    contains: ['gluten'],
    may_contain: [],
    by_choice: ['milk', 'nuts'],
    by_extras: [],
    is_partly_unstated: false,
  });
});

test('two of three must be taken: what two of them have cannot be left out', () => {
  const three = [holds(['milk']), holds(['milk', 'eggs']), holds([])].map((allergens, place) =>
    anOption(`${place}`, { allergens }),
  );
  const sides = aGroup('sides', three, { min_select: 2, max_select: 2, max_per_option: 1 });
  expect(dishAllergens(anItem('box', { option_groups: [sides] }))).toMatchObject({
    contains: ['milk'],
    by_choice: ['eggs'],
  });
});

test('what is possible in any case, and certain with a choice, is said as both', () => {
  const bun = aGroup('bun', [anOption('plain'), anOption('seeded', { allergens: holds(['sesame']) })], one);
  expect(dishAllergens(anItem('a', { allergens: holds([], ['sesame']), option_groups: [bun] }))).toMatchObject({
    contains: [],
    may_contain: ['sesame'],
    by_choice: ['sesame'],
  });
});

test('extras can add theirs; an extra that is chosen to begin with counts as a choice', () => {
  const extras = aGroup('extras', [
    anOption('cheese', { allergens: holds(['milk']) }),
    anOption('mayo', { allergens: holds(['eggs']), is_default: true }),
  ]);
  expect(dishAllergens(anItem('a', { option_groups: [extras] }))).toMatchObject({
    contains: [],
    by_choice: ['eggs'],
    by_extras: ['milk'],
  });
});

test('a dish that is not stated, or whose choice is not, is not stated; one option alone leaves it open in part', () => {
  const unstated = anOption('secret', { allergens: null });
  expect(dishAllergens(anItem('a', { allergens: null }))).toBeNull();
  expect(dishAllergens(anItem('a', { option_groups: [aGroup('g', [unstated], one)] }))).toBeNull();
  expect(dishAllergens(anItem('a', { option_groups: [aGroup('g', [unstated, anOption('b')], one)] }))).toMatchObject({
    is_partly_unstated: true,
  });
});

test('what a required choice brings that the only size shows cannot be left out, and must be stated', () => {
  const withBase = (allergens: Allergens) =>
    anItem('a', {
      option_groups: [
        aGroup('size', [anOption('large')], one),
        aGroup('base', [anOption('thin', { allergens })], { ...one, shown_when_option_id: 'large' }),
      ],
    });
  expect(dishAllergens(withBase(holds(['gluten'])))).toMatchObject({ contains: ['gluten'] });
  expect(dishAllergens(withBase(null))).toBeNull();
  expect(passesDishFilter(withBase(null), { diets: [], without: ['nuts'] })).toBe(false);
});

describe('a dish of which something is chosen', () => {
  const classic = anOption('classic', { allergens: holds(['gluten']) });
  const eggy = anOption('eggy', { allergens: holds(['gluten', 'eggs']) });
  const size = aGroup('size', [anOption('small'), anOption('large')], one);
  const smallBase = aGroup('small-base', [classic, anOption('corn')], { ...one, shown_when_option_id: 'small' });
  const largeBase = aGroup('large-base', [classic, eggy], { ...one, shown_when_option_id: 'large' });
  const pizza = anItem('pizza', { allergens: holds(['milk']), option_groups: [size, smallBase, largeBase] });
  const choose = (group: typeof size, place: number) => {
    const option = group.options?.[place];
    if (!option) throw new Error('no such option');
    return { group, option, quantity: 1 };
  };
  const said = (...selected: ReturnType<typeof choose>[]) => dishAllergens(dishAfterChoices(pizza, selected));

  test('has what its own parts have, and what every choice brings that is still to make', () => {
    expect(said()).toMatchObject({ contains: ['milk'], by_choice: ['gluten', 'eggs'] });
    const large = choose(size, 1);
    expect(said(large)).toMatchObject({ contains: ['gluten', 'milk'], by_choice: ['eggs'] });
    expect(said(choose(size, 0))).toMatchObject({ contains: ['milk'], by_choice: ['gluten'] });
    expect(said(large, choose(largeBase, 1))).toEqual({
      contains: ['gluten', 'eggs', 'milk'],
      may_contain: [],
      by_choice: [],
      by_extras: [],
      is_partly_unstated: false,
    });
  });

  test('says the same whatever is sold out', () => {
    const soldOut = (options: typeof size.options) => options?.map((option) => ({ ...option, is_available: false }));
    const groups = [size, smallBase, largeBase].map((group) => ({ ...group, options: soldOut(group.options) }));
    const large = choose(size, 1);
    const left = { ...pizza, option_groups: groups };
    expect(dishAllergens(dishAfterChoices(left, [large]))).toEqual(said(large));
  });

  test('is not stated while one of the choices made or still to make is not', () => {
    const secret = aGroup('secret', [anOption('s', { allergens: null })], one);
    const withSecret = anItem('b', { option_groups: [secret] });
    expect(dishAllergens(dishAfterChoices(withSecret, []))).toBeNull();
    expect(dishAllergens(dishAfterChoices(withSecret, [choose(secret, 0)]))).toBeNull();
  });

  test('with one of two sauces taken still cannot be had without what the other choices all bring', () => {
    const sauces = aGroup('sauces', [anOption('plain'), classic, eggy], {
      min_select: 2,
      max_select: 2,
      max_per_option: 1,
    });
    const wrap = anItem('wrap', { option_groups: [sauces] });
    expect(dishAllergens(dishAfterChoices(wrap, [choose(sauces, 0)]))).toMatchObject({
      contains: ['gluten'],
      by_choice: ['eggs'],
    });
  });
});

test('the filter leaves a dish out exactly where it is said to contain or possibly contain the allergen', () => {
  const codes = fc.subarray([...allergenCodes].slice(0, 4));
  const stated = fc.record({ contains: codes, may_contain: codes });
  const options = fc.array(fc.option(stated, { freq: 8 }), { maxLength: 4 });
  const group = fc.record({ options, min_select: fc.nat(2), max_per_option: fc.integer({ min: 1, max: 2 }) });
  fc.assert(
    fc.property(fc.option(stated, { freq: 9 }), fc.array(group, { maxLength: 3 }), (own, groups) => {
      const item = anItem('a', {
        allergens: own,
        option_groups: groups.map(({ options: all, ...rest }, place) =>
          aGroup(
            `${place}`,
            all.map((allergens, nth) => anOption(`${place}-${nth}`, { allergens })),
            rest,
          ),
        ),
      });
      const said = dishAllergens(item);
      for (const code of allergenCodes.slice(0, 5)) {
        const isOut = !said || said.contains.includes(code) || said.may_contain.includes(code);
        expect(passesDishFilter(item, { diets: [], without: [code] })).toBe(!isOut);
      }
    }),
  );
});

describe('allergens of a dish with what is chosen', () => {
  test('are all of theirs, and what is contained is not said to be possible', () => {
    const joined = joinAllergens([
      { contains: ['milk'], may_contain: ['nuts', 'soya'] },
      { contains: ['gluten', 'nuts'], may_contain: [] },
    ]);
    expect(joined).toEqual({ contains: ['milk', 'gluten', 'nuts'], may_contain: ['soya'] });
  });

  test('are not stated as soon as one of them is not', () => {
    expect(joinAllergens([{ contains: [], may_contain: [] }, null])).toBeNull();
  });
});
