import type Stripe from 'stripe';
import { invalid, missing } from '../api/failure.ts';
import type { Books, World } from '../world.ts';
import { seconds } from '../world.ts';
import { readMetadata } from '../objects/intents.ts';
import { smallest } from './check-session.ts';

export interface Totals {
  lines: Stripe.LineItem[];
  currency: string;
  /** All in pence. */
  subtotal: number;
  discount: number;
  total: number;
}

/** Adds a session's lines up, and spreads its coupon over them. */
export function readLines(
  world: World,
  books: Books,
  given: readonly Stripe.Checkout.SessionCreateParams.LineItem[],
  coupon: Stripe.Coupon | undefined,
): Totals {
  const lines = given.map((line, at) => readLine(world, books, line, at));
  const currency = lines[0]?.currency ?? 'gbp';
  const other = lines.find((line) => line.currency !== currency);
  if (other) {
    throw invalid(`All line items must have the same currency: got ${currency} and ${other.currency}.`, {
      param: 'line_items',
    });
  }
  const subtotal = lines.reduce((sum, line) => sum + line.amount_subtotal, 0);
  const discount = discountOf(coupon, subtotal, currency);
  spread(lines, discount, subtotal);
  const total = subtotal - discount;
  if (total > 0 && total < smallest && currency === 'gbp') {
    throw invalid(
      "The Checkout Session's total amount due must add up to at least £0.30 gbp. For information on the minimum amount that can be charged in each currency, see https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts.",
      { code: 'amount_too_small', param: 'line_items' },
    );
  }
  if (total > 99_999_999) {
    throw invalid("The Checkout Session's total amount due must be no more than £999,999.99", {
      code: 'amount_too_large',
      param: 'line_items',
    });
  }
  return { lines, currency, subtotal, discount, total };
}

function readLine(
  world: World,
  books: Books,
  given: Stripe.Checkout.SessionCreateParams.LineItem,
  at: number,
): Stripe.LineItem {
  const param = `line_items[${at}]`;
  if (given.price !== undefined) throw missing('price', given.price, `${param}[price]`, 400);
  const data = given.price_data;
  if (!data) {
    throw invalid(`Missing required param: ${param}[price_data].`, { code: 'parameter_missing', param });
  }
  const unit = data.unit_amount;
  if (unit === undefined) {
    throw invalid(`Missing required param: ${param}[price_data][unit_amount].`, {
      code: 'parameter_missing',
      param: `${param}[price_data][unit_amount]`,
    });
  }
  if (unit < 0 || !Number.isInteger(unit)) {
    throw invalid('Invalid non-negative integer', { param: `${param}[price_data][unit_amount]` });
  }
  const quantity = given.quantity ?? 1;
  if (quantity < 1 || !Number.isInteger(quantity)) {
    throw invalid('This value must be greater than or equal to 1.', {
      code: 'parameter_invalid_integer',
      param: `${param}[quantity]`,
    });
  }
  const name = data.product_data?.name;
  if (!name) {
    const empty = `${param}[price_data][product_data][name]`;
    throw invalid(
      `You passed an empty string for '${empty}'. We assume empty values are an attempt to unset a parameter; however '${empty}' cannot be unset.`,
      { code: 'parameter_invalid_empty', param: empty },
    );
  }
  const amount = unit * quantity;
  return {
    id: world.newId('li'),
    object: 'item',
    adjustable_quantity: null,
    amount_discount: 0,
    amount_subtotal: amount,
    amount_tax: 0,
    amount_total: amount,
    currency: data.currency.toLowerCase(),
    description: name,
    metadata: readMetadata(given.metadata),
    price: priceOf(world, books, data.currency.toLowerCase(), unit),
    quantity,
  };
}

function priceOf(world: World, books: Books, currency: string, unit: number): Stripe.Price {
  return {
    id: world.newId('price'),
    object: 'price',
    active: false,
    billing_scheme: 'per_unit',
    created: seconds(world),
    currency,
    custom_unit_amount: null,
    livemode: books.livemode,
    lookup_key: null,
    metadata: {},
    nickname: null,
    product: world.newId('prod', 14),
    recurring: null,
    tax_behavior: 'unspecified',
    tiers_mode: null,
    transform_quantity: null,
    type: 'one_time',
    unit_amount: unit,
    // Over HTTP a decimal is text.
    unit_amount_decimal: String(unit) as unknown as Stripe.Decimal,
  };
}

function discountOf(coupon: Stripe.Coupon | undefined, subtotal: number, currency: string): number {
  if (!coupon) return 0;
  if (coupon.percent_off !== null) return Math.round((subtotal * coupon.percent_off) / 100);
  if (coupon.currency !== currency) {
    throw invalid(`The coupon is in ${coupon.currency}, the line items are in ${currency}.`, { param: 'discounts' });
  }
  return Math.min(coupon.amount_off ?? 0, subtotal);
}

/** Each line's share of the discount, in whole pence, by its price; the shares add up to the discount. */
function spread(lines: readonly Stripe.LineItem[], discount: number, subtotal: number): void {
  let before = 0;
  let given = 0;
  for (const line of lines) {
    before += line.amount_subtotal;
    const due = subtotal === 0 ? 0 : Math.round((discount * before) / subtotal);
    line.amount_discount = due - given;
    line.amount_total = line.amount_subtotal - line.amount_discount;
    given = due;
  }
}
