import type { ChargedFee } from '#ordering/fee-words.ts';
import type { Discount, Line, RemovedLine, VatRow } from '#ordering/order.ts';
import { vatRowsOf, type GrossByRate } from '#ordering/pricing.ts';
import { addToSum, apportionAmong, proportionalShare } from '#platform/money.ts';

/** The fields of an order that a removal changes or needs; an `Order` or its row fits. */
export interface PricedOrder<Of extends PricedLine = Line> {
  lines: readonly Of[];
  subtotal: number;
  discounts: readonly Discount[];
  fees: readonly Pick<ChargedFee, 'amount' | 'vat_rate'>[];
  tip: number;
  total: number;
}
export type PricedLine = Pick<Line, 'id' | 'quantity' | 'unit_price' | 'vat_rate' | 'vat_parts' | 'total'>;

/** `was`: the quantity that the caller saw; the removal fails if it has changed. */
export interface WantedRemoval {
  line_id: string;
  quantity: number;
  was?: number | undefined;
}

/** The order after a removal, and the removed pieces with their prices after discounts. */
export interface ReducedOrder<Of extends PricedLine = Line> {
  lines: Of[];
  subtotal: number;
  discounts: Discount[];
  total: number;
  vat: VatRow[];
  removed: { line: Of; quantity: number; amount: number }[];
}

/** Why a removal fails; `left` is the quantity of the line at `index`. */
export type RemovalFault =
  | { fault: 'unknown_line' | 'changed'; index: number }
  | { fault: 'too_many'; index: number; left: number };

/**
 * Computes the order without these pieces and their share of the discounts; fees and tip are unchanged. The VAT is that
 * of an order of the remaining lines. Minor units. `lines` is empty if all were removed.
 */
export function removeLines<Of extends PricedLine>(
  order: PricedOrder<Of>,
  wanted: readonly WantedRemoval[],
): ReducedOrder<Of> | RemovalFault {
  const gone = new Map<string, number>();
  for (const [index, { line_id, quantity, was }] of wanted.entries()) {
    const line = order.lines.find(({ id }) => id === line_id);
    if (!line || gone.has(line_id)) return { fault: 'unknown_line', index };
    if (was !== undefined && was !== line.quantity) return { fault: 'changed', index };
    if (quantity > line.quantity) return { fault: 'too_many', index, left: line.quantity };
    gone.set(line_id, quantity);
  }
  const lines = order.lines.flatMap((line) => reduceLine(line, gone.get(line.id) ?? 0));
  const subtotal = lines.reduce((sum, { total }) => sum + total, 0);
  const discounts = reduceDiscounts(order, subtotal);
  const fixed = order.tip + order.fees.reduce((sum, { amount }) => sum + amount, 0);
  const total = subtotal + fixed - discounts.reduce((sum, { amount }) => sum + amount, 0);
  return {
    lines,
    subtotal,
    discounts,
    total,
    vat: vatRowsOf(grossByRateOf(lines), discounts, order.fees),
    removed: priceRemoved(order, gone, Math.max(0, order.total - total)),
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
    options: line.options.map(({ name, quantity: each }) => ({ name, quantity: each })),
    quantity,
    amount,
    ...by,
  }));
}

export function grossByRateOf(lines: readonly Omit<PricedLine, 'id' | 'unit_price'>[]): GrossByRate {
  const gross: GrossByRate = new Map();
  for (const { total, quantity, vat_rate, vat_parts } of lines) {
    if (!vat_parts) addToSum(gross, vat_rate, total);
    else for (const { rate, amount } of vat_parts) addToSum(gross, rate, amount * quantity);
  }
  return gross;
}

function reduceLine<Of extends PricedLine>(line: Of, gone: number): Of[] {
  if (gone === 0) return [line];
  const quantity = line.quantity - gone;
  return quantity === 0 ? [] : [{ ...line, quantity, total: proportionalShare(line.total, quantity, line.quantity) }];
}

/**
 * Limits the discounts to the new subtotal. Their sum is limited, because limiting and rounding each one could exceed
 * it.
 */
function reduceDiscounts(order: PricedOrder<PricedLine>, subtotal: number): Discount[] {
  const before = order.discounts.reduce((sum, { amount }) => sum + amount, 0);
  const after = order.subtotal === 0 ? 0 : proportionalShare(before, subtotal, order.subtotal);
  return apportionAmong(after, order.discounts, ({ amount }) => amount).flatMap(({ one, part }) =>
    part === 0 ? [] : [{ ...one, amount: part }],
  );
}

function priceRemoved<Of extends PricedLine>(
  order: PricedOrder<Of>,
  gone: ReadonlyMap<string, number>,
  amount: number,
): ReducedOrder<Of>['removed'] {
  const pieces = order.lines.flatMap((line) => {
    const quantity = gone.get(line.id);
    if (!quantity) return [];
    return [
      { line, quantity, gross: line.total - proportionalShare(line.total, line.quantity - quantity, line.quantity) },
    ];
  });
  return apportionAmong(amount, pieces, ({ gross }) => gross).map(({ one: { line, quantity }, part }) => ({
    line,
    quantity,
    amount: part,
  }));
}
