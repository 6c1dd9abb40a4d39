import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { indexItem } from '#menu/menu-index.ts';
import { checkChosenOptions, defaultOptions, visibleGroupIds } from '#menu/option-rules.ts';
import { aGroup, anItem, anOption, choices } from '#ordering/testing/samples.ts';

const now = new Date('2026-11-20T18:00:00Z');
const gone = { is_available: false };

const pizza = indexItem(
  anItem('Pizza', {
    option_groups: [
      aGroup('size', [anOption('small'), anOption('large')], { name: 'Size', min_select: 1, max_select: 1 }),
      aGroup('toppings', [anOption('ham'), anOption('corn'), anOption('olives', { name: 'Olives', ...gone })], {
        name: 'Toppings',
        max_select: 3,
        max_per_option: 2,
      }),
      aGroup('dips', [anOption('garlic'), anOption('chilli')], {
        name: 'Dips',
        min_select: 2,
        max_select: 2,
        shown_when_option_id: 'large',
      }),
      aGroup('base', [anOption('thin'), anOption('deep')], {
        name: 'Choose your base',
        min_select: 1,
        shown_when_option_id: 'garlic',
      }),
    ],
  }),
);

function check(...texts: string[]) {
  const { problems, selected } = checkChosenOptions(pizza, choices(...texts), now, 'lines.0.options');
  return {
    codes: problems.map(({ code }) => code),
    messages: problems.map(({ message }) => message),
    problems,
    selected,
  };
}

describe('checkChosenOptions', () => {
  test.each([
    [['size/small'], [], []],
    [['size/small', 'toppings/ham*2', 'toppings/corn'], [], []],
    [['size/large', 'dips/chilli*2'], [], []],
    [['size/large', 'dips/garlic', 'dips/chilli', 'base/thin'], [], []],
    [[], ['option_group_min'], ['Choose your size.']],
    [['size/small', 'size/large', 'dips/chilli*2'], ['option_group_max'], ['Choose only one from Size.']],
    [['size/small*2'], ['option_group_max'], ['Choose only one from Size.']],
    [['size/small', 'toppings/ham*3'], ['option_max'], ['You can choose ham up to 2 times.']],
    [['size/small', 'toppings/ham*2', 'toppings/corn*2'], ['option_group_max'], ['Choose at most 3 from Toppings.']],
    [['size/small', 'toppings/olives'], ['option_sold_out'], ['Olives is sold out.']],
    [['size/small', 'toppings/large'], ['option_unknown'], ['One of your choices for Pizza is no longer available.']],
    [['size/small', 'other/ham'], ['option_unknown'], ['One of your choices for Pizza is no longer available.']],
    [['size/small', 'dips/garlic'], ['option_unknown'], ['garlic cannot be combined with your other choices.']],
    [['size/large'], ['option_group_min'], ['Choose 2 from Dips.']],
    [
      ['size/large', 'dips/garlic'],
      ['option_group_min', 'option_group_min'],
      ['Choose 2 from Dips.', 'Choose your base.'],
    ],
    [['size/small', 'toppings/ham*0'], ['option_max'], ['Choose a number from 1 to 20.']],
    [['size/small', 'toppings/ham*1.5'], ['option_max'], ['Choose a number from 1 to 20.']],
    [['size/small', 'toppings/ham*-3'], ['option_max'], ['Choose a number from 1 to 20.']],
  ])('%j gives %j', (texts, codes, messages) => {
    expect(check(...texts)).toMatchObject({ codes, messages });
  });

  test('problems carry the path they are given', () => {
    expect(check().problems[0]?.path).toBe('lines.0.options');
  });

  test('the same option twice is one of it with the quantities added', () => {
    expect(check('size/small', 'toppings/ham', 'toppings/corn', 'toppings/ham').selected).toMatchObject([
      { option: { id: 'small' }, quantity: 1 },
      { option: { id: 'ham' }, quantity: 2 },
      { option: { id: 'corn' }, quantity: 1 },
    ]);
    expect(check('size/small', 'toppings/ham*2', 'toppings/ham').codes).toEqual(['option_max']);
  });

  test('what does not belong is not selected; what is sold out is', () => {
    const { selected } = check('size/small', 'toppings/olives', 'dips/garlic', 'toppings/nothing');
    expect(selected.map(({ option }) => option.id)).toEqual(['small', 'olives']);
  });

  test('an option that can be chosen once says so', () => {
    const once = indexItem(anItem('x', { option_groups: [aGroup('g', [anOption('Bacon')], { max_per_option: 1 })] }));
    expect(checkChosenOptions(once, choices('g/Bacon*2'), now, 'p').problems).toMatchObject([
      { message: 'You can choose Bacon only once.' },
    ]);
  });

  test.each([
    ['Your drink', 'Choose your drink.'],
    ['BBQ sauce', 'Choose your BBQ sauce.'],
    ['Pick a side', 'Pick a side.'],
  ])('a missing choice from “%s” reads well', (name, message) => {
    const item = indexItem(
      anItem('x', { option_groups: [aGroup('g', [anOption('o')], { name, min_select: 1, max_select: 1 })] }),
    );
    expect(checkChosenOptions(item, [], now, 'p').problems).toMatchObject([{ message }]);
  });

  test('groups that only show each other never show', () => {
    const loop = indexItem(
      anItem('loop', {
        option_groups: [
          aGroup('a', [anOption('1')], { min_select: 1, shown_when_option_id: '2' }),
          aGroup('b', [anOption('2')], { min_select: 1, shown_when_option_id: '1' }),
        ],
      }),
    );
    expect(checkChosenOptions(loop, [], now, 'p').problems).toEqual([]);
    expect(checkChosenOptions(loop, choices('a/1', 'b/2'), now, 'p').problems).toHaveLength(2);
  });
});

