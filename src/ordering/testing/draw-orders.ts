import * as fc from 'fast-check';
import { createDiscountFinder, type LineWithDish } from '#ordering/offers/find-discounts.ts';
import { priceBasket, type OrderLinePrice, type PriceableLine } from '#ordering/pricing.ts';
import type { PricedLine, PricedOrder } from '#ordering/remove-lines.ts';
import { aGroup, anOffer, anOption } from '#ordering/testing/samples.ts';
import type { VatRow } from '#ordering/order.ts';
import type { StoredOffer } from '#store/offer-shapes.ts';

export interface DrawnOrder extends PricedOrder<PricedLine> {
  vat: VatRow[];
}

const rates = [0, 500, 1250, 2000] as const;

const drawnLine: fc.Arbitrary<LineWithDish> = fc
  .record({
    price: fc.integer({ min: 0, max: 3000 }),
    vat_rate: fc.constantFrom(...rates),
    quantity: fc.integer({ min: 1, max: 6 }),
    options: fc.array(
      fc.record({
        price: fc.integer({ min: 0, max: 400 }),
        vat_rate: fc.constantFrom(null, ...rates),
        quantity: fc.integer({ min: 1, max: 3 }),
        /** The dish's own price, if the option is a deal's choice. */
        dish: fc.option(
          fc.array(fc.record({ rate: fc.constantFrom(...rates), amount: fc.integer({ min: 0, max: 1500 }) }), {
            minLength: 1,
            maxLength: 2,
          }),
        ),
      }),
      { maxLength: 3 },
    ),
    free_select: fc.integer({ min: 0, max: 2 }),
    size: fc.option(fc.record({ price: fc.integer({ min: 0, max: 3000 }), vat_rate: fc.constantFrom(null, ...rates) })),
  })
  .map(({ price, vat_rate, quantity, options, free_select, size }) => {
    const group = aGroup('extras', [], { free_select });
    const selected = options.map((option, place) => ({
      group,
      option: anOption(`o${place}`, {
        price: option.price,
        vat_rate: option.vat_rate,
        ...(option.dish && { item_id: `d${place}`, price_parts: option.dish }),
      }),
      quantity: option.quantity,
      place,
    }));
    if (size) {
      const sizes = aGroup('size', [], { pricing: 'is_price' });
      selected.push({ group: sizes, option: anOption('size', size), quantity: 1, place: options.length });
    }
    return { item: { id: 'dish', min_age: null, price, vat_rate }, selected, quantity };
  });

const drawnRule: fc.Arbitrary<StoredOffer> = fc
  .record({
    kind: fc.constantFrom('percent' as const, 'amount' as const, 'item_price' as const, 'free_delivery' as const),
    value: fc.integer({ min: 1, max: 3000 }),
  })
  .map(({ kind, value }) => anOffer(kind, { value }));

/** The dishes and categories that `drawnOffers` are about. */
export const offeredDishes = ['a', 'b', 'c', 'd'] as const;
export const offeredCategories = ['x', 'y'] as const;

const someDishes = fc.option(fc.subarray([...offeredDishes], { minLength: 1 }), { nil: null });
const count = fc.integer({ min: 1, max: 4 });
const drawnOffer = fc
  .record({
    kind: fc.constantFrom('percent', 'amount', 'free_delivery', 'item_price', 'n_for_m', 'set_price'),
    value: fc.integer({ min: 0, max: 2000 }),
    take: count,
    pay: count,
    parts: fc.array(fc.record({ item_ids: fc.subarray([...offeredDishes], { minLength: 1 }), quantity: count }), {
      minLength: 1,
      maxLength: 2,
    }),
    max_pieces: fc.option(fc.integer({ min: 1, max: 6 }), { nil: null }),
    item_ids: someDishes,
    category_ids: fc.option(fc.subarray([...offeredCategories], { minLength: 1 }), { nil: null }),
    excluded_item_ids: someDishes,
    combines: fc.boolean(),
  })
  .map(({ kind, take, pay, parts, item_ids, category_ids, excluded_item_ids, ...rest }) => {
    const isSet = kind === 'set_price';
    return anOffer(kind, {
      ...rest,
      ...(kind === 'n_for_m' && { take: take + pay, pay }),
      ...(isSet ? { parts } : { item_ids, category_ids, excluded_item_ids }),
    });
  });
/** Up to five offers of every kind on these dishes, without conditions. */
export const drawnOffers: fc.Arbitrary<StoredOffer[]> = fc
  .array(drawnOffer, { maxLength: 5 })
  .map((all) => all.map((one, at) => ({ ...one, id: `offer${at}` })));

/** A basket with options at rates of their own, and how it is to be priced. */
export const drawnBasket = fc.record({
  lines: fc.array(drawnLine, { minLength: 1, maxLength: 5 }),
  rules: fc.array(drawnRule, { maxLength: 2 }),
  tip: fc.integer({ min: 0, max: 500 }),
  store: fc.record({ service_fee: fc.integer({ min: 0, max: 200 }), bag_fee: fc.integer({ min: 0, max: 20 }) }),
  fee: fc.integer({ min: 0, max: 400 }),
});
type DrawnBasket = typeof drawnBasket extends fc.Arbitrary<infer T> ? T : never;

/** Orders as the pricing makes them, with ids for their lines: `l0`, `l1` … */
export const drawnOrder: fc.Arbitrary<DrawnOrder> = drawnBasket.map(orderOf);

export function orderOf({ lines, rules, tip, store, fee }: DrawnBasket): DrawnOrder {
  const price = priceBasket({
    store,
    fulfilment_type: 'delivery',
    zone: { fee, free_over: null },
    lines,
    tip,
    findDiscounts: createDiscountFinder({ ...withoutConditions, store: { timezone: 'UTC', offers: rules } }),
  });
  return { ...price, lines: price.lines.map(toLine) };
}

/** The circumstances of baskets whose offers have no conditions. */
export const withoutConditions = {
  menus: [],
  fulfilment: 'delivery',
  channel: 'web',
  now: new Date('2026-11-20T18:00:00Z'),
} as const;

function toLine(line: PriceableLine & OrderLinePrice, place: number): PricedLine {
  const { item, quantity, unit_price, vat_parts, discount, total } = line;
  return {
    id: `l${place}`,
    quantity,
    unit_price,
    vat_rate: item.vat_rate,
    ...(vat_parts && { vat_parts }),
    ...(discount !== undefined && { discount }),
    total,
  };
}

/** Some pieces of the order, as numbers that `pick` makes into a wish. */
export const drawnPicks = fc.array(fc.tuple(fc.nat(), fc.nat()), { minLength: 1, maxLength: 3 });

/** Each of the order's lines at most once. */
export function pick(
  { lines }: Pick<DrawnOrder, 'lines'>,
  picks: readonly (readonly [number, number])[],
): { line_id: string; quantity: number }[] {
  const wanted = new Map<string, number>();
  for (const [a, b] of picks) {
    const line = lines[a % Math.max(1, lines.length)];
    if (line) wanted.set(line.id, 1 + (b % line.quantity));
  }
  return [...wanted].map(([line_id, quantity]) => ({ line_id, quantity }));
}
