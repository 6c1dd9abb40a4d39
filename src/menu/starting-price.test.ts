import { describe, expect, test } from 'vitest';
import type { Item } from '#menu/menu-shapes.ts';
import { startingPrice, startingPriceWords } from '#menu/starting-price.ts';
import { aGroup, anItem, anOption } from '#ordering/testing/samples.ts';

const sizes = [anOption('small', { price: 0 }), anOption('large', { price: 300 })];

describe('what an item costs at least', () => {
  test('without choices that must be made it is the price', () => {
    const extras = aGroup('extras', [anOption('cheese', { price: 100 })]);
    expect(startingPrice(anItem('a', { price: 900, option_groups: [extras] }))).toEqual({ price: 900, isFrom: false });
  });

  test('a required size is the cheapest one, and says "from"', () => {
    const size = aGroup('size', sizes, { min_select: 1, max_select: 1 });
    expect(startingPrice(anItem('a', { price: 900, option_groups: [size] }))).toEqual({ price: 900, isFrom: true });
  });

  test('choices that all cost the same do not say "from"', () => {
    const drink = aGroup('drink', [anOption('cola', { price: 120 }), anOption('water', { price: 120 })], {
      min_select: 1,
      max_select: 1,
    });
    expect(startingPrice(anItem('a', { price: 900, option_groups: [drink] }))).toEqual({ price: 1020, isFrom: false });
  });

  test('free selections cost nothing, and a group that shows with an option is not counted', () => {
    const dips = aGroup('dips', sizes, { min_select: 1, max_select: 1, free_select: 1 });
    const base = aGroup('base', [anOption('thin', { price: 200 })], {
      min_select: 1,
      max_select: 1,
      shown_when_option_id: 'large',
    });
    expect(startingPrice(anItem('a', { price: 900, option_groups: [dips, base] }))).toEqual({
      price: 900,
      isFrom: false,
    });
  });

  test('two of one option are two when it may be taken twice', () => {
    const sides = aGroup(
      'sides',
      sizes.map((size) => ({ ...size, price: size.price + 50 })),
      { min_select: 2, max_select: 2, max_per_option: 2 },
    );
    expect(startingPrice(anItem('a', { price: 900, option_groups: [sides] }))).toEqual({ price: 1000, isFrom: true });
  });

  test('of sizes that are the price, the cheapest counts, and the own price of the item does not', () => {
    const size = aGroup('size', [anOption('12 inch', { price: 1000 }), anOption('9 inch', { price: 700 })], {
      pricing: 'is_price',
      min_select: 1,
      max_select: 1,
    });
    const drink = aGroup('drink', [anOption('cola', { price: 120 })], { min_select: 1, max_select: 1 });
    const pizza = (...option_groups: Item['option_groups'] & {}) => anItem('a', { price: 700, option_groups });
    expect(startingPrice(pizza(size))).toEqual({ price: 700, isFrom: true });
    expect(startingPriceWords(pizza(size), 'GBP')).toBe('from £7.00');
    expect(startingPrice(pizza(drink, size))).toEqual({ price: 820, isFrom: true });
    const one = { ...size, options: [anOption('12 inch', { price: 1000 })] };
    expect(startingPriceWords(pizza(one), 'GBP')).toBe('£10.00');
    // Until the group has choices, there is no other price.
    expect(startingPrice(pizza({ ...size, options: [] }))).toEqual({ price: 700, isFrom: false });
  });
});