const itemWithDefaults = (rest: object = {}) =>
  indexItem(
    anItem('x', {
      option_groups: [
        aGroup('size', [anOption('small'), anOption('large', { is_default: true, ...rest })], {
          min_select: 1,
          max_select: 1,
        }),
        aGroup('dips', [anOption('garlic', { is_default: true })], { shown_when_option_id: 'large' }),
        aGroup('sides', [anOption('a', { is_default: true }), anOption('b', { is_default: true })], {
          max_select: 1,
        }),
      ],
    }),
  );

describe('defaultOptions', () => {
  test('takes the defaults, as many as a group allows, of the groups that they make show', () => {
    expect(defaultOptions(itemWithDefaults(), now)).toEqual(choices('size/large', 'dips/garlic', 'sides/a'));
  });

  test('leaves out what is sold out, and what that would have shown', () => {
    expect(defaultOptions(itemWithDefaults(gone), now)).toEqual(choices('sides/a'));
  });
});

describe('properties', () => {
  const ids = ['small', 'large', 'ham', 'corn', 'olives', 'garlic', 'chilli', 'thin', 'deep', 'nothing'];
  const groups = ['size', 'toppings', 'dips', 'base', 'none'];
  const choice = fc.record({
    option_group_id: fc.constantFrom(...groups),
    option_id: fc.constantFrom(...ids),
    quantity: fc.integer({ min: -1, max: 25 }),
  });
  const chosen = fc.array(choice, { maxLength: 12 });

  test('the order of choosing changes neither the selection nor whether it is allowed', () => {
    fc.assert(
      fc.property(chosen, fc.infiniteStream(fc.nat()), (list, keys) => {
        const shuffled = list.map((one) => ({ one, key: keys.next().value ?? 0 })).sort((a, b) => a.key - b.key);
        const a = checkChosenOptions(pizza, list, now, 'p');
        const b = checkChosenOptions(
          pizza,
          shuffled.map(({ one }) => one),
          now,
          'p',
        );
        expect(b.problems.length === 0).toBe(a.problems.length === 0);
        expect(b.selected).toEqual(a.selected);
      }),
    );
  });

  test('what passes keeps every limit of every group that shows, and has nothing of the others', () => {
    const likely = fc.subarray([
      'size/small',
      'size/large',
      'toppings/ham',
      'toppings/corn*2',
      'dips/garlic',
      'dips/chilli',
      'base/thin',
    ]);
    fc.assert(
      fc.property(likely, (texts) => {
        const { selected, problems } = checkChosenOptions(pizza, choices(...texts), now, 'p');
        fc.pre(problems.length === 0);
        expect(selected).toHaveLength(texts.length);
        const shown = visibleGroupIds(pizza, selected);
        for (const { group } of pizza.groups.values()) {
          const mine = selected.filter((selection) => selection.group.id === group.id);
          const count = mine.reduce((sum, { quantity }) => sum + quantity, 0);
          expect(count).toBeGreaterThanOrEqual(shown.has(group.id) ? group.min_select : 0);
          expect(count).toBeLessThanOrEqual(shown.has(group.id) ? group.max_select : 0);
        }
      }),
    );
  });

  test('a selection’s quantity is always a whole number from 1 to 20', () => {
    const wild = fc.record({
      option_group_id: fc.constantFrom(...groups),
      option_id: fc.constantFrom(...ids),
      quantity: fc.oneof(fc.double(), fc.integer()),
    });
    fc.assert(
      fc.property(fc.array(wild, { maxLength: 8 }), (list) => {
        for (const { quantity } of checkChosenOptions(pizza, list, now, 'p').selected) {
          expect(Number.isInteger(quantity) && quantity >= 1 && quantity <= 20).toBe(true);
        }
      }),
    );
  });
});
