import type { Discount, Line, VatRow } from '#ordering/order.ts';
import type { Refund, RefundedLine } from '#payment/refund.ts';
import { apportion, shareOf } from '#platform/money.ts';

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

/** Why nothing can be given back so: `left` is what could be, in minor units or in pieces of the line at `index`. */
export type RefundFault =
  | { fault: 'too_much'; left: number }
  | { fault: 'unknown_line'; index: number }
  | { fault: 'too_many'; index: number; left: number };

/**
 * What a refund consists of, after the earlier ones that did not fail. What is given back of a line is its VAT rate's;
 * any other amount is spread over what is left at the order's rates by largest remainder. The tip goes back last. Once
 * all is given back, amounts and VAT are the order's own, to the penny.
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
  const rates = ratesLeft(order, earlier);
  const taken = rates.map(() => 0);
  let spread = amount;
  for (const line of lines) {
    const at = rates.findIndex(({ rate }) => rate === rateOf(order, line.line_id));
    const part = Math.min(line.amount, (rates[at]?.left ?? 0) - (taken[at] ?? 0));
    if (at < 0 || part <= 0) continue;
    taken[at] = (taken[at] ?? 0) + part;
    spread -= part;
  }
  const open = rates.map(({ left: gross }, index) => gross - (taken[index] ?? 0));
  const rest = Math.min(
    spread,
    open.reduce((sum, gross) => sum + gross, 0),
  );
  for (const [index, part] of apportion(rest, open).entries()) taken[index] = (taken[index] ?? 0) + part;
  return {
    amount,
    tip: spread - rest,
    vat: rates.flatMap((rate, index) => vatRow(rate, taken[index] ?? 0)),
    lines,
  };
}

/** Minor units that can still be given back. */
export function refundable(order: Pick<PaidOrder, 'total'>, earlier: readonly Pick<EarlierRefund, 'amount'>[]): number {
  return order.total - earlier.reduce((sum, { amount }) => sum + amount, 0);
}

/** How many of a line can still be given back. */
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
  const off = apportion(
    discount,
    order.lines.map(({ total }) => total),
  );
  const priced: RefundedLine[] = [];
  for (const [index, { line_id, quantity }] of wanted.entries()) {
    const at = order.lines.findIndex(({ id }) => id === line_id);
    const line = order.lines[at];
    if (!line || priced.some((other) => other.line_id === line_id)) return { fault: 'unknown_line', index };
    const left = quantityLeft(line, earlier);
    if (quantity > left) return { fault: 'too_many', index, left };
    const paid = line.total - (off[at] ?? 0);
    const before = line.quantity - left;
    // From running totals, so that a line given back piece by piece comes to what was paid for it.
    const amount = shareOf(paid, before + quantity, line.quantity) - shareOf(paid, before, line.quantity);
    priced.push({ line_id, quantity, amount });
  }
  return priced;
}

interface RateLeft {
  rate: number;
  gross: number;
  vat: number;
  /** Gross at this rate that was not given back yet. */
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
