import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyOffers, type OfferLine } from '#ordering/offers/apply-offers.ts';
import { referenceSaving } from '#ordering/testing/reference-offers.ts';
import { drawnOffers, offeredCategories, offeredDishes } from '#ordering/testing/draw-orders.ts';
import { anOffer } from '#ordering/testing/samples.ts';
import type { StoredOffer } from '#store/offer-shapes.ts';
import { offerDraws } from '#testing/draws.ts';

const line = (item_id: string, own: number, quantity = 1, rest: Partial<OfferLine> = {}): OfferLine => ({
  item_id,
  category_ids: [],
  isAged: false,
  own,
  quantity,
  total: own * quantity,
  ...rest,
});

const cutsOf = (offers: StoredOffer[], lines: OfferLine[], delivery = 0) => {
  const { cuts, shares } = applyOffers(offers, { lines, delivery });
  return [Object.fromEntries(cuts.map(({ offer, amount }) => [offer.id, amount])), shares];
};

const pizzas = { item_ids: ['pizza'] };
const lunch = anOffer('set_price', {
  value: 1000,
  parts: [
    { item_ids: ['pizza'], quantity: 1 },
    { item_ids: ['cola', 'juice'], quantity: 2 },
  ],
});

describe('one offer', () => {
  test.each<[string, StoredOffer, OfferLine[], cut: number, shares: number[]]>([
    ['percent, half up', anOffer('percent', { value: 1000 }), [line('a', 1005)], 101, [101]],
    ['shared by largest remainder', anOffer('amount', { value: 100 }), [line('a', 200), line('b', 100)], 100, [67, 33]],
    ['an amount, never below zero', anOffer('amount', { value: 900 }), [line('a', 300)], 300, [300]],
    [
      'percent of listed dishes',
      anOffer('percent', { value: 5000, ...pizzas }),
      [line('pizza', 800), line('a', 900)],
      400,
      [400, 0],
    ],
    [
      'percent without excluded dishes',
      anOffer('percent', { value: 5000, excluded_item_ids: ['pizza'] }),
      [line('pizza', 800), line('a', 900)],
      450,
      [0, 450],
    ],
    [
      'percent of a category',
      anOffer('percent', { value: 1000, category_ids: ['c'] }),
      [line('a', 500, 1, { category_ids: ['b', 'c'] }), line('b', 500)],
      50,
      [50, 0],
    ],
    [
      'no dish with a minimum age',
      anOffer('percent', { value: 1000 }),
      [line('beer', 500, 1, { isAged: true }), line('a', 500)],
      50,
      [0, 50],
    ],
    [
      'a price for dishes, whose extras are paid',
      anOffer('item_price', { value: 500, ...pizzas }),
      [line('pizza', 800, 2, { total: 1900 })],
      600,
      [600],
    ],
    [
      'free, the dearest first',
      anOffer('item_price', { value: 0, max_pieces: 1 }),
      [line('a', 300), line('b', 400, 2)],
      400,
      [0, 400],
    ],
    ['no dearer price', anOffer('item_price', { value: 900, ...pizzas }), [line('pizza', 800)], 0, [0]],
    [
      'three for two, the cheapest of each set',
      anOffer('n_for_m', { take: 3, pay: 2 }),
      [line('a', 900, 2), line('b', 700, 3), line('c', 100, 2)],
      800,
      [0, 700, 100],
    ],
    ['no full set', anOffer('n_for_m', { take: 3, pay: 2 }), [line('a', 900, 2)], 0, [0]],
    ['at most one free', anOffer('n_for_m', { take: 2, pay: 1, max_pieces: 1 }), [line('a', 900, 6)], 900, [900]],
    ['a set', lunch, [line('pizza', 800), line('cola', 200), line('juice', 300, 2)], 400, [229, 0, 171]],
    ['two sets', lunch, [line('pizza', 800, 2), line('cola', 200, 4)], 400, [267, 133]],
    ['a set that is cheaper without', lunch, [line('pizza', 500), line('cola', 200, 2)], 0, [0, 0]],
  ])('%s', (_, offer, lines, cut, shares) => {
    expect(cutsOf([offer], lines)).toEqual([cut === 0 ? {} : { [offer.kind]: cut }, shares]);
  });

  test('free delivery takes off the fee, and nothing off the dishes', () => {
    expect(cutsOf([anOffer('free_delivery')], [line('a', 500)], 250)).toEqual([{ free_delivery: 250 }, [0]]);
  });
});

