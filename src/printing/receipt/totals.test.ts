import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { customerReceipt } from '#printing/receipt/receipt.ts';
import type { ReceiptOrder } from '#printing/receipt/order.ts';
import { collectionOrder, printedAt, sampleLine, sampleStore } from '#printing/testing/sample-receipts.ts';
import { renderReceipt } from '#printing/server/render-receipt.ts';
import { withFeeNames } from '#ordering/fee-words.ts';
import { discountsOf } from '#ordering/offers/find-discounts.ts';
import { withoutConditions } from '#ordering/testing/draw-orders.ts';
import { anOffer } from '#ordering/testing/samples.ts';
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
  columns: fc.constantFrom(32, 48),
});

it('the printed figures add up: lines to the subtotal, all to the total, VAT rows to the total without the tip', () => {
  fc.assert(
    fc.property(baskets, (basket) => {
      const order = pricedOrder(basket);
      const source = customerReceipt(order, sampleStore, { printedAt, columns: basket.columns });
      const [dishes = '', money = '', , vat = ''] = renderReceipt(source, { format: 'text', columns: basket.columns })
        .split(/\n-+\n/)
        .slice(3);
      const prices = amounts(dishes, /^\d+× .* (£[\d,.]+)$/gm);
      const [subtotal = NaN, ...rest] = amounts(money, /(-?£[\d,.]+) *$/gm);
      const total = rest.pop();
      expect(prices).toHaveLength(order.lines.length);
      expect(sum(prices)).toBe(subtotal);
      expect(subtotal + sum(rest)).toBe(total);
      expect(total).toBe(order.total);
      expect(sum(amounts(vat, /^at .*?(£[\d,.]+) +£[\d,.]+ *$/gm)) + sum(amounts(vat, /(£[\d,.]+) *$/gm))).toBe(
        order.total - order.tip,
      );
    }),
  );
});

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
    findDiscounts: discountsOf({
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
