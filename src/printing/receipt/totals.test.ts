import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Db } from '#database/schema.ts';
import { indexMenus } from '#menu/menu-index.ts';
import type { Menu } from '#menu/menu-shapes.ts';
import type { BasketQuote } from '#ordering/basket.ts';
import { quoteBasket } from '#ordering/quote.ts';
import type { ResolvedBasketLine } from '#ordering/quote-lines.ts';
import { quoteOnServer } from '#ordering/server/new-order.ts';
import { type EarlierRefund, type PaidOrder, planRefund, type RequestedRefund } from '#payment/refund-rules.ts';
import type { Shop } from '#shop/server/shop-cache.ts';
import { publicOffers } from '#store/offer-shapes.ts';
import { offerDraws } from '#testing/draws.ts';
import { customerReceipt } from '#printing/receipt/receipt.ts';
import type { ReceiptOrder } from '#printing/receipt/order.ts';
import { collectionOrder, printedAt, sampleLine, sampleStore } from '#printing/testing/sample-receipts.ts';
import { renderReceipt } from '#printing/server/render-receipt.ts';
import { withFeeNames } from '#ordering/fee-words.ts';
import { createDiscountFinder } from '#ordering/offers/find-discounts.ts';
import { drawnOffers, offeredCategories, offeredDishes, withoutConditions } from '#ordering/testing/draw-orders.ts';
import { aBasket, aLine, aMenu, anItem, anOffer, aStore } from '#ordering/testing/samples.ts';
import { priceBasket } from '#ordering/pricing.ts';

const baskets = fc.record({
  lines: fc.array(
    fc.record({
      price: fc.integer({ min: 0, max: 250_000 }),
      vat_rate: fc.constantFrom(0, 500, 2000),
      quantity: fc.integer({ min: 1, max: 99 }),
    }),
    { minLength: 1, maxLength: 8 },
  ),
  isDelivery: fc.boolean(),
  percentOff: fc.integer({ min: 0, max: 10_000 }),
  tip: fc.integer({ min: 0, max: 5000 }),
  serviceFee: fc.integer({ min: 0, max: 300 }),
  columns: fc.constantFrom(32 as const, 48 as const),
});

it('the printed figures add up: lines to the subtotal, all to the total, VAT rows to the total without the tip', () => {
  fc.assert(
    fc.property(baskets, (basket) => {
      const order = pricedOrder(basket);
      expect(addedUpTotal(order, basket.columns)).toBe(order.total);
    }),
  );
});

const dish = fc.record({
  price: fc.integer({ min: 0, max: 1500 }),
  vat_rate: fc.constantFrom(0, 500, 2000),
  min_age: fc.constantFrom(null, null, 18),
});
const offeredShop = fc.record({
  dishes: fc.tuple(dish, dish, dish, dish),
  offers: drawnOffers,
  minimums: fc.array(fc.option(fc.integer({ min: 0, max: 4000 }), { nil: null }), { minLength: 5, maxLength: 5 }),
  service_fee: fc.integer({ min: 0, max: 200 }),
});
const offeredBasket = fc.record({
  lines: fc.array(fc.tuple(fc.constantFrom(...offeredDishes), fc.integer({ min: 1, max: 5 })), {
    minLength: 1,
    maxLength: 6,
  }),
  isDelivery: fc.boolean(),
  tip: fc.integer({ min: 0, max: 500 }),
});
const offeredBaskets = fc.array(offeredBasket, { minLength: offerDraws.baskets, maxLength: offerDraws.baskets });
const saturday = new Date('2026-11-21T18:00:00Z');

it('browser, server, receipt and refunds agree about whatever is offered, to the penny', async () => {
  await fc.assert(
    fc.asyncProperty(offeredShop, offeredBaskets, async (drawn, baskets) => {
      const shop = shopOf(drawn);
      const seen = { ...shop.store, offers: publicOffers(shop.offers) };
      for (const [at, { lines, isDelivery, tip }] of baskets.entries()) {
        const basket = aBasket(
          lines.map(([id, quantity]) => aLine(id, { quantity })),
          {
            tip,
            ...(isDelivery && { fulfilment_type: 'delivery', address: { postcode: 'CV21 2AA' } }),
          },
        );
        const { menus, index } = shop;
        const fulfilment = basket.fulfilment_type;
        const findDiscounts = createDiscountFinder<ResolvedBasketLine>({
          store: seen,
          menus,
          fulfilment,
          channel: 'web',
          now: saturday,
        });
        const shown = quoteBasket({ store: seen, index, basket, now: saturday, findDiscounts });
        const quote = await quoteOnServer(noDatabase, shop, basket, saturday);
        expect(pick(quote)).toEqual(pick(shown));
        // A receipt takes ten times as long as the rest.
        const order = { ...collectionOrder, ...pick(quote), lines: quote.lines };
        expect(at % 10 === 0 ? addedUpTotal(order, 48) : order.total).toBe(shown.total);
        expectRefundsAddUp({
          ...pick(quote),
          lines: quote.lines.map((line, place) => ({ ...line, id: String(place) })),
        });
      }
    }),
    { numRuns: offerDraws.sets },
  );
});

