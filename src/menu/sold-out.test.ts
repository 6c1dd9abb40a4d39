import { expect, test } from 'vitest';
import { indexItem } from '#menu/menu-index.ts';
import { defaultOptions } from '#menu/option-rules.ts';
import { isDishSoldOut, isOptionSoldOut, isSoldOut, normaliseStockFields } from '#menu/sold-out.ts';
import { aGroup, anItem, anOption } from '#ordering/testing/samples.ts';

const now = new Date('2026-11-20T18:00:00Z');

test.each([
  [true, null, false],
  [true, '2026-11-20T19:00:00Z', false],
  [false, null, true],
  [false, '2026-11-20T18:00:01Z', true],
  [false, '2026-11-20T18:00:00Z', false],
  [false, '2026-11-20T17:00:00Z', false],
])('available %s until %s: sold out %s', (is_available, unavailable_until, expected) => {
  expect(isSoldOut({ is_available, unavailable_until }, now)).toBe(expected);
});

test('a dish without portions left is sold out, however available it is', () => {
  const dish = (portions_left: number | null) => isSoldOut(anItem('Roast', { portions_left }), now);
  expect([null, 1, 0].map(dish)).toEqual([false, false, true]);
});

test.each([
  [{ name: 'Bread' }, {}],
  [{ is_available: false }, { is_available: false, unavailable_until: null }],
  [
    { is_available: false, unavailable_until: '2026-11-21T05:00:00Z' },
    { is_available: false, unavailable_until: '2026-11-21T05:00:00Z' },
  ],
  [
    { is_available: true, unavailable_until: '2026-11-21T05:00:00Z' },
    { is_available: true, unavailable_until: null },
  ],
])('the change %j writes %j', (change, written) => {
  expect(normaliseStockFields(change)).toEqual(written);
});

const gone = { is_available: false };
const one = { min_select: 1, max_select: 1, max_per_option: 1 };

test.each([
  ['no group', [], false],
  ['an optional group with nothing left', [aGroup('extras', [anOption('a', gone)])], false],
  ['a choice that is left', [aGroup('size', [anOption('a', gone), anOption('b')], one)], false],
  ['no required choice left', [aGroup('size', [anOption('a', gone), anOption('b', gone)], one)], true],
  ['a required group without options', [aGroup('size', [], one)], true],
  [
    'one left of two to choose',
    [aGroup('sides', [anOption('a'), anOption('b', gone)], { min_select: 2, max_per_option: 1 })],
    true,
  ],
  [
    'one left that may be taken twice',
    [aGroup('sides', [anOption('a'), anOption('b', gone)], { min_select: 2, max_per_option: 2 })],
    false,
  ],
  [
    'nothing left in the group that the only size shows',
    [
      aGroup('size', [anOption('large')], one),
      aGroup('base', [anOption('thin', gone)], { ...one, shown_when_option_id: 'large' }),
    ],
    true,
  ],
  [
    'nothing left in the group that one of two sizes shows',
    [
      aGroup('size', [anOption('large'), anOption('small')], one),
      aGroup('base', [anOption('thin', gone)], { ...one, shown_when_option_id: 'large' }),
    ],
    false,
  ],
  [
    'the other size gone',
    [
      aGroup('size', [anOption('large'), anOption('small', gone)], one),
      aGroup('base', [anOption('thin')], { ...one, shown_when_option_id: 'large' }),
      aGroup('flour', [anOption('rye', gone)], { ...one, shown_when_option_id: 'thin' }),
    ],
    true,
  ],
  [
    'a group that only an extra shows',
    [
      aGroup('extras', [anOption('dip')]),
      aGroup('sauce', [anOption('mayo', gone)], { ...one, shown_when_option_id: 'dip' }),
    ],
    false,
  ],
  [
    'a group that its own option shows',
    [
      aGroup('size', [anOption('large')], one),
      aGroup('base', [anOption('large')], { ...one, shown_when_option_id: 'large' }),
    ],
    false,
  ],
])('a dish with %s: sold out %s', (_, option_groups, expected) => {
  expect(isDishSoldOut(anItem('pizza', { option_groups }), now)).toBe(expected);
});

test('a dish is sold out only until its last choice comes back, and while it is switched off itself', () => {
  const small = anOption('small', { is_available: false, unavailable_until: '2026-11-20T18:30:00Z' });
  const pizza = anItem('pizza', { option_groups: [aGroup('size', [small], one)] });
  expect(isDishSoldOut(pizza, now)).toBe(true);
  expect(isDishSoldOut(pizza, new Date('2026-11-20T18:30:00Z'))).toBe(false);
  expect(isDishSoldOut(anItem('soup', gone), now)).toBe(true);
});

test('a size whose every base is sold out is sold out, and so is not preselected', () => {
  const [large, small] = [anOption('large', { is_default: true }), anOption('small')];
  const pizza = anItem('pizza', {
    option_groups: [
      aGroup('size', [large, small], one),
      aGroup('base', [anOption('thin', gone)], { ...one, shown_when_option_id: 'large' }),
    ],
  });
  expect(isOptionSoldOut(large, pizza, now)).toBe(true);
  expect(isOptionSoldOut(small, pizza, now)).toBe(false);
  expect(defaultOptions(indexItem(pizza, []), now)).toEqual([]);
});
