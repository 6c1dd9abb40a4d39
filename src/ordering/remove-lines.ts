import type { ChargedFee } from '#ordering/fee-words.ts';
import type { Discount, Line, RemovedLine, VatRow } from '#ordering/order.ts';
import { vatRowsOf, type GrossByRate } from '#ordering/vat-rows.ts';
import { addToSum, apportion, apportionAmong, proportionalShare } from '#platform/money.ts';

/** The fields of an order that a removal changes or needs; an `Order` or its row fits. */
export interface PricedOrder<Of extends PricedLine = Line> {
  lines: readonly Of[];
  subtotal: number;
  discounts: readonly Discount[];
  fees: readonly PricedFee[];
  tip: number;
  total: number;
}
export type PricedLine = Pick<Line, 'id' | 'quantity' | 'unit_price' | 'vat_rate' | 'vat_parts' | 'discount' | 'total'>;
type PricedFee = Pick<ChargedFee, 'code' | 'amount' | 'vat_rate'>;

/** `was`: the quantity that the caller saw; the removal fails if it has changed. */
export interface WantedRemoval {
  line_id: string;
  quantity: number;
  was?: number | undefined;
}

/** The order after a removal. `removed`: the removed pieces with their prices after discounts. */
export interface ReducedOrder<Of extends PricedLine = Line> {
  lines: Of[];
  subtotal: number;
  discounts: Discount[];
  total: number;
  vat: VatRow[];
  removed: { line: Of; quantity: number; amount: number }[];
}

/**
 * Why a removal fails: the line at `index` of the request is unknown, has another quantity than `was`, or has only
 * `left` pieces.
 */
export type RemovalFault =
  | { fault: 'unknown_line' | 'changed'; index: number }
  | { fault: 'too_many'; index: number; left: number };

/**
 * Returns the order without the `wanted` pieces and their share of the discounts, or the reason why they cannot be
 * removed. Fees, their discounts and the tip stay; the VAT is that of the remaining lines. Amounts are in minor units.
 * If all pieces were removed, `lines` is empty. With `endsOffers` the remaining lines lose their discounts; if the
 * order then cost more than before, a discount for the difference stays.
 */
export function removeLines<Of extends PricedLine>(
  order: PricedOrder<Of>,
  wanted: readonly WantedRemoval[],
  { endsOffers = false }: { endsOffers?: boolean | undefined } = {},
): ReducedOrder<Of> | RemovalFault {
  const gone = new Map<string, number>();
  for (const [index, { line_id, quantity, was }] of wanted.entries()) {
    const line = order.lines.find(({ id }) => id === line_id);
    if (!line || gone.has(line_id)) return { fault: 'unknown_line', index };
    if (was !== undefined && was !== line.quantity) return { fault: 'changed', index };
    if (quantity > line.quantity) return { fault: 'too_many', index, left: line.quantity };
    gone.set(line_id, quantity);
  }
  const shares = discountPerLine(order);
  const shared = order.lines.map((line, at) => ({ line, gone: gone.get(line.id) ?? 0, share: shares[at] ?? 0 }));
  const reduced = shared.flatMap((one) => reduceLine(one, order.discounts.length > 0));
  const paid = order.lines.reduce((sum, { total }, at) => sum + total - (shares[at] ?? 0), 0);
  const lines = endsOffers ? discountDownTo(paid, reduced) : reduced;
  const subtotal = lines.reduce((sum, { total }) => sum + total, 0);
  const left = lines.reduce((sum, { discount = 0 }) => sum + discount, 0);
  const discounts = reduceDiscounts(order.discounts, left);
  const fixed = order.tip + order.fees.reduce((sum, { amount }) => sum + amount, 0);
  const total = subtotal + fixed - discounts.reduce((sum, { amount }) => sum + amount, 0);
  const pieces = shared
    .filter((one) => one.gone > 0)
    .map((one) => ({ ...one, paid: paidBefore(one) - paidAfter(one) }));
  const back = apportionAmong(Math.max(0, order.total - total), pieces, ({ paid }) => paid);
  return {
    lines,
    subtotal,
    discounts,
    total,
    vat: vatOfLines({ lines, discounts, fees: order.fees }),
    removed: back.map(({ one, part }) => ({ line: one.line, quantity: one.gone, amount: part })),
  };
}

