import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { allergenCodes } from '#database/page-values.ts';
import { joinAllergens } from '#menu/dish-allergens.ts';
import { fillRequiredGroups, choiceWithDishFields } from '#menu/dish-choices.ts';
import { indexMenus } from '#menu/menu-index.ts';
import type { Item } from '#menu/menu-shapes.ts';
import { isDishSoldOut, isSoldOut } from '#menu/sold-out.ts';
import { createDiscountFinder } from '#ordering/offers/find-discounts.ts';
import { unitPrice } from '#ordering/pricing.ts';
import { quoteBasket } from '#ordering/quote.ts';
import { aBasket, aGroup, aLine, aMenu, anItem, anOffer, anOption, aStore } from '#ordering/testing/samples.ts';

const now = new Date('2026-11-20T18:00:00Z');
const rates = [0, 500, 2000] as const;

const allergens = fc.option(
  fc.record({ contains: fc.subarray([...allergenCodes]), may_contain: fc.subarray([...allergenCodes]) }),
  { freq: 6 },
);
const stock = fc.constantFrom(
  { is_available: true, unavailable_until: null },
  { is_available: true, unavailable_until: null },
  { is_available: false, unavailable_until: null },
  { is_available: false, unavailable_until: '2026-11-20T17:00:00.000Z' },
  { is_available: false, unavailable_until: '2026-11-21T05:00:00.000Z' },
);
const drawnOption = fc.tuple(
  fc.record({ price: fc.integer({ min: 0, max: 300 }), allergens, vat_rate: fc.constantFrom(null, ...rates) }),
  stock,
);
const drawnDish = fc.tuple(
  fc.record({
    price: fc.integer({ min: 0, max: 1500 }),
    vat_rate: fc.constantFrom(...rates),
    min_age: fc.constantFrom(null, null, 18),
    prep_minutes: fc.constantFrom(null, 5, 40),
    portions_left: fc.constantFrom(null, null, 0, 1, 7),
    allergens,
  }),
  stock,
  fc.array(drawnOption, { maxLength: 2 }),
);
type DrawnDish = typeof drawnDish extends fc.Arbitrary<infer T> ? T : never;

/** A dish, with or without a group of which one option must be chosen. */
function dishOf(id: string, [fields, ofStock, options]: DrawnDish): Item {
  const sizes = options.map(([option, own], at) => anOption(`${id}-${at}`, { ...option, ...own }));
  const groups = sizes.length > 0 ? [aGroup(`${id}-size`, sizes, { min_select: 1, max_select: 1 })] : [];
  return anItem(id, { ...fields, ...ofStock, option_groups: groups });
}

/** A deal in which each group has one dish, and each dish is taken `quantity` times. */
const drawnDeal = fc.record({
  price: fc.integer({ min: 0, max: 6000 }),
  vat_rate: fc.constantFrom(...rates),
  allergens,
  dishes: fc.array(
    fc.record({ dish: drawnDish, adds: fc.constantFrom(0, 0, 150), quantity: fc.integer({ min: 1, max: 2 }) }),
    { minLength: 1, maxLength: 4 },
  ),
  extra: fc.option(fc.record({ price: fc.integer({ min: 0, max: 200 }), vat_rate: fc.constantFrom(null, ...rates) })),
  quantity: fc.integer({ min: 1, max: 3 }),
});
type DrawnDeal = typeof drawnDeal extends fc.Arbitrary<infer T> ? T : never;

function ordered({ dishes, extra, quantity, ...fields }: DrawnDeal) {
  const chosen = dishes.map(({ dish, adds, quantity: each }, at) => {
    const item = dishOf(`dish${at}`, dish);
    const option = choiceWithDishFields(anOption(`choice${at}`, { price: adds, item_id: item.id }), item);
    return { item, option, group: `course${at}`, quantity: each };
  });
  const sauce = extra ? [anOption('sauce', extra)] : [];
  const deal = anItem('deal', {
    ...fields,
    option_groups: [...chosen.map(({ group, option }) => aGroup(group, [option])), aGroup('sauces', sauce)],
  });
  const options = [
    ...chosen.map(({ group, option, quantity: each }) => ({
      option_group_id: group,
      option_id: option.id,
      quantity: each,
    })),
    ...sauce.map(({ id }) => ({ option_group_id: 'sauces', option_id: id, quantity: 1 })),
  ];
  const menus = [aMenu([deal])];
  const offers = [anOffer('percent', { value: 2500 })];
  const quote = quoteBasket({
    store: aStore(),
    index: indexMenus(menus),
    basket: aBasket([aLine('deal', { quantity, options })]),
    now,
    findDiscounts: createDiscountFinder({
      store: { timezone: 'UTC', offers },
      menus,
      fulfilment: 'collection',
      channel: 'web',
      now,
    }),
  });
  return { deal, chosen, quote, line: quote.lines[0] };
}

const sum = (amounts: readonly number[]) => amounts.reduce((total, each) => total + each, 0);