/** No dish is counted, no slot is limited and no offer has limits, so that no price asks the database. */
const noDatabase = {} as Db;

function shopOf({
  dishes,
  offers,
  minimums,
  service_fee,
}: typeof offeredShop extends fc.Arbitrary<infer T> ? T : never): Shop {
  const items = dishes.map((fields, at) => anItem(offeredDishes[at] ?? '', fields));
  const [first = [], second = []] = [items.slice(0, 2), items.slice(2)];
  const menu = aMenu(items);
  const [category] = menu.categories ?? [];
  if (!category) throw new Error('the menu has no category');
  const [x, y] = offeredCategories;
  const menus = [
    {
      ...menu,
      categories: [
        { ...category, id: x, items: first },
        { ...category, id: y, items: second },
      ],
    },
  ] as Required<Menu>[];
  return {
    store: aStore({ service_fee }),
    offers: offers.map((offer, at) => ({ ...offer, minimum_subtotal: minimums[at] ?? null })),
    menus,
    index: indexMenus(menus),
    isDemo: false,
    version: 1,
    built: new Map(),
  };
}

function pick({ subtotal, discounts, fees, tip, total, vat }: BasketQuote) {
  return { subtotal, discounts, fees, tip, total, vat };
}

/** Refunds every piece by itself, then the rest: each gives back what was paid for it, and all of them the order. */
function expectRefundsAddUp(order: PaidOrder): void {
  const refunds: EarlierRefund[] = [];
  const refund = (wanted: RequestedRefund) => {
    const plan = planRefund(order, refunds, wanted);
    if ('fault' in plan) throw new Error(plan.fault);
    refunds.push({ ...plan, kind: 'asked' });
    return plan.amount;
  };
  for (const { id, quantity, total, discount = 0 } of order.lines) {
    const pieces = Array.from({ length: quantity }, () => refund({ lines: [{ line_id: id, quantity: 1 }] }));
    expect(sum(pieces)).toBe(total - discount);
  }
  const rest = order.total - sum(refunds.map(({ amount }) => amount));
  expect(rest).toBeGreaterThanOrEqual(order.tip);
  if (rest > 0) refund({ amount: rest });
  const vatOf = (rows: typeof order.vat, of: number) =>
    sum(rows.filter(({ rate }) => rate === of).map(({ net, vat }) => net + vat));
  const back = refunds.flatMap(({ vat }) => vat);
  for (const { rate } of order.vat) expect(vatOf(back, rate)).toBe(vatOf(order.vat, rate));
}

/** The printed total, to which the other printed figures must add up. */
function addedUpTotal(order: ReceiptOrder, columns: 32 | 48): number | undefined {
  const source = customerReceipt(order, sampleStore, { printedAt, columns });
  const [dishes = '', money = '', , vat = ''] = renderReceipt(source, { format: 'text', columns })
    .split(/\n-+\n/)
    .slice(3);
  const prices = amounts(dishes, /^\d+× .* (£[\d,.]+)$/gm);
  const [subtotal = NaN, ...rest] = amounts(money, /(-?£[\d,.]+) *$/gm);
  const total = rest.pop();
  expect(prices).toHaveLength(order.lines.length);
  expect(sum(prices)).toBe(subtotal);
  expect(subtotal + sum(rest)).toBe(total);
  expect(sum(amounts(vat, /^at .*?(£[\d,.]+) +£[\d,.]+ *$/gm)) + sum(amounts(vat, /(£[\d,.]+) *$/gm))).toBe(
    order.total - order.tip,
  );
  return total;
}

function pricedOrder(basket: typeof baskets extends fc.Arbitrary<infer T> ? T : never): ReceiptOrder {
  const price = priceBasket({
    store: { service_fee: basket.serviceFee, bag_fee: 10 },
    fulfilment_type: basket.isDelivery ? 'delivery' : 'collection',
    zone: basket.isDelivery ? { fee: 250, free_over: null } : null,
    lines: basket.lines.map(({ price, vat_rate, quantity }) => ({
      item: { id: 'dish', min_age: null, price, vat_rate },
      selected: [],
      quantity,
    })),
    tip: basket.tip,
    findDiscounts: createDiscountFinder({
      ...withoutConditions,
      store: { timezone: 'UTC', offers: [anOffer('percent', { value: basket.percentOff })] },
    }),
  });
  return {
    ...collectionOrder,
    ...price,
    fees: withFeeNames(price.fees),
    lines: price.lines.map(({ quantity, unit_price, total }) =>
      sampleLine({ name: 'Dish', quantity, unit_price, total }),
    ),
  };
}

function amounts(text: string, pattern: RegExp): number[] {
  return Array.from(text.matchAll(pattern), ([, amount = '']) => Number(amount.replace(/[^\d-]/g, '')));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