/** Converts removed pieces to the form that the order stores; `at` is ISO 8601. */
export function toRemovedLines(
  { removed }: Pick<ReducedOrder, 'removed'>,
  by: Pick<RemovedLine, 'reason' | 'actor' | 'at'>,
): RemovedLine[] {
  return removed.map(({ line, quantity, amount }) => ({
    line_id: line.id,
    name: line.name,
    kitchen_name: line.kitchen_name,
    station: line.station ?? null,
    options: line.options.map(({ name, quantity: each, item_id, kitchen_name, station }) => ({
      name,
      quantity: each,
      ...(item_id && { item_id, kitchen_name, station }),
    })),
    quantity,
    amount,
    ...by,
  }));
}

/**
 * Each line's share of the discounts on lines. In orders that predate stored shares, the discounts are split in
 * proportion to the lines' totals.
 */
export function discountPerLine({
  lines,
  discounts,
}: {
  lines: readonly Pick<Line, 'discount' | 'total'>[];
  discounts: readonly Pick<Discount, 'amount' | 'of_fee'>[];
}): number[] {
  if (lines.some(({ discount }) => discount !== undefined)) return lines.map(({ discount = 0 }) => discount);
  const ofLines = discounts.reduce((sum, { amount, of_fee }) => sum + (of_fee ? 0 : amount), 0);
  return apportion(
    ofLines,
    lines.map(({ total }) => total),
  );
}

export function vatOfLines({
  lines,
  discounts,
  fees,
}: {
  lines: readonly Omit<PricedLine, 'id' | 'unit_price'>[];
  discounts: readonly Pick<Discount, 'amount' | 'of_fee'>[];
  fees: readonly PricedFee[];
}): VatRow[] {
  const off = (code: string) => discounts.reduce((sum, { amount, of_fee }) => sum + (of_fee === code ? amount : 0), 0);
  const paid = fees.map(({ code, amount, vat_rate }) => ({ amount: amount - off(code), vat_rate }));
  return vatRowsOf(grossByRateOf(lines), paid);
}

/** The amounts paid for lines at each VAT rate. A line with several rates has its discount split over them. */
export function grossByRateOf(lines: readonly Omit<PricedLine, 'id' | 'quantity' | 'unit_price'>[]): GrossByRate {
  const gross: GrossByRate = new Map();
  for (const { total, discount = 0, vat_rate, vat_parts = [{ rate: vat_rate, amount: 1 }] } of lines) {
    const parts = apportionAmong(total - discount, vat_parts, ({ amount }) => amount);
    for (const { one, part } of parts) addToSum(gross, one.rate, part);
  }
  return gross;
}

interface SharedLine<Of extends PricedLine> {
  line: Of;
  gone: number;
  share: number;
}

const paidBefore = ({ line, share }: SharedLine<PricedLine>) => line.total - share;
const paidAfter = ({ line: { total, quantity }, gone, share }: SharedLine<PricedLine>) =>
  proportionalShare(total, quantity - gone, quantity) - proportionalShare(share, quantity - gone, quantity);

function reduceLine<Of extends PricedLine>({ line, gone, share }: SharedLine<Of>, hasDiscounts: boolean): Of[] {
  const quantity = line.quantity - gone;
  if (quantity === 0) return [];
  return [
    {
      ...line,
      quantity,
      total: proportionalShare(line.total, quantity, line.quantity),
      ...(hasDiscounts && { discount: proportionalShare(share, quantity, line.quantity) }),
    },
  ];
}

/** Discounts the lines by the smallest sum that brings their price down to `most`. */
function discountDownTo<Of extends PricedLine>(most: number, lines: readonly Of[]): Of[] {
  const subtotal = lines.reduce((sum, { total }) => sum + total, 0);
  const parts = apportionAmong(Math.max(0, subtotal - most), lines, ({ total }) => total);
  return parts.map(({ one, part }) => ({ ...one, discount: part }));
}

/**
 * Splits the sum `left` over the discounts on lines. The discounts are not rounded one by one, because the rounded
 * amounts could exceed the sum.
 */
function reduceDiscounts(discounts: readonly Discount[], left: number): Discount[] {
  const ofLines = discounts.filter(({ of_fee }) => !of_fee);
  const reduced = apportionAmong(left, ofLines, ({ amount }) => amount).map(({ one, part }) => ({
    ...one,
    amount: part,
  }));
  return [...reduced, ...discounts.filter(({ of_fee }) => of_fee)].filter(({ amount }) => amount > 0);
}