test('the VAT of a deal sums to its price, and no dish gets more of it than its own price', () => {
  fc.assert(
    fc.property(drawnDeal, (drawn) => {
      const { chosen, quote, line } = ordered(drawn);
      const extras = drawn.extra?.price ?? 0;
      const dealPrice = drawn.price + sum(drawn.dishes.map(({ adds, quantity }) => adds * quantity));
      expect(line?.unit_price).toBe(dealPrice + extras);
      expect(sum(quote.vat.map(({ net, vat }) => net + vat))).toBe(quote.total);
      const parts = line?.vat_parts ?? [{ rate: drawn.vat_rate, amount: line?.unit_price ?? NaN }];
      expect(sum(parts.map(({ amount }) => amount))).toBe(line?.unit_price);
      const own = chosen.flatMap(({ option, quantity }) =>
        (option.price_parts ?? []).map(({ rate, amount }) => ({ rate, worth: amount * quantity })),
      );
      const worth = sum(own.map((each) => each.worth));
      for (const rate of rates) {
        if (rate === drawn.vat_rate || (extras > 0 && drawn.extra?.vat_rate === rate)) continue;
        const atRate = own.filter((each) => each.rate === rate);
        const exact = worth === 0 ? 0 : (Math.min(dealPrice, worth) * sum(atRate.map((each) => each.worth))) / worth;
        const part = parts.find((each) => each.rate === rate)?.amount ?? 0;
        expect(Math.abs(part - exact)).toBeLessThan(Math.max(1, atRate.length));
        expect(part).toBeLessThanOrEqual(sum(atRate.map((each) => each.worth)));
      }
    }),
  );
});

test('a dish without a price of its own leaves the deal at its own rate', () => {
  const { line } = ordered({
    price: 1000,
    vat_rate: 2000,
    allergens: null,
    dishes: [
      {
        dish: [
          { price: 0, vat_rate: 0, min_age: null, prep_minutes: null, portions_left: null, allergens: null },
          { is_available: true, unavailable_until: null },
          [],
        ],
        adds: 0,
        quantity: 1,
      },
    ],
    extra: null,
    quantity: 1,
  });
  expect(line?.vat_parts).toBeUndefined();
});

test('a choice is sold out with its dish and with the answers to its groups, and only with them', () => {
  fc.assert(
    fc.property(drawnDish, (drawn) => {
      const dish = dishOf('dish', drawn);
      const [group] = dish.option_groups ?? [];
      for (const answer of [null, ...(group?.options ?? [])]) {
        const answers = group && answer ? [{ option_group_id: group.id, option_id: answer.id }] : [];
        const made = answer ?? group?.options?.find(({ is_default }) => is_default) ?? group?.options?.[0];
        const choice = choiceWithDishFields(anOption('choice', { item_id: 'dish', item_options: answers }), dish);
        expect(isSoldOut(choice, now)).toBe(isSoldOut(dish, now) || (made !== undefined && isSoldOut(made, now)));
        expect(isSoldOut(choice, now) || !isDishSoldOut(dish, now)).toBe(true);
        expect(choice.price_parts?.reduce((total, { amount }) => total + amount, 0)).toBe(
          unitPrice(dish, fillRequiredGroups(dish, answers).made),
        );
      }
    }),
  );
});

test("a deal's allergens are those of the deal and of all its dishes, or unknown if one of them is", () => {
  fc.assert(
    fc.property(drawnDeal, (drawn) => {
      const { deal, chosen, line } = ordered(drawn);
      const sauces = drawn.extra ? [{ contains: [], may_contain: [] }] : [];
      const parts = chosen.flatMap(({ item }) => [
        item.allergens,
        ...(item.option_groups?.[0]?.options ?? []).slice(0, 1).map((o) => o.allergens),
      ]);
      const union = joinAllergens([deal.allergens, ...parts, ...sauces]);
      const sorted = union && { contains: union.contains.toSorted(), may_contain: union.may_contain.toSorted() };
      expect(line?.allergens).toEqual(sorted);
    }),
  );
});

test('a deal with a dish of a minimum age has that age and no discount, and takes as long as its slowest dish', () => {
  fc.assert(
    fc.property(drawnDeal, (drawn) => {
      const { chosen, quote, line } = ordered(drawn);
      const isAged = chosen.some(({ item }) => item.min_age !== null);
      expect(line?.min_age).toBe(isAged ? 18 : null);
      expect(line?.discount ?? 0).toBe(isAged ? 0 : sum(quote.discounts.map(({ amount }) => amount)));
      expect(quote.prep_minutes).toBe(Math.max(0, ...chosen.map(({ item }) => item.prep_minutes ?? 0)));
    }),
  );
});

test('a deal takes the portions of its counted dishes, with those that are ordered alone', () => {
  const korma = anItem('korma', { portions_left: 3 });
  const deal = anItem('deal', {
    option_groups: [aGroup('mains', [choiceWithDishFields(anOption('k', { item_id: 'korma' }), korma)])],
  });
  const index = indexMenus([aMenu([korma, deal])]);
  const quoted = (deals: number, alone: number) =>
    quoteBasket({
      store: aStore(),
      index,
      basket: aBasket([
        aLine('deal', { quantity: deals, options: [{ option_group_id: 'mains', option_id: 'k', quantity: 2 }] }),
        aLine('korma', { quantity: alone }),
      ]),
      now,
    });
  expect(quoted(1, 1).problems).toEqual([]);
  expect(quoted(1, 1).lines.map(({ portions }) => portions)).toEqual([
    [{ item_id: 'korma', quantity: 2 }],
    [{ item_id: 'korma', quantity: 1 }],
  ]);
  expect(quoted(1, 2).problems).toMatchObject([{ code: 'item_max', path: 'lines.1.quantity' }]);
  expect(quoted(2, 1).problems.map(({ path }) => path)).toEqual(['lines.0.quantity', 'lines.1.quantity']);
});
