import type { Discount, Line, VatRow } from '#ordering/order.ts';
import type { Refund, RefundedLine } from '#payment/refund.ts';
import { apportionAmong, shareOf } from '#platform/money.ts';

export interface PaidOrder {
  lines: readonly Pick<Line, 'id' | 'quantity' | 'total' | 'vat_rate'>[];
  discounts: readonly Pick<Discount, 'amount'>[];
  vat: readonly VatRow[];
  tip: number;
  total: number;
}

export type EarlierRefund = Pick<Refund, 'amount' | 'tip' | 'vat' | 'lines'>;
export type WantedRefund = { amount: number } | { lines: readonly Pick<RefundedLine, 'line_id' | 'quantity'>[] };

export interface RefundPlan {
  amount: number;
  tip: number;
  vat: VatRow[];
  lines: RefundedLine[];
}

/** Why a refund is refused: `left` is the possible amount, in minor units or in pieces of the line at `index`. */
export type RefundFault =
  | { fault: 'too_much'; left: number }
  | { fault: 'unknown_line'; index: number }
  | { fault: 'too_many'; index: number; left: number };

/**
 * The parts of a refund, after the earlier ones that did not fail. A refunded line has its own VAT rate;
 * any other amount is spread over the rest of the order's rates by largest remainder. The tip is refunded last. When
 * everything is refunded, amounts and VAT equal the order's, to the penny.
 */
export function planRefund(
  order: PaidOrder,
  earlier: readonly EarlierRefund[],
  wanted: WantedRefund,
): RefundPlan | RefundFault {
  const lines = 'lines' in wanted ? priceLines(order, earlier, wanted.lines) : [];
  if ('fault' in lines) return lines;
  const amount = 'lines' in wanted ? lines.reduce((sum, line) => sum + line.amount, 0) : wanted.amount;
  const left = refundable(order, earlier);
  if (amount > left) return { fault: 'too_much', left };
  const rates = ratesLeft(order, earlier).map((rate) => ({ ...rate, taken: 0 }));
  let spread = amount;
  for (const line of lines) {
    const at = rates.find(({ rate }) => rate === rateOf(order, line.line_id));
    if (!at) continue;
    const part = Math.max(0, Math.min(line.amount, at.left - at.taken));
    at.taken += part;
    spread -= part;
  }
  const open = rates.reduce((sum, { left: gross, taken }) => sum + gross - taken, 0);
  const rest = Math.min(spread, open);
  const shares = apportionAmong(rest, rates, ({ left: gross, taken }) => gross - taken);
  return {
    amount,
    tip: spread - rest,
    vat: shares.flatMap(({ one, part }) => vatRow(one, one.taken + part)),
    lines,
  };
}

/** Minor units that can still be refunded. */
export function refundable(order: Pick<PaidOrder, 'total'>, earlier: readonly Pick<EarlierRefund, 'amount'>[]): number {
  return order.total - earlier.reduce((sum, { amount }) => sum + amount, 0);
}

/** How many of a line can still be refunded. */
export function quantityLeft(
  line: PaidOrder['lines'][number],
  earlier: readonly Pick<EarlierRefund, 'lines'>[],
): number {
  const given = earlier.flatMap(({ lines }) => lines).filter(({ line_id }) => line_id === line.id);
  return line.quantity - given.reduce((sum, { quantity }) => sum + quantity, 0);
}

function priceLines(
  order: PaidOrder,
  earlier: readonly EarlierRefund[],
  wanted: readonly Pick<RefundedLine, 'line_id' | 'quantity'>[],
): RefundedLine[] | RefundFault {
  const discount = order.discounts.reduce((sum, { amount }) => sum + amount, 0);
  const shares = apportionAmong(discount, order.lines, ({ total }) => total);
  const priced: RefundedLine[] = [];
  for (const [index, { line_id, quantity }] of wanted.entries()) {
    const found = shares.find(({ one }) => one.id === line_id);
    if (!found || priced.some((other) => other.line_id === line_id)) return { fault: 'unknown_line', index };
    const { one: line, part: off } = found;
    const left = quantityLeft(line, earlier);
    if (quantity > left) return { fault: 'too_many', index, left };
    const paid = line.total - off;
    const before = line.quantity - left;
    // Computed from running totals, so that a line refunded in pieces adds up to what was paid for it.
    const amount = shareOf(paid, before + quantity, line.quantity) - shareOf(paid, before, line.quantity);
    priced.push({ line_id, quantity, amount });
  }
  return priced;
}

interface RateLeft {
  rate: number;
  gross: number;
  vat: number;
  /** The gross amount at this rate that was not refunded yet. */
  left: number;
}

function ratesLeft(order: PaidOrder, earlier: readonly EarlierRefund[]): RateLeft[] {
  const given = earlier.flatMap(({ vat }) => vat);
  return order.vat.map(({ rate, net, vat }) => {
    const back = given.filter((row) => row.rate === rate).reduce((sum, row) => sum + row.net + row.vat, 0);
    return { rate, gross: net + vat, vat, left: net + vat - back };
  });
}

function vatRow({ rate, gross, vat, left }: RateLeft, amount: number): VatRow[] {
  if (amount === 0) return [];
  const before = gross - left;
  const part = shareOf(vat, before + amount, gross) - shareOf(vat, before, gross);
  return [{ rate, net: amount - part, vat: part }];
}

function rateOf(order: PaidOrder, lineId: string): number | undefined {
  return order.lines.find(({ id }) => id === lineId)?.vat_rate;
}