describe('several offers', () => {
  const tenth = anOffer('percent', { value: 1000 });
  const twoForOne = anOffer('n_for_m', { take: 2, pay: 1 });

  test('those that combine are taken together, offers on sums after those on dishes', () => {
    expect(cutsOf([tenth, twoForOne], [line('a', 1000, 2)])).toEqual([{ n_for_m: 1000, percent: 100 }, [1100]]);
  });

  test('one that does not combine counts alone, if it saves more', () => {
    const half = anOffer('percent', { id: 'half', value: 6000, combines: false });
    expect(cutsOf([tenth, half, twoForOne], [line('a', 1000, 2)])).toEqual([{ half: 1200 }, [1200]]);
    expect(cutsOf([tenth, { ...half, value: 5000 }, twoForOne], [line('a', 1000, 2)])[0]).toEqual({
      n_for_m: 1000,
      percent: 100,
    });
  });

  test('a piece takes part in one offer on dishes: the one that saves most, then the older', () => {
    const free = anOffer('item_price', { id: 'b', value: 0, max_pieces: 1 });
    expect(cutsOf([free, { ...free, id: 'a' }], [line('a', 500)])[0]).toEqual({ a: 500 });
    expect(cutsOf([free, twoForOne], [line('a', 500, 3)])[0]).toEqual({ b: 500, n_for_m: 500 });
  });
});

describe('properties', () => {
  const lines = fc.array(
    fc
      .record({
        item_id: fc.constantFrom(...offeredDishes),
        category_ids: fc.subarray([...offeredCategories]),
        isAged: fc.boolean(),
        own: fc.integer({ min: 0, max: 1500 }),
        extras: fc.integer({ min: 0, max: 300 }),
        quantity: fc.integer({ min: 1, max: 5 }),
      })
      .map(({ extras, ...rest }): OfferLine => ({ ...rest, total: (rest.own + extras) * rest.quantity })),
    { maxLength: 6 },
  );
  const basket = fc.record({ lines, delivery: fc.integer({ min: 0, max: 400 }) });
  const baskets = fc.array(basket, { minLength: offerDraws.baskets, maxLength: offerDraws.baskets });
  const runs = { numRuns: offerDraws.sets };

  test('as an implementation written apart; no order of the offers matters, and none alone would cost less', () => {
    fc.assert(
      fc.property(drawnOffers, baskets, (all, drawn) => {
        for (const of of drawn) {
          const found = applyOffers(all, of);
          expect(found.saved).toBe(referenceSaving(all, of));
          expect(applyOffers(all.toReversed(), of)).toEqual(found);
          for (const one of all) expect(applyOffers([one], of).saved).toBeLessThanOrEqual(found.saved);
        }
      }),
      runs,
    );
  });

  test('no line costs less than nothing, none with a minimum age less than it does, and the shares are the cuts', () => {
    fc.assert(
      fc.property(drawnOffers, basket, (all, of) => {
        const { cuts, shares, saved } = applyOffers(all, of);
        const ofLines = cuts.filter((cut) => cut.offer.kind !== 'free_delivery');
        expect(shares.reduce((sum, share) => sum + share, 0)).toBe(ofLines.reduce((sum, cut) => sum + cut.amount, 0));
        expect(cuts.reduce((sum, { amount }) => sum + amount, 0)).toBe(saved);
        for (const [at, { total, isAged }] of of.lines.entries()) {
          expect(shares[at]).toBeGreaterThanOrEqual(0);
          expect(shares[at]).toBeLessThanOrEqual(isAged ? 0 : total);
        }
      }),
    );
  });
});
